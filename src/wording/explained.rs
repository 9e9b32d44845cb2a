//! An explanation as a text for the terminal.

use super::board::draw_board;
use super::results::{Names, clock, close_call_sentence, game_word, verdict_sentence};
use crate::games::Side;
use crate::protocol::{Excerpt, ExcerptLine, Finding};
use crate::records::{Fault, Verdict};
use crate::referee::{ClockCourse, Explanation, Forfeit, LegalMoves, TurnTime};
use crate::seat::Charge;

/// The widest line of running text.
const COLUMNS: usize = 100;

/// The width of the labels that running text stands behind.
const LABEL: usize = 11;

/// Everything about how a game ended, line by line; the board with colours where `coloured`.
///
/// The first line is the verdict. A loss by the agent's own fault then shows the board, the answer with the place at
/// fault marked, and whatever may help; any other end shows its last board and both clocks.
pub fn explained(explanation: &Explanation, names: &Names, coloured: bool) -> Vec<String> {
    let mut lines = headline(explanation, names);
    lines.push(String::new());
    lines.extend(draw_board(explanation.game, &explanation.board, coloured));
    if let Some(forfeit) = &explanation.forfeit {
        lines.push(format!("   {} to move", game_word(explanation.game, forfeit.loser)));
    }
    lines.push(String::new());
    lines.extend(answer_lines(explanation));
    lines.extend(reason_lines(explanation));
    if let Some(forfeit) = &explanation.forfeit {
        lines.extend(program_lines(forfeit));
    }
    lines.extend(clocks_lines(explanation, names));
    let calls = explanation
        .close_calls
        .iter()
        .map(|call| close_call_sentence(call, names));
    lines.extend(calls.flat_map(|call| labelled("close call", &call)));
    lines
}

/// What is most important about a loss by the agent's own fault, without board and clocks; nothing for any other end.
///
/// It goes below the verdict, which it does not repeat.
pub fn explained_in_short(explanation: &Explanation) -> Vec<String> {
    match &explanation.forfeit {
        None => Vec::new(),
        Some(_) => answer_lines(explanation)
            .into_iter()
            .chain(reason_lines(explanation))
            .collect(),
    }
}

fn headline(explanation: &Explanation, names: &Names) -> Vec<String> {
    let verdict = verdict_sentence(&without_hint(&explanation.verdict), names);
    let text = format!("on turn {} of {}: {verdict}", explanation.turn, explanation.id);
    wrap(text.split(' '), "")
}

/// The verdict without the hint that is shown further down.
fn without_hint(verdict: &Verdict) -> Verdict {
    let bare = |finding: &Finding| Finding {
        hint: None,
        ..finding.clone()
    };
    match verdict {
        Verdict::Forfeit {
            loser,
            fault: Fault::WrongFormat { finding },
        } => Verdict::Forfeit {
            loser: *loser,
            fault: Fault::WrongFormat { finding: bare(finding) },
        },
        Verdict::Forfeit {
            loser,
            fault: Fault::IllegalMove { finding },
        } => Verdict::Forfeit {
            loser: *loser,
            fault: Fault::IllegalMove { finding: bare(finding) },
        },
        Verdict::Forfeit {
            loser,
            fault: Fault::NoOutput { lookalike: Some(_) },
        } => Verdict::Forfeit {
            loser: *loser,
            fault: Fault::NoOutput { lookalike: None },
        },
        Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. } => verdict.clone(),
    }
}

fn answer_lines(explanation: &Explanation) -> Vec<String> {
    let answer = explanation.forfeit.as_ref().and_then(|forfeit| forfeit.answer.as_ref());
    answer.map(draw_excerpt).unwrap_or_default()
}

/// An `output.txt` with numbered lines, and carets below the place at fault.
pub fn draw_excerpt(excerpt: &Excerpt) -> Vec<String> {
    let Excerpt {
        bytes,
        lines_in_all,
        lines,
    } = excerpt;
    let more = if lines.len() < *lines_in_all {
        format!(", {} of {lines_in_all} lines", lines.len())
    } else {
        String::new()
    };
    let mut drawn = vec![format!("output.txt ({bytes} bytes{more}):")];
    let width = lines.last().map_or(1, |line| line.number.to_string().len());
    for line in lines {
        drawn.extend(draw_line(line, width));
    }
    drawn.push(String::new());
    drawn
}

