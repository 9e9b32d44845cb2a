//! An explanation as text for a terminal or a file. The facts come from [`referee_matches::referee::explain`];
//! commands, checks and feedback print it.

use std::ops::Range;

use super::analysis::AnalysisWords;
use super::board::draw_board_after;
use super::last_move::LastMove;
use super::output_style::{Characters, NO_BREAK, OutputStyle, wrap};
use super::results::{SideNames, clock, close_call_sentence, verdict_sentence};
use referee_games::Side;
use referee_games::protocol::{Excerpt, ExcerptLine, Finding, counted, plain};
use referee_matches::referee::{ClockHistory, Explanation, Forfeit, LegalMoves, TurnTime};
use referee_records::{Fault, PersonClock, Verdict};
use referee_seat::{Charge, Protocol};

/// The maximum width of running text: longer lines are hard to read.
pub const COLUMNS: usize = 100;

/// The width of the labels before running text.
const LABEL: usize = 11;

/// Everything about the end of a game, line by line, for a terminal or file with `look`.
///
/// The first line is the verdict. For a loss by the agent's own fault, the board, the answer with the place at fault
/// marked, and hints follow; for any other end, the last board and both clocks.
pub fn explained(explanation: &Explanation, names: &SideNames, look: OutputStyle) -> Vec<String> {
    let mut lines = headline(explanation, names, look);
    lines.push(String::new());
    let last = explanation
        .last
        .as_ref()
        .map_or_else(LastMove::default, |(before, mv)| LastMove::of(explanation.game, before, &explanation.board, mv));
    lines.extend(draw_board_after(explanation.game, &explanation.board, &last, look));
    lines.extend(look.notes(&explanation.notes));
    if let Some(forfeit) = &explanation.forfeit {
        lines.push(format!("   {} to move", explanation.game.profile().side(forfeit.loser).name));
    }
    lines.push(String::new());
    lines.extend(answer_lines(explanation, look));
    lines.extend(reason_lines(explanation, look, |_| true));
    if let Some(forfeit) = &explanation.forfeit {
        lines.extend(program_lines(forfeit, look));
    }
    lines.extend(clock_lines(explanation, names, look));
    let calls = explanation.close_calls.iter();
    lines.extend(calls.flat_map(|call| labelled("close call", &close_call_sentence(call, names), look)));
    lines
}

/// The essentials of a loss by the agent's own fault, without board and clocks; empty for any other end.
///
/// It follows the verdict, which it does not repeat.
pub fn explained_in_short(explanation: &Explanation, look: OutputStyle) -> Vec<String> {
    if explanation.forfeit.is_none() {
        return Vec::new();
    }
    let mut lines = answer_lines(explanation, look);
    let told = told_hint(&explanation.verdict);
    lines.extend(reason_lines(explanation, look, |hint| told.as_deref() != Some(hint)));
    lines
}

/// What the analysis of a game says, below everything about its end.
pub fn analysis_lines(words: &AnalysisWords, look: OutputStyle) -> Vec<String> {
    all_labelled("analysis", &words.sentences, look)
}

fn headline(explanation: &Explanation, names: &SideNames, look: OutputStyle) -> Vec<String> {
    let verdict = verdict_sentence(&without_hint(&explanation.verdict), names);
    let text = format!("on turn {} of {}: {verdict}", explanation.turn, explanation.id);
    wrap(&look.spell(&text), ["", ""], look.columns.min(COLUMNS))
}

/// The verdict without the hint, which is shown further down.
fn without_hint(verdict: &Verdict) -> Verdict {
    let bare = |finding: &Finding| Finding { hint: None, ..finding.clone() };
    match verdict {
        Verdict::Forfeit { loser, fault: Fault::WrongFormat { finding } } => {
            Verdict::Forfeit { loser: *loser, fault: Fault::WrongFormat { finding: bare(finding) } }
        }
        Verdict::Forfeit { loser, fault: Fault::IllegalMove { finding } } => {
            Verdict::Forfeit { loser: *loser, fault: Fault::IllegalMove { finding: bare(finding) } }
        }
        Verdict::Forfeit { loser, fault: Fault::NoOutput { lookalike: Some(_) } } => {
            Verdict::Forfeit { loser: *loser, fault: Fault::NoOutput { lookalike: None } }
        }
        Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. } => verdict.clone(),
    }
}

fn answer_lines(explanation: &Explanation, look: OutputStyle) -> Vec<String> {
    let drawn = explanation.forfeit.as_ref().and_then(|forfeit| {
        let name = match forfeit.protocol {
            Protocol::Files => "output.txt",
            Protocol::Stdio => "standard output",
        };
        forfeit.answer.as_ref().map(|answer| drawn_excerpt(name, answer, look))
    });
    spelled(drawn.unwrap_or_default(), look)
}

