//! A page as a value: what is on it, before it is decided how it is shown.
//!
//! For: writing a page once and showing it as plain text and as Markdown. Deliberately not here: words.
//!
//! What must always hold: a page may hold any text, of whatever making; whoever shows it makes it harmless.

/// One part of a page after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::grading) struct Page(pub(super) Vec<Block>);

/// One part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading.
    Heading(Level, String),
    /// Running text. What stands between backticks is a name or a text out of a file.
    Paragraph(String),
    /// A table; every row has as many cells as the head.
    Table {
        /// The headings of the columns.
        head: Vec<String>,
        /// The rows from the top.
        rows: Vec<Vec<String>>,
    },
    /// Things that have no order, or speak for themselves.
    List(Vec<String>),
    /// Lines that have to stand as they are: boards, excerpts, what a compiler said.
    Verbatim(Vec<String>),
}

/// How far a heading reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grading) enum Level {
    /// The whole page.
    Page,
    /// A part of it.
    Section,
    /// One item.
    Item,
}

impl Page {
    pub(in crate::grading) fn heading(&mut self, level: Level, text: impl Into<String>) {
        self.0.push(Block::Heading(level, text.into()));
    }

    pub(in crate::grading) fn paragraph(&mut self, text: impl Into<String>) {
        self.0.push(Block::Paragraph(text.into()));
    }

    /// A table, unless it has no rows.
    pub(in crate::grading) fn table<const N: usize>(&mut self, head: [&str; N], rows: Vec<[String; N]>) {
        let rows = rows.into_iter().map(Vec::from).collect();
        self.wide_table(head.map(str::to_owned).into(), rows);
    }

    /// A table of as many columns as it takes, unless it has no rows.
    pub(in crate::grading) fn wide_table(&mut self, head: Vec<String>, rows: Vec<Vec<String>>) {
        if !rows.is_empty() {
            self.0.push(Block::Table { head, rows });
        }
    }

    /// A list, unless nothing is in it.
    pub(in crate::grading) fn list(&mut self, entries: Vec<String>) {
        if !entries.is_empty() {
            self.0.push(Block::List(entries));
        }
    }

    /// Lines as they are, unless there are none.
    pub(in crate::grading) fn verbatim(&mut self, lines: Vec<String>) {
        if !lines.is_empty() {
            self.0.push(Block::Verbatim(lines));
        }
    }

    /// What is on `other`, below what is here.
    pub(in crate::grading) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}
