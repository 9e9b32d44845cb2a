//! A table as a value with three renderings: aligned for a terminal, Markdown, CSV. It computes nothing; standings and
//! ratings use it.

use comfy_table::{CellAlignment, Table, presets};

use referee_messages::{OutputStyle, counted, cut_middle, plain, width};
use referee_records::export::{csv_text, safe_cell};

/// Where people read a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableForm {
    /// On a terminal with this look.
    Terminal(OutputStyle),
    /// Where Markdown is shown.
    Markdown,
}

impl TableForm {
    /// A line of plain text before a table.
    pub(super) fn line(self, text: &str) -> String {
        match self {
            Self::Terminal(_) => text.to_owned(),
            Self::Markdown => markdown_cell(text),
        }
    }

    /// Lines of plain text below a table; in Markdown, a list.
    pub(super) fn notes(self, lines: &[String]) -> String {
        match self {
            Self::Terminal(_) => lines.iter().flat_map(|line| [line, "\n"]).collect(),
            Self::Markdown => {
                let items = lines.iter().map(|line| format!("- {}\n", markdown_cell(line)));
                std::iter::once("\n".to_owned()).chain(items).collect()
            }
        }
    }
}

/// A table with a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TextTable {
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A word, or a foreign name; left-aligned.
    Text(String),
    /// A number of ours; right-aligned, and never treated as a formula.
    Number(String),
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    #[expect(clippy::needless_pass_by_value, reason = "numbers are small, and mapped over by value")]
    pub(super) fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// An empty cell in a column of numbers.
    pub(super) const fn blank() -> Self {
        Self::Number(String::new())
    }

    /// A number with this many decimals; empty for `None`.
    pub(super) fn decimal(number: Option<f64>, decimals: usize) -> Self {
        Self::Number(number.map_or_else(String::new, |number| rounded(number, decimals)))
    }

    const fn content(&self) -> &String {
        match self {
            Self::Text(content) | Self::Number(content) => content,
        }
    }

    const fn alignment(&self) -> CellAlignment {
        match self {
            Self::Text(_) => CellAlignment::Left,
            Self::Number(_) => CellAlignment::Right,
        }
    }
}

/// A column of a table on a terminal.
struct Column {
    /// With line breaks if it was wrapped.
    title: String,
    alignment: CellAlignment,
    cells: Vec<String>,
}

/// The gap between two columns.
const GAP: usize = 2;

/// The minimum width of a cut name.
const NARROWEST_NAME: usize = 8;

impl Column {
    fn width(&self) -> usize {
        self.title.lines().chain(self.cells.iter().map(String::as_str)).map(width).max().unwrap_or_default()
    }
}

fn wide(columns: &[Column]) -> usize {
    let widths: usize = columns.iter().map(|column| column.width() + GAP).sum();
    widths.saturating_sub(GAP)
}

/// Cuts text columns until the table fits, or they reach the minimum width.
fn narrow_names(columns: &mut [Column], look: OutputStyle) {
    loop {
        let excess = wide(columns).saturating_sub(look.columns);
        let texts = columns.iter_mut().filter(|column| column.alignment == CellAlignment::Left);
        let Some(widest) = texts.max_by_key(|column| column.width()) else {
            return;
        };
        let now = widest.width();
        let wanted = now.saturating_sub(excess).max(NARROWEST_NAME);
        if excess == 0 || wanted >= now {
            return;
        }
        for cell in &mut widest.cells {
            *cell = cut_middle(cell, wanted, look.characters);
        }
        if widest.width() >= now {
            return;
        }
    }
}

