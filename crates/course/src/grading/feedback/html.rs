//! Renders a page as HTML that can be mailed, published and printed as a PDF. It chooses no words; feedback calls it.
//!
//! The page is one file without scripts, images or links to anything, and its policy forbids them. Every text is
//! escaped.

use super::page::{Block, FeedbackPage, HeadingLevel};
use referee_games::protocol::plain;

/// For screens of any width, and for paper: rows and items are not torn apart, and wide texts are wrapped.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}\
h1{font-size:1.5rem}h2{font-size:1.25rem;margin-top:2rem}h3{font-size:1rem}\
table{border-collapse:collapse;display:block;overflow-x:auto}\
th,td{border:1px solid #8888;padding:.25rem .5rem;text-align:left;vertical-align:top}\
code,pre{font:14px/1.4 ui-monospace,monospace}\
pre{border-left:3px solid #8888;overflow-x:auto;padding-left:.75rem}\
@media(max-width:40rem){pre{white-space:pre-wrap;overflow-wrap:anywhere}}\
@page{margin:15mm}\
@media print{:root{color-scheme:light}body{font-size:10pt;max-width:none;padding:0}\
table{display:table}thead{display:table-header-group}tr,pre,li{break-inside:avoid}\
h1,h2,h3{break-after:avoid}pre{overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere}}";

impl FeedbackPage {
    /// The page as a whole HTML document, called `title`.
    pub(in crate::grading) fn to_html(&self, title: &str) -> String {
        let blocks: String = self.0.iter().map(block).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<meta name=\"robots\" \
             content=\"noindex\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{blocks}</main>\n</body>\n</html>\n",
            escaped(&plain(title))
        )
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => {
            let tag = match level {
                HeadingLevel::Page => "h1",
                HeadingLevel::Section => "h2",
                HeadingLevel::Item => "h3",
            };
            format!("<{tag}>{}</{tag}>\n", inline(text))
        }
        Block::Paragraph(text) => format!("<p>{}</p>\n", inline(text)),
        Block::Table { head, rows } => table(head, rows),
        Block::List(entries) => {
            let entries = entries.iter().map(|entry| format!("<li>{}</li>\n", inline(entry)));
            format!("<ul>\n{}</ul>\n", entries.collect::<String>())
        }
        Block::Verbatim(lines) => {
            let lines: Vec<String> = lines.iter().map(|line| escaped(plain(line).trim_end())).collect();
            // So that it can be scrolled by keys.
            format!("<pre tabindex=\"0\">{}</pre>\n", lines.join("\n"))
        }
    }
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let cells = |tags: [&str; 2], cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|text| tags[0].to_owned() + &inline(text) + tags[1]).collect();
        cells.concat()
    };
    let head = cells(["<th scope=\"col\">", "</th>"], head);
    let row = |row: &Vec<String>| format!("<tr>{}</tr>\n", cells(["<td>", "</td>"], row));
    let rows: Vec<String> = rows.iter().map(row).collect();
    let rows = rows.concat();
    format!("<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// Running text; text between backticks is code.
fn inline(text: &str) -> String {
    let text = plain(text);
    let mut parts = text.trim().split('`').map(escaped);
    let mut written = parts.next().unwrap_or_default();
    while let Some(part) = parts.next() {
        match parts.next() {
            Some(next) => written.extend(["<code>", &part, "</code>", &next]),
            None => written.extend(["`", &part]),
        }
    }
    written
}

/// Safe in text and in attributes.
fn escaped(text: &str) -> String {
    let signs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")];
    signs.into_iter().fold(text.to_owned(), |text, (sign, escape)| text.replace(sign, escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_a_tag() {
        let evil = "</pre><script>alert('x')</script> `a<b` \"&\u{1b}";
        let mut page = FeedbackPage::default();
        page.heading(HeadingLevel::Page, evil);
        page.paragraph(evil);
        page.list(vec![evil.to_owned()]);
        page.wide_table(vec![evil.to_owned()], vec![vec![evil.to_owned()]]);
        page.verbatim(vec![evil.to_owned()]);
        let html = page.to_html(evil);
        assert!(!html.contains("<script") && !html.contains('\u{1b}'), "{html}");
        assert_eq!(html.matches("</pre>").count(), 1, "{html}");
        assert_eq!(html.matches("<code>a&lt;b</code>").count(), 5, "{html}");
        assert_eq!(inline("one ` alone"), "one ` alone");
    }
}
