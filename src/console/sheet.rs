//! A table as a value, and its three forms: aligned for a terminal, Markdown, CSV.

use comfy_table::{CellAlignment, Table, presets};

use crate::export::{csv_text, safe_cell};
use crate::wording::plain;

/// A table with a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A word of ours, or a name from outside; on the left.
    Text(String),
    /// A number of our own making; on the right, and never taken for a formula.
    Number(String),
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers are small, and mapped over by value"
    )]
    pub(super) fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// A cell of a column of numbers without one.
    pub(super) const fn blank() -> Self {
        Self::Number(String::new())
    }

    /// A number with so many decimals; an empty cell where there is none.
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

/// A number with so many decimals, without a minus sign before zero.
pub(super) fn rounded(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.bytes().all(|byte| b"-0.".contains(&byte));
    if is_zero {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

impl Sheet {
    pub(super) fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            head: head.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Columns aligned by blanks, as wide as they have to be.
    pub(super) fn to_terminal(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(self.head.iter().map(|title| plain(title)));
        for row in &self.rows {
            let cells = row.iter();
            table.add_row(cells.map(|cell| comfy_table::Cell::new(plain(cell.content()))));
        }
        for (index, alignment) in self.alignments().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_cell_alignment(alignment);
                column.set_padding((0, 2));
            }
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n") + "\n"
    }

    /// The same, or nothing where there would only be the head.
    pub(super) fn to_terminal_unless_empty(&self) -> String {
        if self.rows.is_empty() {
            String::new()
        } else {
            self.to_terminal()
        }
    }

    /// A table of GitHub's Markdown.
    pub(super) fn to_markdown(&self) -> String {
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

    /// A column stands as its first cell does.
    fn alignments(&self) -> impl Iterator<Item = CellAlignment> {
        let first = self.rows.first();
        (0..self.head.len()).map(move |column| {
            first
                .and_then(|row| row.get(column))
                .map_or(CellAlignment::Left, Cell::alignment)
        })
    }
}

/// `text` as the cell of a Markdown table: on one line, and with a backslash before whatever would have a meaning.
pub fn markdown_cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in plain(text).chars() {
        if "\\`*_[]<>|~&".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Lines of plain text as a list.
pub(super) fn markdown_list(lines: &[String]) -> String {
    lines
        .iter()
        .flat_map(|line| ["- ".to_owned(), markdown_cell(line), "\n".to_owned()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new(["name", "elo"]);
        sheet.push(vec![Cell::text("=a|b,\"c\""), Cell::decimal(Some(-12.34), 1)]);
        sheet.push(vec![Cell::text("two\nlines\x1b[2J"), Cell::decimal(None, 1)]);
        sheet.push(vec![Cell::text("é"), Cell::decimal(Some(-0.01), 1)]);
        sheet
    }

    #[test]
    fn a_terminal_gets_aligned_columns_and_no_control_characters() {
        let text = sheet().to_terminal();
        let lines = [
            format!("{:19}  {:>5}", "name", "elo"),
            format!("{:19}  {:>5}", "=a|b,\"c\"", "-12.3"),
            r"two\nlines\u{1b}[2J".to_owned(),
            format!("{:19}  {:>5}", "é", "0.0"),
        ];
        assert_eq!(text, lines.join("\n") + "\n");
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
