//! The rules that end games: which rule a loss, a win or a draw follows from, its text, and its source.
//!
//! Gives a student the name of a rule, the rule in one sentence, and the section of the handout to read. Rules of all
//! games are here; rules of one game come with the finding or from the game's profile. It does not say what happened in
//! a particular game. The sentences follow RULES.md, which is normative. Called by [`super::explain`].

use std::borrow::Cow;

use serde::Serialize;

use referee_games::protocol::Finding;
use referee_games::protocol::rules::FORMAT;
use referee_games::{GameRef, Handout, HandoutSections, LEGALITY, Profile, RuleText, Section};
use referee_records::{Draw, DrawAward, Fault, Verdict, WinReason};

/// A rule, as shown to people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// A stable name for programs.
    pub rule: &'static str,
    /// Its name, lower case.
    pub name: &'static str,
    /// The rule as one sentence without a full stop.
    pub sentence: Cow<'static, str>,
    /// Its source: a section of the game's handout, or a decision of this referee.
    pub source: String,
}

impl Citation {
    /// The rule in the words of the game of `profile`.
    fn new(rule: RuleText, profile: &Profile) -> Self {
        Self {
            rule: rule.code,
            name: rule.name,
            sentence: Cow::Borrowed(rule.sentence),
            source: source(rule.section, profile),
        }
    }

    /// The rules by which a game of `game` ended; for a draw also the rule that awards it to a side.
    pub fn of_verdict(verdict: &Verdict, game: GameRef) -> Vec<Self> {
        let profile = game.profile();
        match verdict {
            Verdict::Forfeit { fault, .. } => vec![Self::new(broken_by(fault), profile)],
            Verdict::Won { by, .. } => vec![Self::new(won_by(by, profile), profile)],
            Verdict::Drawn { by, decided } => {
                vec![drawn_by(by, profile), Self::new(decided_by(*decided, profile), profile)]
            }
        }
    }
}

const REFEREES: &str = "a rule of this referee";
const OWN_RULE: &str = "a rule of this referee; the handout does not mention it";

fn source(section: Section, profile: &Profile) -> String {
    let (title, is_of_game): (fn(&HandoutSections) -> Option<&'static str>, bool) = match section {
        Section::Grading => (|handout| handout.grading, false),
        Section::Play => (|handout| handout.play, true),
        Section::Endings => (|handout| handout.endings, true),
        Section::Turns => (|handout| handout.turns, false),
        Section::Formats => (|handout| handout.formats, true),
        Section::Elsewhere(place) => return place.to_owned(),
        Section::Referee => (|_| None, false),
    };
    match &profile.handout {
        None if is_of_game => format!("the rules of {}", profile.title),
        None => REFEREES.to_owned(),
        Some(Handout::Untitled) if section != Section::Referee => "handout".to_owned(),
        Some(Handout::Untitled) => OWN_RULE.to_owned(),
        Some(Handout::Titled(sections)) => {
            title(sections).map_or_else(|| OWN_RULE.to_owned(), |title| format!("handout, \"{title}\""))
        }
    }
}

/// The rule that `fault` breaks.
fn broken_by(fault: &Fault) -> RuleText {
    match fault {
        Fault::OutOfTime { .. } => Section::Turns.rule(
            "play-time",
            "play time",
            "the CPU time of every run, including all threads and child processes, is subtracted from the agent's \
             play time; an agent that runs out of time loses, whatever it wrote",
        ),
        Fault::OutOfMoveTime { .. } => Section::Turns.rule(
            "move-time",
            "time for a move",
            "the CPU time of one move, including all threads and child processes, is limited; a longer move loses, \
             whatever was written",
        ),
        Fault::NeverReturned { .. } => Section::Turns.rule(
            "return-by-itself",
            "a run must end",
            "a program must answer, and exit unless it lives for the whole game, before its time is over; one that \
             does not, although it uses hardly any CPU time, is killed after a wall-clock timeout and loses",
        ),
        Fault::LimitExceeded { .. } => Section::Referee.rule(
            "limits",
            "limits",
            "an agent that is killed for exceeding a limit of memory, files or processes, without a valid answer, \
             loses",
        ),
        Fault::NotStarted { .. } => Section::Grading.rule(
            "runnable-program",
            "a program that runs",
            "the program must start, without arguments, on the machine that plays the games",
        ),
        Fault::NoOutput { .. } => Section::Grading.rule(
            "output-file",
            "an answer in `output.txt`",
            "every run must write a file with exactly this name, all lower case, to its current directory; the file \
             of an earlier run is removed",
        ),
        Fault::NoAnswer => Section::Referee.rule(
            "answer-to-each-question",
            "an answer to each question",
            "a program lives for the whole game: it answers each question on standard output with its move and an \
             empty line, flushes, and reads the next question; it ends only at the end of its input",
        ),
        Fault::Unasked { .. } => Section::Referee.rule(
            "nothing-unasked",
            "one answer to each question",
            "a program writes one answer to each question, and nothing else to standard output: what it writes \
             before its next question loses, unless it is blank",
        ),
        Fault::UnusableOutput { .. } => Section::Referee.rule(
            "ordinary-file",
            "a regular `output.txt`",
            "`output.txt` must be a regular file of at most 64 KiB, not a link or a directory",
        ),
        Fault::EmptyOutput => Section::Formats.rule(
            "answer-in-file",
            "an answer in `output.txt`",
            "`output.txt` must contain a move; an agent only runs when its side has a legal move",
        ),
        Fault::WrongFormat { finding } => broken(finding, FORMAT),
        Fault::IllegalMove { finding } => broken(finding, LEGALITY),
        Fault::Resigned => Section::Referee.rule(
            "resignation",
            "a person may resign",
            "a person who types `resign` loses; programs cannot resign",
        ),
    }
}