/// An `output.txt` with numbered lines, and carets below the place at fault.
pub fn draw_excerpt(excerpt: &Excerpt) -> Vec<String> {
    drawn_excerpt("output.txt", excerpt, OutputStyle::PLAIN)
}

fn drawn_excerpt(name: &str, excerpt: &Excerpt, look: OutputStyle) -> Vec<String> {
    let Excerpt { bytes, lines_in_all, lines } = excerpt;
    let more =
        if lines.len() < *lines_in_all { format!(", {} of {lines_in_all} lines", lines.len()) } else { String::new() };
    let mut drawn = vec![format!("{name} ({}{more}):", counted(*bytes, "byte"))];
    let width = lines.last().map_or(1, |line| line.number.to_string().len());
    for line in lines {
        drawn.extend(draw_line(line, width, look));
    }
    drawn.push(String::new());
    drawn
}

fn draw_line(line: &ExcerptLine, width: usize, look: OutputStyle) -> Vec<String> {
    let (cut, overlooked) = match look.characters {
        Characters::Unicode => ("…", '·'),
        Characters::Ascii => ("...", '_'),
    };
    let edge = width + 5;
    let shown = window(line, look.columns.saturating_sub(edge + 2 * cut.chars().count()).max(1));
    let text: String = line.text.chars().skip(shown.start).take(shown.len()).collect();
    let text = text.replace('·', &overlooked.to_string());
    let before = if line.cut_before > 0 || shown.start > 0 { cut } else { "" };
    let is_cut_after = line.cut_after > 0 || shown.end < line.text.chars().count();
    let after = if is_cut_after { cut } else { "" };
    let text = format!("  {:>width$} | {before}{text}{after}", line.number);
    let mut drawn = vec![text.trim_end().to_owned()];
    if let Some(mark) = &line.mark {
        let blanks = " ".repeat(before.chars().count() + mark.start.saturating_sub(shown.start));
        let carets = mark.end.min(shown.end).saturating_sub(mark.start).max(1);
        drawn.push(format!("  {:>width$} | {blanks}{}", "", "^".repeat(carets)));
    }
    drawn
}

/// The columns of a line shown in this room: those around the mark.
fn window(line: &ExcerptLine, room: usize) -> Range<usize> {
    let length = line.text.chars().count();
    let mark = line.mark.as_ref().map_or(0, |mark| mark.start);
    let start = mark.saturating_sub(room / 3).min(length.saturating_sub(room));
    start..length.min(start + room)
}

/// The hint that the sentence of a verdict has.
fn told_hint(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Forfeit { fault, .. } => fault.finding()?.hint.as_deref().map(plain),
        Verdict::Won { .. } | Verdict::Drawn { .. } => None,
    }
}

/// What happened, by which rule it is a loss, and the hints that are wanted.
fn reason_lines(explanation: &Explanation, look: OutputStyle, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = all_labelled("happened", &explanation.happened, look);
    for rule in &explanation.citations {
        lines.extend(labelled("rule", &format!("{} ({})", rule.name, rule.source), look));
        lines.extend(labelled("", &rule.sentence, look));
    }
    if let Some(forfeit) = &explanation.forfeit {
        let hints = forfeit.hints.iter().filter(|hint| is_wanted(hint));
        lines.extend(hints.flat_map(|hint| labelled("hint", hint, look)));
        if lacks_a_move(&explanation.verdict) {
            lines.extend(labelled("legal", &legal_words(&forfeit.legal), look));
        }
    }
    lines
}

