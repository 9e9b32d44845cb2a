//! Text as code in a message, and what of a message is code. Messages write it, and pages read it.
//!
//! The form is that of `CommonMark` (0.31, section 6.1): the text stands between two equally long runs of backticks,
//! longer than any in it. So no text can end its own span, and a terminal shows every backtick as one.

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagePart<'a> {
    /// Running text.
    Text(&'a str),
    /// What stands between backticks.
    Code(&'a str),
}

/// `text` as code.
///
/// ```
/// # use referee::protocol::code;
/// assert_eq!(code("E c3"), "`E c3`");
/// assert_eq!(code("a`b"), "``a`b``");
/// assert_eq!(code("`"), "`` ` ``");
/// ```
pub fn code(text: &str) -> String {
    let longest = longest_run(text);
    let fence = "`".repeat(longest + 1);
    let ends_in = |end: char| text.starts_with(end) && text.ends_with(end);
    let touches = text.starts_with('`') || text.ends_with('`');
    // Of the blanks, one is removed at each end if there is one at both.
    let room = if longest > 0 && (touches || ends_in(' ')) {
        " "
    } else {
        ""
    };
    format!("{fence}{room}{text}{room}{fence}")
}

/// What in a message is code. A run of backticks that no span of [`code`] begins with is text.
pub fn message_parts(message: &str) -> Vec<MessagePart<'_>> {
    let runs = runs(message);
    let mut parts = Vec::new();
    let (mut from, mut next) = (0, 0);
    while let Some(&(start, length)) = runs.get(next) {
        // Within a span, each run is shorter than its fences.
        let close = runs[next + 1..].iter().position(|(_, other)| *other >= length);
        let close = close.map(|after| next + 1 + after).filter(|&at| {
            let longest = runs[next + 1..at].iter().map(|(_, length)| *length).max();
            runs[at].1 == length && longest.unwrap_or_default() + 1 == length
        });
        let Some(at) = close else {
            next += 1;
            continue;
        };
        if from < start {
            parts.push(MessagePart::Text(&message[from..start]));
        }
        parts.push(MessagePart::Code(without_room(
            &message[start + length..runs[at].0],
            length,
        )));
        (from, next) = (runs[at].0 + length, at + 1);
    }
    if from < message.len() {
        parts.push(MessagePart::Text(&message[from..]));
    }
    parts
}

/// The length of the longest run of backticks in a text.
pub(crate) fn longest_run(text: &str) -> usize {
    runs(text).iter().map(|(_, length)| *length).max().unwrap_or_default()
}

/// Where the runs of backticks begin, and how long they are.
fn runs(text: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            Some(_) | None => runs.push((at, 1)),
        }
    }
    runs
}

fn without_room(inside: &str, fence: usize) -> &str {
    let inner = inside.strip_prefix(' ').and_then(|inside| inside.strip_suffix(' '));
    inner.filter(|_| fence > 1).unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::MessagePart::{Code, Text};
    use super::*;

    #[test]
    fn what_begins_no_span_is_text() {
        let cases: [(&str, &[MessagePart<'_>]); 8] = [
            ("", &[]),
            ("no `output.txt`", &[Text("no "), Code("output.txt")]),
            ("``a`b`` and `c`", &[Code("a`b"), Text(" and "), Code("c")]),
            ("one ` alone", &[Text("one ` alone")]),
            ("nothing: `` and `a`", &[Text("nothing: `` and "), Code("a")]),
            ("`` and ``", &[Text("`` and ``")]),
            ("`a``b`", &[Text("`a``b`")]),
            ("` ` and `` ` ``", &[Code(" "), Text(" and "), Code("`")]),
        ];
        for (message, parts) in cases {
            assert_eq!(message_parts(message), parts, "{message}");
        }
    }

    proptest! {
        #[test]
        fn no_text_ends_its_own_span(text in "[` ab]{1,12}", before in "[a ]{0,3}", after in "[a ]{0,3}") {
            let message = format!("{before}{}{after}", code(&text));
            let mut expected = vec![Code(text.as_str())];
            if !before.is_empty() {
                expected.insert(0, Text(&before));
            }
            if !after.is_empty() {
                expected.push(Text(&after));
            }
            prop_assert_eq!(message_parts(&message), expected);
        }

        #[test]
        fn no_part_is_lost(message in "[` ab]{0,16}") {
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let all: String = message_parts(&message).into_iter().map(|part| match part {
                Text(text) | Code(text) => letters(text),
            }).collect();
            prop_assert_eq!(all, letters(&message));
        }
    }
}
