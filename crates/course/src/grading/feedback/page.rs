//! A page as a value, before it is rendered: written once, rendered as plain text and Markdown.
//!
//! It contains no words of its own and escapes nothing: the renderers must make every text harmless. Feedback and the
//! class summary fill it.

/// A page: a sequence of blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::grading) struct FeedbackPage(pub(super) Vec<Block>);

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading.
    Heading(HeadingLevel, String),
    /// Running text. Text between backticks is a name or a text from a file.
    Paragraph(String),
    /// A table; every row has as many cells as the header.
    Table {
        /// The header.
        head: Vec<String>,
        /// The rows from the top.
        rows: Vec<Vec<String>>,
    },
    /// A list.
    List(Vec<String>),
    /// Verbatim lines: boards, excerpts, compiler output.
    Verbatim(Vec<String>),
}

/// The level of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grading) enum HeadingLevel {
    /// The whole page.
    Page,
    /// A section.
    Section,
    /// One item.
    Item,
}

impl FeedbackPage {
    pub(in crate::grading) fn heading(&mut self, level: HeadingLevel, text: impl Into<String>) {
        self.0.push(Block::Heading(level, text.into()));
    }

    pub(in crate::grading) fn paragraph(&mut self, text: impl Into<String>) {
        self.0.push(Block::Paragraph(text.into()));
    }

    /// Adds a table, unless it has no rows.
    pub(in crate::grading) fn table<const N: usize>(&mut self, head: [&str; N], rows: Vec<[String; N]>) {
        let rows = rows.into_iter().map(Vec::from).collect();
        self.wide_table(head.map(str::to_owned).into(), rows);
    }

    /// Adds a table with any number of columns, unless it has no rows.
    pub(in crate::grading) fn wide_table(&mut self, head: Vec<String>, rows: Vec<Vec<String>>) {
        if !rows.is_empty() {
            self.0.push(Block::Table { head, rows });
        }
    }

    /// Adds a list, unless it is empty.
    pub(in crate::grading) fn list(&mut self, entries: Vec<String>) {
        if !entries.is_empty() {
            self.0.push(Block::List(entries));
        }
    }

    /// Adds verbatim lines, unless there are none.
    pub(in crate::grading) fn verbatim(&mut self, lines: Vec<String>) {
        if !lines.is_empty() {
            self.0.push(Block::Verbatim(lines));
        }
    }
}
