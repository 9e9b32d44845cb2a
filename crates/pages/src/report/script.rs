//! Bundles the script of a page from its modules, so that building the program needs no Node. `page` and `serve` call
//! it.
//!
//! Browsers, editors, TypeScript and linters understand the modules; a page is one file. Each module becomes a function
//! that is called once, after those that it imports; its exports are constants of the script. It supports only what the
//! modules use: they import and export names, one statement at the start of a line (the formatter ensures this), and
//! export no mutable variables. A module must run once, after all its imports.

/// A module: its unique file name and its text.
pub(crate) type Module = (&'static str, &'static str);

/// The modules of reports, available to other pages.
pub(crate) const MODULES: &[Module] = &[
    ("agents.js", include_str!("assets/agents.js")),
    ("analysis.js", include_str!("assets/analysis.js")),
    ("board.js", include_str!("assets/board.js")),
    ("bracket.js", include_str!("assets/bracket.js")),
    ("charts.js", include_str!("assets/charts.js")),
    ("crosstable.js", include_str!("assets/crosstable.js")),
    ("elements.js", include_str!("assets/elements.js")),
    ("ending.js", include_str!("assets/ending.js")),
    ("format.js", include_str!("assets/format.js")),
    ("games.js", include_str!("assets/games.js")),
    ("grades.js", include_str!("assets/grades.js")),
    ("ladder.js", include_str!("assets/ladder.js")),
    ("losses.js", include_str!("assets/losses.js")),
    ("reader.js", include_str!("assets/reader.js")),
    ("replay.js", include_str!("assets/replay.js")),
    ("report.js", include_str!("assets/report.js")),
    ("rounds.js", include_str!("assets/rounds.js")),
    ("sections.js", include_str!("assets/sections.js")),
    ("standings.js", include_str!("assets/standings.js")),
    ("start.js", include_str!("assets/start.js")),
    ("table.js", include_str!("assets/table.js")),
    ("turns.js", include_str!("assets/turns.js")),
];

/// The script that runs the module `entry`, with all its imports from `own` and the modules of reports.
///
/// # Panics
///
/// If an imported module is missing, or imports are circular.
pub(crate) fn script(entry: &str, own: &[Module]) -> String {
    let mut bundle = ScriptBundle { own, open: Vec::new(), done: Vec::new(), text: "\"use strict\";\n".to_owned() };
    bundle.add(entry);
    bundle.text
}

/// A script under construction.
struct ScriptBundle<'a> {
    own: &'a [Module],
    /// The modules whose imports are being added.
    open: Vec<String>,
    done: Vec<String>,
    text: String,
}

impl ScriptBundle<'_> {
    fn add(&mut self, name: &str) {
        if self.done.iter().any(|done| done == name) {
            return;
        }
        assert!(!self.open.iter().any(|open| open == name), "`{name}` imports itself");
        let mut modules = self.own.iter().chain(MODULES);
        let found = modules.find(|(module, _)| *module == name);
        let (_, text) = found.unwrap_or_else(|| panic!("there is no module `{name}`"));
        let (imports, body) = split_imports(text);
        self.open.push(name.to_owned());
        for import in &imports {
            self.add(import.module);
        }
        self.open.pop();
        self.done.push(name.to_owned());
        self.text += &function(name, &imports, body);
    }
}

/// The import of `names` from the file `module`.
struct Import<'a> {
    names: &'a str,
    module: &'a str,
}

/// The imports of a module, and the rest.
fn split_imports(text: &str) -> (Vec<Import<'_>>, &str) {
    let mut imports = Vec::new();
    let mut body = text;
    while let Some((_, rest)) = body.split_once("\nimport {") {
        let statement = rest.split_once("} from \"").and_then(|(names, rest)| {
            let (path, rest) = rest.split_once("\";")?;
            Some((names, path, rest))
        });
        let (names, path, rest) = statement.expect("an import names what it imports and a file");
        let module = path.rsplit('/').next().unwrap_or(path);
        imports.push(Import { names, module });
        body = rest;
    }
    (imports, body)
}

/// A module as a function: `const $name = (() => { ... })();`
fn function(name: &str, imports: &[Import<'_>], body: &str) -> String {
    let mut text = format!("\n// {name}\nconst {} = (() => {{\n", constant(name));
    for Import { names, module } in imports {
        let (names, module) = (names.replace(" as ", ": "), constant(module));
        text.extend(["const {", &names, "} = ", &module, ";\n"]);
    }
    let mut exports = Vec::new();
    for line in code_lines(body) {
        let code = line.strip_prefix("export ").unwrap_or(line);
        if code.len() < line.len() {
            exports.push(exported(code));
        }
        text += code;
        text += "\n";
    }
    text + &format!("return {{ {} }};\n}})();\n", exports.join(", "))
}

/// The lines of a module without pure comment lines: readers of a page need no types.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut is_comment = false;
    text.lines().filter(move |line| {
        let line = line.trim();
        let begins = line.starts_with("/**") && (!line.contains("*/") || line.ends_with("*/"));
        let is_code = !is_comment && !begins && !line.starts_with("//") && !line.is_empty();
        is_comment = (is_comment || begins) && !line.ends_with("*/");
        is_code
    })
}

/// The name of a module within the script.
fn constant(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js"))
}

/// The name that an exported declaration declares.
fn exported(declaration: &str) -> &str {
    let words = ["const ", "async function ", "function ", "class "];
    let named = words.iter().find_map(|word| declaration.strip_prefix(word));
    let named = named.expect("what is exported is a constant, a function or a class");
    let end = named.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &named[..end.unwrap_or(named.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "`a.js` imports itself")]
    fn modules_do_not_import_each_other_in_circles() {
        let own = [
            ("a.js", "// A.\n\nimport { b } from \"./b.js\";\n\nexport const a = b;\n"),
            ("b.js", "// B.\n\nimport { a } from \"./a.js\";\n\nexport const b = a;\n"),
        ];
        script("a.js", &own);
    }

    #[test]
    fn every_module_of_reports_is_used() {
        let report = script("start.js", &[]);
        for (name, _) in MODULES {
            assert!(report.contains(&format!("\n// {name}\n")), "{name}");
        }
    }
}
