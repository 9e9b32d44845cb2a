//! Tables of cases in `data/`: a text, and what is said of it.

/// The cases under the heading `== name`, which are separated by blank lines: the lines of the text, and below them
/// what is expected, which begins with `> ` on each of its lines.
pub(crate) fn cases(tables: &str, name: &str) -> Vec<(String, String)> {
    let heading = format!("== {name}\n");
    let (_, table) = tables.split_once(&heading).expect("the table has a heading");
    let table = table.split("\n== ").next().unwrap_or(table);
    let case = |block: &str| {
        let (expected, text): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with("> "));
        let expected: Vec<&str> = expected.iter().map(|line| &line[2..]).collect();
        (text.join("\n"), expected.join(" "))
    };
    table.trim_matches('\n').split("\n\n").map(case).collect()
}
