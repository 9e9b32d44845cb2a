//! No file of a crate may depend on a file that depends on it. A module and its submodules count as one: a parent may
//! call its children, and they may use its types.

use std::collections::{BTreeMap, BTreeSet};

use super::{SourceFile, all_sources, assert_none};

/// A module by the names on its path, with that of its crate for `crate`.
type Module = Vec<String>;

/// What the crate's modules import.
struct Imports {
    /// By the names that are imported: where the import says that they come from.
    names: BTreeMap<Module, BTreeMap<String, Module>>,
    /// The paths that a module's code names, re-exports left out.
    used: BTreeMap<Module, BTreeSet<Module>>,
}

fn module_of(file: &SourceFile) -> Module {
    let path = file.path.strip_prefix("crates/").unwrap_or(&file.path);
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod").trim_end_matches("/lib");
    // The sources of a crate are in its folder `src`, which is no module; those of the program are in `src` itself.
    path.split('/')
        .enumerate()
        .filter(|(at, name)| *at == 0 || *name != "src")
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Identifiers, `::` and single marks; literals left out.
fn tokens(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => literal_length(rest),
            'r' | 'b' if is_raw(rest) => raw_length(rest),
            // A character, not a lifetime.
            '\'' if rest[1..].starts_with('\\') => 2 + rest[2..].find('\'').unwrap_or(0).max(1) + 1,
            '\'' if rest.chars().nth(2) == Some('\'') => rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let is_token = is_word(first) && !token.contains('"') || "{}();,*<".contains(first) || token == "::";
        if is_token {
            found.push(token.to_owned());
        }
        rest = after;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn literal_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

fn is_raw(text: &str) -> bool {
    let text = text.strip_prefix('b').unwrap_or(text);
    text.strip_prefix('r').is_some_and(|text| text.trim_start_matches('#').starts_with('"'))
}

fn raw_length(text: &str) -> usize {
    let quote = text.find('"').unwrap_or(0);
    let end = format!("\"{}", "#".repeat(text[..quote].matches('#').count()));
    text[quote + 1..].find(&end).map_or(text.len(), |at| quote + 1 + at + end.len())
}

/// The paths of a use tree, each with the name that it gives, from `tokens` up to the mark that ends it.
fn tree(
    tokens: &mut std::iter::Peekable<std::slice::Iter<'_, String>>,
    before: &[String],
    found: &mut Vec<(Module, String)>,
) {
    let mut path = before.to_vec();
    let mut name = None;
    while let Some(token) = tokens.peek().map(|token| token.as_str()) {
        match token {
            ";" | "," | "}" => break,
            "{" => {
                tokens.next();
                while tokens.peek().is_some_and(|token| *token != "}" && *token != ";") {
                    tree(tokens, &path, found);
                    tokens.next_if(|token| *token == ",");
                }
                tokens.next();
                return;
            }
            "::" | "*" => drop(tokens.next()),
            "as" => {
                tokens.next();
                name = tokens.next().cloned();
            }
            "self" if !before.is_empty() => drop(tokens.next()),
            word => {
                path.push(word.to_owned());
                tokens.next();
            }
        }
    }
    if let Some(last) = path.last().cloned() {
        found.push((path, name.unwrap_or(last)));
    }
}

/// `path` as it is written in `module`, from the crate on.
fn absolute(module: &[String], path: &[String], modules: &BTreeSet<Module>) -> Option<Module> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let below = |parent: &[String], rest: &[String]| [parent, rest].concat();
    match path.first()?.as_str() {
        "crate" => Some(below(&module[..1], &path[1..])),
        "self" => Some(below(module, &path[1..])),
        "super" => Some(below(&module[..module.len().checked_sub(supers)?], &path[supers..])),
        first => {
            let child = below(module, &[first.to_owned()]);
            modules.contains(&child).then(|| below(module, path))
        }
    }
}

impl Imports {
    fn of(files: &[SourceFile], modules: &BTreeSet<Module>) -> Self {
        let mut imports = Self { names: BTreeMap::new(), used: BTreeMap::new() };
        for file in files {
            let module = module_of(file);
            let tokens = tokens(&file.code);
            let names = imports.names.entry(module.clone()).or_default();
            let used = imports.used.entry(module.clone()).or_default();
            let mut rest = tokens.iter().peekable();
            let mut last = "";
            while let Some(token) = rest.next() {
                if token == "use" && rest.peek().is_some_and(|next| *next != "<") {
                    let is_export = last == "pub" || last == ")";
                    let mut found = Vec::new();
                    tree(&mut rest, &[], &mut found);
                    for (path, name) in found {
                        let Some(path) = absolute(&module, &path, modules) else {
                            continue;
                        };
                        if !is_export {
                            used.insert(path.clone());
                        }
                        names.insert(name, path);
                    }
                } else if last != "::" && rest.peek().is_some_and(|next| *next == "::") {
                    let mut path = vec![token.clone()];
                    while rest.next_if(|next| *next == "::").is_some() {
                        path.extend(rest.next_if(|next| next.starts_with(is_word)).cloned());
                    }
                    used.extend(absolute(&module, &path, modules));
                }
                last = token;
            }
        }
        imports
    }

    /// The module that defines what `path` names, re-exports followed.
    fn defining(&self, path: &[String], modules: &BTreeSet<Module>, depth: u8) -> Option<Module> {
        let module = (1..=path.len()).rev().map(|length| &path[..length]);
        let module = module.into_iter().find(|start| modules.contains(*start))?;
        let named = path.get(module.len()).and_then(|name| self.names.get(module)?.get(name));
        match named {
            Some(elsewhere) if depth > 0 && elsewhere != path => {
                let further = [elsewhere.as_slice(), &path[module.len() + 1..]].concat();
                self.defining(&further, modules, depth - 1)
            }
            _ => Some(module.to_vec()),
        }
    }
}

/// Everything that can be reached from `start`.
fn reached<'a>(start: &'a Module, edges: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(module) = open.pop() {
        for next in edges.get(module).into_iter().flatten() {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn the_files_of_a_crate_depend_on_each_other_in_one_direction() {
    let files = all_sources();
    let modules: BTreeSet<Module> = files.iter().map(module_of).collect();
    let imports = Imports::of(&files, &modules);
    let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, paths) in &imports.used {
        for path in paths {
            let Some(other) = imports.defining(path, &modules, 8) else {
                continue;
            };
            let is_family = module.starts_with(&other) || other.starts_with(module);
            if !is_family && module.first() == other.first() {
                edges.entry(module.clone()).or_default().insert(other);
            }
        }
    }
    assert!(edges.len() > 100, "the imports were not understood: {edges:?}");
    let circles: BTreeSet<String> = modules
        .iter()
        .filter(|module| reached(module, &edges).contains(module))
        .map(|module| {
            let onward = reached(module, &edges);
            let back = onward.into_iter().filter(|other| reached(other, &edges).contains(module));
            back.map(|part| part.join("::")).collect::<Vec<_>>().join(", ")
        })
        .collect();
    let circles: Vec<String> = circles.into_iter().collect();
    assert_none("files that depend on each other in a circle", &circles);
}