fn broken(finding: &Finding, otherwise: RuleText) -> RuleText {
    finding.rule.0.copied().unwrap_or(otherwise)
}

fn won_by(win: &WinReason, profile: &Profile) -> RuleText {
    let rule = match win {
        WinReason::NoPieces => profile.end_rules.no_pieces,
        WinReason::NoMoves => profile.end_rules.no_moves,
        WinReason::Goal { goal } => profile.goal(goal).map(|goal| goal.rule),
        WinReason::HigherScore { .. } => profile.end_rules.scores,
    };
    rule.copied().unwrap_or(ENDS)
}

fn drawn_by(draw: &Draw, profile: &Profile) -> Citation {
    let rule = match draw {
        Draw::Blocked => Section::Referee.rule(
            "nobody-can-move",
            "neither side can move",
            "a side without a legal move passes; if neither side has one, the game is a draw",
        ),
        Draw::NoMoves => profile.end_rules.no_moves.copied().unwrap_or(ENDS),
        Draw::EqualScores { .. } => profile.end_rules.scores.copied().unwrap_or(ENDS),
        Draw::Reason { reason } => profile.draw_reason(reason).map_or(ENDS, |reason| *reason.rule),
        Draw::IdleTurns { turns } => {
            let sentence = format!(
                "the game is a draw after {turns} consecutive turns, counting both sides, without {}",
                profile.progress
            );
            let rule = Section::Endings.rule("idle-turns", "turns without progress", "");
            return Citation { sentence: Cow::Owned(sentence), ..Citation::new(rule, profile) };
        }
        Draw::Repetition { .. } => Section::Endings.rule(
            "repetition",
            "repetition",
            "the game is a draw when the same position occurs for the third time",
        ),
        Draw::TurnLimit { .. } => Section::Referee.rule(
            "turn-limit",
            "the turn limit",
            "a game that is not over after a given number of turns is a draw",
        ),
    };
    Citation::new(rule, profile)
}

fn decided_by(decided: DrawAward, profile: &Profile) -> RuleText {
    match decided {
        DrawAward::Time { .. } => Section::Endings.rule(
            "more-time-wins",
            "draws are decided by remaining time",
            "a draw on the board is won by the side with more remaining play time",
        ),
        DrawAward::Pieces { .. } => Section::Endings.rule(
            "more-pieces-win",
            "more pieces win a draw",
            "a draw on the board that remaining time does not decide is won by the side with more pieces",
        ),
        DrawAward::SecondMove { .. } => profile.end_rules.second_move.copied().unwrap_or(ENDS),
        DrawAward::Nobody => {
            Section::Referee.rule("true-draw", "true draws", "a draw on the board that nothing decides has no winner")
        }
        DrawAward::NoClock => Section::Referee.rule(
            "draw-without-clock",
            "no clock",
            "without a clock for the person there are no times to compare, so a draw on the board is a draw",
        ),
    }
}

const ENDS: RuleText = Section::Play.rule("ends", "how the game ends", "the board has ended the game by its rules");

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::{Side, checkers, halma};

    #[test]
    fn a_citation_has_name_sentence_and_source() {
        let verdict = Verdict::Won { winner: Side::Black, by: WinReason::Goal { goal: "camp-filled".to_owned() } };
        let cited = &Citation::of_verdict(&verdict, halma::ID)[0];
        assert_eq!((cited.rule, cited.source.as_str()), ("camp-filled", "handout, \"Play sequence\""));
    }

    #[test]
    fn idle_turns_are_told_with_what_would_have_been_progress() {
        let verdict = Verdict::Drawn { by: Draw::IdleTurns { turns: 50 }, decided: DrawAward::Nobody };
        let cited = &Citation::of_verdict(&verdict, checkers::ID)[0];
        assert!(cited.sentence.ends_with("50 consecutive turns, counting both sides, without a capture or a crowning"));
    }
}