fn draw_line(line: &ExcerptLine, width: usize) -> Vec<String> {
    let before = if line.cut_before > 0 { "…" } else { "" };
    let after = if line.cut_after > 0 { "…" } else { "" };
    let text = format!("  {:>width$} | {before}{}{after}", line.number, line.text);
    let mut drawn = vec![text.trim_end().to_owned()];
    if let Some(mark) = &line.mark {
        let blanks = " ".repeat(before.chars().count() + mark.start);
        drawn.push(format!("  {:>width$} | {blanks}{}", "", "^".repeat(mark.len().max(1))));
    }
    drawn
}

fn reason_lines(explanation: &Explanation) -> Vec<String> {
    let labels = std::iter::once("happened").chain(std::iter::repeat(""));
    let told = labels.zip(&explanation.happened);
    let mut lines: Vec<String> = told.flat_map(|(label, sentence)| labelled(label, sentence)).collect();
    for rule in &explanation.rules {
        lines.extend(labelled("rule", &format!("{} ({})", rule.name, rule.source)));
        lines.extend(labelled("", rule.sentence));
    }
    if let Some(forfeit) = &explanation.forfeit {
        lines.extend(forfeit.hints.iter().flat_map(|hint| labelled("hint", hint)));
        if lacks_a_move(&explanation.verdict) {
            lines.extend(labelled("legal", &legal_words(&forfeit.legal)));
        }
    }
    lines
}

/// Whether the game was lost for want of a legal move in `output.txt`, so that it helps to see some.
fn lacks_a_move(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Won { .. } | Verdict::Drawn { .. } => false,
        Verdict::Forfeit { fault, .. } => match fault {
            Fault::NoOutput { .. }
            | Fault::UnusableOutput { .. }
            | Fault::EmptyOutput
            | Fault::WrongFormat { .. }
            | Fault::IllegalMove { .. } => true,
            Fault::OutOfTime { .. }
            | Fault::NeverReturned { .. }
            | Fault::LimitExceeded { .. }
            | Fault::NotStarted { .. }
            | Fault::Resigned => false,
        },
    }
}

fn legal_words(legal: &LegalMoves) -> String {
    let examples: Vec<String> = legal.examples.iter().map(|mv| format!("`{mv}`")).collect();
    let examples = examples.join(", ");
    match legal.count {
        0 => "there was no legal move".to_owned(),
        1 => format!("1 move: {examples}"),
        count if count == legal.examples.len() => format!("{count} moves: {examples}"),
        count => format!("{count} moves, such as {examples}"),
    }
}

fn program_lines(forfeit: &Forfeit) -> Vec<String> {
    let mut lines = labelled("program", &forfeit.process.how);
    if !forfeit.process.stderr.is_empty() {
        lines.extend(labelled("", "the end of what it wrote to its standard error:"));
        lines.extend(
            forfeit
                .process
                .stderr
                .iter()
                .map(|line| format!("{:LABEL$}| {line}", "").trim_end().to_owned()),
        );
    }
    lines
}

fn clocks_lines(explanation: &Explanation, names: &Names) -> Vec<String> {
    let charge = match explanation.charge {
        Charge::Cpu => "user and system time",
        Charge::User => "user time alone",
    };
    let mut lines = Vec::new();
    for side in Side::BOTH {
        let course = explanation.clocks.of(side);
        let runs = match course.runs {
            1 => "1 run".to_owned(),
            runs => format!("{runs} runs"),
        };
        let used = format!(
            "{}: {} s of {} s used in {runs}, charged by {charge}",
            names.side(side),
            clock(course.charged),
            course.play_time,
        );
        lines.extend(labelled("clock", &used));
        if ran_out(&explanation.verdict) == Some(side) {
            lines.extend(course_lines(course));
        }
    }
    lines
}

/// Who has lost because its time was over, by either clock.
fn ran_out(verdict: &Verdict) -> Option<Side> {
    match verdict {
        Verdict::Forfeit {
            loser,
            fault: Fault::OutOfTime { .. } | Fault::NeverReturned { .. },
        } => Some(*loser),
        Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. } => None,
    }
}

