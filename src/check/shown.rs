//! A light as lines of a terminal.

use console::Style;

use super::report::{CheckItem, Light};
use crate::wording::wrap;

/// The columns of the word and of the name.
const WORD: usize = 9;
const NAME: usize = 13;

/// Evidence has lines of its own width, and begins further left.
const EVIDENCE: &str = "    ";

/// The item with its evidence and its remedy, line by line: the word, the name, and what was found; with colours where
/// `coloured`.
pub fn item_lines(item: &CheckItem, coloured: bool) -> Vec<String> {
    let indent = " ".repeat(WORD + NAME);
    let mut lines = wrap(item.found.split(' '), &indent);
    let word = style(item.light, coloured).apply_to(item.light.word());
    let blanks = " ".repeat(WORD - item.light.word().len());
    if let Some(first) = lines.first_mut() {
        *first = format!("{word}{blanks}{:NAME$}{}", item.name, first.trim_start());
    }
    let evidence = item.details.iter().map(|line| format!("{EVIDENCE}{line}"));
    lines.extend(evidence.map(|line| line.trim_end().to_owned()));
    if let Some(remedy) = &item.remedy {
        lines.extend(wrap(["to do:"].into_iter().chain(remedy.split(' ')), &indent));
    }
    lines
}

fn style(light: Light, coloured: bool) -> Style {
    let style = Style::new().force_styling(coloured);
    match light {
        Light::Green => style.green(),
        Light::Yellow => style.yellow(),
        Light::Red => style.red().bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_has_its_word_its_evidence_and_its_remedy() {
        let item = CheckItem::fault("answers", "1 of 2 is wrong", "mend it").with(vec!["here".to_owned()]);
        let lines = [
            "fault    answers      1 of 2 is wrong",
            "    here",
            "                      to do: mend it",
        ];
        assert_eq!(item_lines(&item, false), lines);
        assert_eq!(
            item_lines(&CheckItem::ok("build", "in 1 s"), true),
            ["\u{1b}[32mok\u{1b}[0m       build        in 1 s"]
        );
    }
}