fn drawn(columns: &[Column]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(columns.iter().map(|column| column.title.as_str()));
    let rows = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        table.add_row(columns.iter().map(|column| comfy_table::Cell::new(&column.cells[row])));
    }
    for (index, column) in columns.iter().enumerate() {
        if let Some(drawn) = table.column_mut(index) {
            drawn.set_cell_alignment(column.alignment);
            drawn.set_padding((0, 2));
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// A number with this many decimals, without a minus sign before zero.
pub(super) fn rounded(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.bytes().all(|byte| b"-0.".contains(&byte));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

impl TextTable {
    pub(super) fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(super) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// The table where people read it.
    pub(super) fn shown(&self, form: TableForm) -> String {
        match form {
            TableForm::Terminal(look) => self.to_terminal(look),
            TableForm::Markdown => self.to_markdown(),
        }
    }

    /// Aligned columns for a terminal with `look`.
    ///
    /// If the table does not fit, titles are wrapped first; then names are cut in the middle; then columns are dropped
    /// from the right, with a note below.
    pub(super) fn to_terminal(&self, look: OutputStyle) -> String {
        let mut columns = self.columns(look);
        let is_too_wide = |columns: &[Column]| wide(columns) > look.columns;
        if is_too_wide(&columns) {
            for column in &mut columns {
                column.title = column.title.replace(' ', "\n");
            }
        }
        if is_too_wide(&columns) {
            narrow_names(&mut columns, look);
        }
        let all = columns.len();
        while columns.len() > 1 && is_too_wide(&columns) {
            columns.pop();
        }
        let left_out = all - columns.len();
        let mut text = drawn(&columns);
        if left_out > 0 {
            let columns = counted(left_out, "column");
            let line = format!("({columns} hidden: use a wider terminal, or `--csv` for all)");
            text += &(look.fit(&line).join("\n") + "\n");
        }
        text
    }

    /// The same, or an empty text for a table without rows.
    pub(super) fn to_terminal_unless_empty(&self, look: OutputStyle) -> String {
        if self.rows.is_empty() { String::new() } else { self.to_terminal(look) }
    }

    fn columns(&self, look: OutputStyle) -> Vec<Column> {
        let spelled = |text: &str| look.spell(&plain(text)).into_owned();
        let alignments = self.alignments();
        let columns = alignments.zip(&self.head).enumerate();
        columns
            .map(|(index, (alignment, title))| Column {
                title: spelled(title),
                alignment,
                cells: self
                    .rows
                    .iter()
                    .map(|row| row.get(index).map_or_else(String::new, |cell| spelled(cell.content())))
                    .collect(),
            })
            .collect()
    }

    /// A table in GitHub's Markdown.
    fn to_markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.head.iter().map(|title| markdown_cell(title)).collect());
        let rules = self.alignments().map(|alignment| match alignment {
            CellAlignment::Right => "---:".to_owned(),
            CellAlignment::Left | CellAlignment::Center => "---".to_owned(),
        });
        text += &line(rules.collect());
        for row in &self.rows {
            text += &line(row.iter().map(|cell| markdown_cell(cell.content())).collect());
        }
        text
    }

    /// A CSV text.
    pub(super) fn to_csv(&self) -> String {
        let cell = |cell: &Cell| match cell {
            Cell::Text(text) => safe_cell(text).into_owned(),
            Cell::Number(number) => number.clone(),
        };
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect());
        csv_text(std::iter::once(self.head.clone()).chain(rows))
    }

    /// A column is aligned like its first cell.
    fn alignments(&self) -> impl Iterator<Item = CellAlignment> {
        let first = self.rows.first();
        (0..self.head.len())
            .map(move |column| first.and_then(|row| row.get(column)).map_or(CellAlignment::Left, Cell::alignment))
    }
}

/// `text` as a cell of a Markdown table: on one line, with markup escaped.
fn markdown_cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in plain(text).chars() {
        if "\\`*_[]<>|~&".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> TextTable {
        let mut sheet = TextTable::new(["name", "elo"]);
        sheet.push(vec![Cell::text("=a|b,\"c\""), Cell::decimal(Some(-12.34), 1)]);
        sheet.push(vec![Cell::text("two\nlines\x1b[2J"), Cell::decimal(None, 1)]);
        sheet.push(vec![Cell::text("é"), Cell::decimal(Some(-0.01), 1)]);
        sheet
    }

    #[test]
    fn a_terminal_gets_aligned_columns_and_no_control_characters() {
        let text = sheet().to_terminal(OutputStyle::PLAIN);
        let lines = [
            format!("{:19}  {:>5}", "name", "elo"),
            format!("{:19}  {:>5}", "=a|b,\"c\"", "-12.3"),
            r"two\nlines\u{1b}[2J".to_owned(),
            format!("{:19}  {:>5}", "é", "0.0"),
        ];
        assert_eq!(text, lines.join("\n") + "\n");
    }

    #[test]
    fn a_narrow_terminal_gets_narrow_columns_and_fewer_of_them() {
        let mut sheet = TextTable::new(["#", "agent", "points won", "games", "cpu s/game"]);
        for name in ["submission-of-ada", "漢字漢字漢字漢字漢字"] {
            sheet.push(vec![
                Cell::number(1),
                Cell::text(name),
                Cell::number("12.5"),
                Cell::number(20),
                Cell::number("1.25"),
            ]);
        }
        for columns in 12..80 {
            let text = sheet.to_terminal(OutputStyle::PLAIN.with_columns(columns));
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}:\n{text}");
        }
        let text = sheet.to_terminal(OutputStyle::PLAIN.with_columns(36));
        let expected = "#  agent       points  games     cpu
                  won         s/game
1  submi…-ada    12.5     20    1.25
1  漢字…漢字     12.5     20    1.25
";
        assert_eq!(text, expected);
        let text = sheet.to_terminal(OutputStyle::PLAIN.with_columns(24));
        assert!(text.contains("2 columns hidden"), "{text}");
    }

    #[test]
    fn markdown_cells_stay_in_their_table() {
        let expected = "| name | elo |\n| --- | ---: |\n\
                        | =a\\|b,\"c\" | -12.3 |\n\
                        | two\\\\nlines\\\\u{1b}\\[2J |  |\n\
                        | é | 0.0 |\n";
        assert_eq!(sheet().to_markdown(), expected);
    }

    #[test]
    fn csv_names_cannot_be_formulas_and_numbers_stay_numbers() {
        let expected = "name,elo\n\"'=a|b,\"\"c\"\"\",-12.3\ntwo\\nlines\\u{1b}[2J,\né,0.0\n";
        assert_eq!(sheet().to_csv(), expected);
    }
}