/// Whether the game was lost for want of a legal move in the answer, so that examples help.
fn lacks_a_move(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Won { .. } | Verdict::Drawn { .. } => false,
        Verdict::Forfeit { fault, .. } => match fault {
            Fault::NoOutput { .. }
            | Fault::NoAnswer
            | Fault::Unasked { .. }
            | Fault::UnusableOutput { .. }
            | Fault::EmptyOutput
            | Fault::WrongFormat { .. }
            | Fault::IllegalMove { .. } => true,
            Fault::OutOfTime { .. }
            | Fault::OutOfMoveTime { .. }
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

fn program_lines(forfeit: &Forfeit, look: OutputStyle) -> Vec<String> {
    let mut lines = labelled("program", &forfeit.process.how, look);
    if !forfeit.process.stderr.is_empty() {
        lines.extend(labelled("", "end of its stderr:", look));
        let written = forfeit.process.stderr.iter();
        let written = written.map(|line| format!("{:LABEL$}| {line}", "").trim_end().to_owned());
        lines.extend(spelled(written.collect(), look));
    }
    lines
}

fn clock_lines(explanation: &Explanation, names: &SideNames, look: OutputStyle) -> Vec<String> {
    let charge = match explanation.charge {
        Charge::Cpu => "user and system time",
        Charge::User => "user time only",
    };
    let mut lines = Vec::new();
    for side in Side::BOTH {
        let course = explanation.clocks.of(side);
        // Of one move alone, or before its first turn, a side has no clock to tell of.
        if course.runs == 0 && course.person.is_none() {
            continue;
        }
        let name = names.side(side);
        let used = match course.person {
            None => {
                let pace = course.pace.map(|pace| format!(", at least its pace of {pace} s per move"));
                let (used, pace) = (used_time(course), pace.unwrap_or_default());
                format!("{name}: {used}, charging {charge}{pace}")
            }
            Some(PersonClock::WallTime) => {
                format!("{name}: {} s of {} s of wall-clock time used", clock(course.charged), course.play_time)
            }
            Some(PersonClock::NoClock) => format!("{name}: a person without a clock"),
        };
        lines.extend(labelled("clock", &used, look));
        if ran_out(&explanation.verdict) == Some(side) {
            lines.extend(course_lines(course, look));
        }
    }
    lines
}

/// What a program used of its time: of the limit for each move, where there is one, else of the time for the game.
fn used_time(course: &ClockHistory) -> String {
    let (charged, runs) = (clock(course.charged), counted(course.runs, "run"));
    match (course.move_time, course.slowest.first()) {
        (Some(limit), Some(slowest)) => {
            let longest = clock(slowest.charged);
            format!("{longest} s of {limit} s used in the longest of {runs}, {charged} s in all")
        }
        (Some(_), None) | (None, _) => format!("{charged} s of {} s used in {runs}", course.play_time),
    }
}

/// The side that lost on time, by either clock.
fn ran_out(verdict: &Verdict) -> Option<Side> {
    match verdict {
        Verdict::Forfeit {
            loser,
            fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. } | Fault::NeverReturned { .. },
        } => Some(*loser),
        Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. } => None,
    }
}

fn course_lines(course: &ClockHistory, look: OutputStyle) -> Vec<String> {
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
    let mut lines = vec![row("turn", "had left", "charged", "wall clock")];
    lines.extend(course.last.iter().map(time_row));
    if course.runs > course.last.len() {
        // A turn and its time stay on one line.
        let slowest = course.slowest.iter();
        let slowest =
            slowest.map(|time| format!(" turn{0}{1}:{0}{2:.3}{0}s;", NO_BREAK, time.turn, time.charged.as_secs_f64()));
        lines.extend(labelled("", &format!("the slowest:{}", slowest.collect::<String>()), look));
    }
    lines
}

/// Running text after a label, with continuation lines indented.
pub(super) fn labelled(label: &str, text: &str, look: OutputStyle) -> Vec<String> {
    let indent = " ".repeat(LABEL);
    spelled(wrap(text, [&format!("{label:LABEL$}"), &indent], look.columns.min(COLUMNS)), look)
}

/// Sentences of which the first stands after the label.
fn all_labelled(label: &'static str, sentences: &[String], look: OutputStyle) -> Vec<String> {
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    labels.zip(sentences).flat_map(|(label, sentence)| labelled(label, sentence, look)).collect()
}

fn spelled(lines: Vec<String>, look: OutputStyle) -> Vec<String> {
    lines.into_iter().map(|line| look.spell(&line).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::protocol::Location;

    fn drawn(text: &[u8], line: u32, column: u32, length: u32) -> Vec<String> {
        draw_excerpt(&Excerpt::of(text, Some(Location { line, column, length })))
    }

    #[test]
    fn a_place_without_length_has_one_caret() {
        assert_eq!(drawn(b"E\n", 1, 2, 0), ["output.txt (2 bytes):", "  1 | E", "    |  ^", ""]);
    }

    #[test]
    fn a_long_file_says_how_much_of_it_is_shown() {
        let lines = drawn(&b"E c3 b4\n".repeat(120), 100, 1, 7);
        assert_eq!(lines[0], "output.txt (960 bytes, 10 of 120 lines):");
        assert_eq!((lines[1].as_str(), lines[7].as_str()), ("   95 | E c3 b4", "      | ^^^^^^^"));
        let lines = drawn(&[b'x'; 300], 1, 200, 1);
        assert_eq!(lines[1].chars().filter(|&c| c == '…').count(), 2);
        assert_eq!(lines[2].trim_start_matches(' '), format!("| {}^", " ".repeat(51)));
    }

    #[test]
    fn a_narrow_terminal_shows_the_place_at_fault() {
        let excerpt = Excerpt::of(&[b'x'; 90], Some(Location { line: 1, column: 60, length: 3 }));
        let look = OutputStyle::PLAIN.with_columns(40);
        let lines = drawn_excerpt("output.txt", &excerpt, look);
        assert_eq!(lines[1], format!("  1 | …{}…", "x".repeat(32)));
        assert_eq!(lines[2], format!("    | {}^^^", " ".repeat(11)));
    }
}
