//! Renders a page as Markdown, in GitHub's dialect. It chooses no words; feedback and the class summary call it.
//!
//! No text on a page may become a tag, a link, an image, a heading or the end of its block. Text between backticks
//! becomes code, without markup; in all other text, markup is escaped (`CommonMark` 0.31, sections 2.4 and 6.1; tables
//! of GFM, section 4.10).

use super::page::{Block, FeedbackPage, HeadingLevel};
use referee_games::protocol::plain;

/// The minimum length of a fence around verbatim lines.
const SHORTEST_FENCE: usize = 3;

impl FeedbackPage {
    /// The page as Markdown, with a final line end.
    pub(in crate::grading) fn to_markdown(&self) -> String {
        let blocks: Vec<String> = self.0.iter().map(block).collect();
        blocks.join("\n")
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => {
            let marks = match level {
                HeadingLevel::Page => "#",
                HeadingLevel::Section => "##",
                HeadingLevel::Item => "###",
            };
            format!("{marks} {}\n", running(text))
        }
        Block::Paragraph(text) => running(text) + "\n",
        Block::Table { head, rows } => table(head, rows),
        Block::List(entries) => {
            let entries: Vec<String> = entries.iter().map(|entry| format!("- {}", running(entry))).collect();
            entries.join("\n") + "\n"
        }
        Block::Verbatim(lines) => fenced(lines),
    }
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", " --- |".repeat(head.len()));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    line(head) + &rule + &rows
}

/// Lines within a fence longer than any run of backticks in them.
fn fenced(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or_default();
    let fence = "`".repeat(SHORTEST_FENCE.max(longest + 1));
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    format!("{fence}text\n{}\n{fence}\n", lines.join("\n"))
}

fn longest_run(line: &str) -> usize {
    line.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

/// Running text at the start of a block.
fn running(text: &str) -> String {
    let text = plain(text);
    let text = text.trim();
    let escaped = inline(text, false);
    if begins_a_block(text) { format!("\\{escaped}") } else { escaped }
}

/// Whether the first character of the text would begin a list, a rule or a heading, and is not escaped elsewhere.
fn begins_a_block(text: &str) -> bool {
    text.starts_with(['-', '+', '='])
}

/// Running text in a table cell, where `|` ends the cell even in code.
fn cell(text: &str) -> String {
    inline(plain(text).trim(), true)
}

fn inline(text: &str, in_table: bool) -> String {
    let mut parts = text.split('`');
    let mut written = escaped(parts.next().unwrap_or_default());
    // Text after a backtick is code if another backtick follows, with nothing in between that prevents it.
    while let Some(part) = parts.next() {
        let next = parts.next();
        let is_code = next.is_some() && !part.trim().is_empty() && !(in_table && part.contains(['|', '\\']));
        let (mark, inner) = if is_code { ("`", part.to_owned()) } else { ("\\`", escaped(part)) };
        written.extend([mark, &inner]);
        if let Some(next) = next {
            written.extend([mark, &escaped(next)]);
        }
    }
    written
}

/// Text without code, with all markup escaped. A leading number or web address does not become markup either.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '&' => written.push_str("&amp;"),
            '|' => written.push_str("&#124;"),
            '\\' | '*' | '_' | '[' | ']' | '#' | '~' | '$' => written.extend(['\\', character]),
            '.' | ')' | ':' if makes_a_mark(&text[..at], &text[at..]) => written.extend(['\\', character]),
            _ => written.push(character),
        }
    }
    written
}

/// Whether the text between `before` and after would become a list (`12. `, `12) `) or a link (`www.`, `https:`).
fn makes_a_mark(before: &str, mark_and_after: &str) -> bool {
    let word = before.rsplit(|character: char| !character.is_ascii_alphanumeric()).next();
    let word = word.unwrap_or_default().to_ascii_lowercase();
    let is_number = !word.is_empty() && word.len() == before.len() && word.bytes().all(|byte| byte.is_ascii_digit());
    let after = &mark_and_after[1..];
    if mark_and_after.starts_with(':') {
        return ["http", "https", "ftp", "mailto", "xmpp"].contains(&word.as_str());
    }
    let is_link = mark_and_after.starts_with('.') && word == "www";
    is_link || (is_number && (after.is_empty() || after.starts_with(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_escaped_and_code_is_kept() {
        let texts = [
            ("no `output.txt`", "no `output.txt`"),
            ("[x](javascript:alert(1))", r"\[x\](javascript:alert(1))"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("`<script>`", "`<script>`"),
            ("a ` b", r"a \` b"),
            ("``", r"\`\`"),
            ("`a``b`", "`a``b`"),
            ("# no *heading*", r"\# no \*heading\*"),
            ("- no list", r"\- no list"),
            ("12. no list", r"12\. no list"),
            ("7) no list", r"7\) no list"),
            ("2.5 of 10.", "2.5 of 10."),
            ("12.", r"12\."),
            ("see https://evil.example and www.evil.example", r"see https\://evil.example and www\.evil.example"),
            ("line\nbreak\u{202e}", r"line\\nbreak\\u{202e}"),
        ];
        for (text, expected) in texts {
            assert_eq!(running(text), expected, "{text}");
        }
    }

    #[test]
    fn a_cell_holds_no_separator() {
        assert_eq!(cell("a | b `c | d` `e`"), r"a &#124; b \`c &#124; d\` `e`");
        assert_eq!(cell(r"`\`"), r"\`\\\`");
    }

    #[test]
    fn a_fence_is_longer_than_what_is_in_it() {
        let lines = ["```".to_owned(), "<b>````".to_owned()];
        assert_eq!(fenced(&lines), "`````text\n```\n<b>````\n`````\n");
    }
}