fn course_lines(course: &ClockCourse) -> Vec<String> {
    let row = |turn: &str, left: &str, charged: &str, wall: &str| {
        format!("{:LABEL$}{turn:>6} {left:>12} {charged:>12} {wall:>14}", "")
    };
    let time_row = |time: &TurnTime| {
        let seconds = |micros: f64| format!("{micros:.3} s");
        row(
            &time.turn.to_string(),
            &seconds(time.left.as_secs_f64()),
            &seconds(time.charged.as_secs_f64()),
            &seconds(time.wall.as_secs_f64()),
        )
    };
    let mut lines = vec![row("turn", "had left", "charged", "on the wall")];
    lines.extend(course.last.iter().map(time_row));
    if course.runs > course.last.len() {
        let slowest = course.slowest.iter();
        let slowest = slowest.map(|time| format!("turn {}: {:.3} s;", time.turn, time.charged.as_secs_f64()));
        let slowest: Vec<String> = slowest.collect();
        lines.extend(labelled_words(
            "",
            std::iter::once("the slowest:").chain(slowest.iter().map(String::as_str)),
        ));
    }
    lines
}

/// Running text behind a label, the further lines indented as far.
fn labelled(label: &str, text: &str) -> Vec<String> {
    labelled_words(label, text.split(' '))
}

fn labelled_words<'a>(label: &str, words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let indent = " ".repeat(LABEL);
    let mut lines = wrap(words, &indent);
    if let Some(first) = lines.first_mut() {
        *first = format!("{label:LABEL$}{}", first.trim_start());
    }
    lines
}

/// Text in lines that begin with `indent`, broken between the words; a word that is wider than a line stays whole.
pub fn wrap<'a>(words: impl Iterator<Item = &'a str>, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    for word in words {
        let width = word.chars().count();
        match lines.last_mut() {
            Some(line) if width < room => {
                line.push(' ');
                line.push_str(word);
                room -= width + 1;
            }
            _ => {
                lines.push(format!("{indent}{word}"));
                room = COLUMNS.saturating_sub(indent.len() + width);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Place;

    fn drawn(text: &[u8], line: u32, column: u32, length: u32) -> Vec<String> {
        draw_excerpt(&Excerpt::of(text, Some(Place { line, column, length })))
    }

    #[test]
    fn the_carets_stand_below_the_place() {
        let expected = [
            "output.txt (16 bytes):",
            r"  1 | J f6\td4",
            r"  2 | J d4 \x1b2",
            "    |      ^^^^",
            "",
        ];
        assert_eq!(drawn(b"J f6\td4\nJ d4 \x1b2\n", 2, 6, 1), expected);
    }

    #[test]
    fn a_place_without_length_has_one_caret() {
        assert_eq!(
            drawn(b"E\n", 1, 2, 0),
            ["output.txt (2 bytes):", "  1 | E", "    |  ^", ""]
        );
    }

    #[test]
    fn a_long_file_says_how_much_of_it_is_shown() {
        let lines = drawn(&b"E c3 b4\n".repeat(120), 100, 1, 7);
        assert_eq!(lines[0], "output.txt (960 bytes, 10 of 120 lines):");
        assert_eq!(
            (lines[1].as_str(), lines[7].as_str()),
            ("   95 | E c3 b4", "      | ^^^^^^^")
        );
        let lines = drawn(&[b'x'; 300], 1, 200, 1);
        assert_eq!(lines[1].chars().filter(|&c| c == '…').count(), 2);
        assert_eq!(lines[2].trim_start_matches(' '), format!("| {}^", " ".repeat(51)));
    }

    #[test]
    fn text_is_broken_between_words_and_indented() {
        let text = "word ".repeat(30);
        let lines = labelled("hint", text.trim_end());
        assert_eq!(
            lines.iter().map(|line| line.chars().count()).collect::<Vec<_>>(),
            [100, 70]
        );
        assert!(lines[0].starts_with("hint       word ") && lines[1].starts_with("           word "));
    }
}
