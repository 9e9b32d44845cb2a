//! Renders a page as plain text, for a terminal, an e-mail, or a form field. Feedback and the class summary call it.
//!
//! The text must contain no control character except LF, and no mark that changes the writing direction.

use comfy_table::{ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle};

use super::page::{Block, FeedbackPage, HeadingLevel};
use referee_messages::{plain, wrap};

/// The maximum width of running text and tables.
const COLUMNS: u16 = 100;

impl FeedbackPage {
    /// The page as plain text, with a final line end.
    pub(in crate::grading) fn to_text(&self) -> String {
        let blocks: Vec<String> = self.0.iter().map(block).collect();
        blocks.join("\n")
    }
}

/// One block, with a final line end.
fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => heading(*level, &plain(text)),
        Block::Paragraph(text) => wrapped(&plain(text), ["", ""], COLUMNS),
        Block::Table { head, rows } => table(head, rows, COLUMNS),
        Block::List(entries) => {
            let entries = entries.iter();
            entries.map(|entry| wrapped(&plain(entry), ["- ", "  "], COLUMNS)).collect()
        }
        Block::Verbatim(lines) => lines.iter().map(|line| indented(line)).collect(),
    }
}

fn heading(level: HeadingLevel, text: &str) -> String {
    let line = match level {
        HeadingLevel::Page => "=",
        HeadingLevel::Section => "-",
        HeadingLevel::Item => return format!("[{text}]\n"),
    };
    format!("{text}\n{}\n", line.repeat(text.chars().count().min(COLUMNS.into())))
}

fn indented(line: &str) -> String {
    format!("    {}", plain(line)).trim_end().to_owned() + "\n"
}

/// Text wrapped at this many columns, each line ended; the first line has the first indent.
pub(in crate::grading) fn wrapped(text: &str, indents: [&str; 2], columns: u16) -> String {
    wrap(text, indents, columns.into()).join("\n") + "\n"
}

/// A table of at most this many columns of characters; cells break between words.
pub(in crate::grading) fn table(head: &[String], rows: &[Vec<String>], columns: u16) -> String {
    let style = TableStyle::new()
        .header_lines(ContentLineStyle::none())
        .header_separator(LineStyle::none().fill('-').junction('-'))
        .content_lines(ContentLineStyle::none());
    let mut table = Table::new();
    table
        .load_style(style)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(columns)
        .set_header(head.iter().map(|cell| plain(cell)))
        .add_rows(rows.iter().map(|row| row.iter().map(|cell| plain(cell)).collect::<Vec<_>>()));
    table.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_block_has_its_form() {
        let mut page = FeedbackPage::default();
        page.heading(HeadingLevel::Page, "Title");
        page.paragraph("word ".repeat(24).trim_end());
        page.heading(HeadingLevel::Section, "Part\x1b[2J");
        page.table(["a", "b"], vec![["1".to_owned(), "two\nlines".to_owned()]]);
        page.list(vec!["one".to_owned(), "word ".repeat(24).trim_end().to_owned()]);
        page.heading(HeadingLevel::Item, "Item");
        page.verbatim(vec!["  kept\t".to_owned(), String::new()]);
        let twenty = "word ".repeat(20);
        let expected = format!(
            "Title\n=====\n\n{}\nword word word word\n\nPart\\u{{1b}}[2J\n-------------\n\n a   b\n----------------\n \
             1   two\\nlines\n\n\
             - one\n- {}\n  word word word word word\n\n[Item]\n\n      kept\\t\n\n",
            twenty.trim_end(),
            "word ".repeat(19).trim_end(),
        );
        assert_eq!(page.to_text(), expected);
    }
}
