//! Formats a light as lines for a terminal. `cli/check` prints them.

use console::Style;

use super::report::{CheckItem, CheckResult};
use referee_messages::{COLUMNS, Colours, OutputStyle, wrap};

/// The width of the columns for the word and the name.
const WORD: usize = 9;
const NAME: usize = 13;

/// The indent of evidence, which has its own width.
const EVIDENCE: &str = "    ";

/// The item line by line: light, name, finding, remedy and evidence, fitted to `look`.
pub fn item_lines(item: &CheckItem, look: OutputStyle) -> Vec<String> {
    let indent = " ".repeat(WORD + NAME);
    let columns = look.columns.clamp(WORD + NAME + 18, COLUMNS);
    let mut lines = wrap(&item.found, [&indent; 2], columns);
    let word = style(item.light, look.colours).apply_to(item.light.word());
    let blanks = " ".repeat(WORD - item.light.word().len());
    if let Some(first) = lines.first_mut() {
        *first = format!("{word}{blanks}{:NAME$}{}", item.name, first.trim_start());
    }
    if let Some(remedy) = &item.remedy {
        lines.extend(wrap(&format!("fix: {remedy}"), [&indent; 2], columns));
    }
    let evidence = item.details.iter().map(|line| format!("{EVIDENCE}{line}"));
    lines.extend(evidence.map(|line| line.trim_end().to_owned()));
    lines
}

fn style(light: CheckResult, colours: Colours) -> Style {
    let style = Style::new().force_styling(colours == Colours::Ansi);
    match light {
        CheckResult::Green => style.green(),
        CheckResult::Yellow => style.yellow(),
        CheckResult::Red => style.red().bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_has_its_word_its_remedy_and_its_evidence() {
        let item = CheckItem::fault("answers", "1 of 2 is wrong", "mend it").with(vec!["here".to_owned()]);
        let lines = ["fault    answers      1 of 2 is wrong", "                      fix: mend it", "    here"];
        assert_eq!(item_lines(&item, OutputStyle::PLAIN), lines);
        let look = OutputStyle { colours: Colours::Ansi, ..OutputStyle::PLAIN };
        assert_eq!(
            item_lines(&CheckItem::ok("build", "in 1 s"), look),
            ["\u{1b}[32mok\u{1b}[0m       build        in 1 s"]
        );
    }
}
