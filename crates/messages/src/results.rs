//! Results in sentences: verdicts, faults, close calls, scores. It judges nothing; every list, page and explanation
//! uses these sentences.

use referee_games::protocol::{Finding, Tolerance, counted, plain};
use referee_games::{DrawDecision, Ending, GameRef, Profile, Score, Side};
use referee_records::{
    AnswerRecord, AnswerVerdict, CloseCall, Draw, DrawAward, Fault, GameRecord, OtherClockResult, PerSide, TurnRecord,
    Verdict, WinReason,
};
use referee_seat::{Charge, Exceeded};
use referee_time::{CpuTime, WallTime};

/// The names of the two sides in a sentence: the agents' names with their colours.
#[derive(Clone, Debug)]
pub struct SideNames {
    sides: PerSide<String>,
    profile: &'static Profile,
}

impl SideNames {
    /// `black` and `white` are the recorded names of the agents; this escapes them.
    pub fn new(game: GameRef, black: &str, white: &str) -> Self {
        let called = |name: &str, side| format!("{} ({})", plain(name), game.profile().side(side).name);
        Self {
            sides: PerSide { black: called(black, Side::Black), white: called(white, Side::White) },
            profile: game.profile(),
        }
    }

    /// The sides by their colours alone.
    pub fn of_sides(game: GameRef) -> Self {
        let sides = PerSide::from_fn(|side| game.profile().side(side).name.to_owned());
        Self { sides, profile: game.profile() }
    }

    /// The names of a recorded game.
    pub fn of(record: &GameRecord) -> Self {
        Self::new(record.game, &record.players.black.name, &record.players.white.name)
    }

    /// The name of `side`.
    pub fn side(&self, side: Side) -> &str {
        self.sides.of(side)
    }
}

/// The result of a finished game in one line, for a list.
pub fn result_line(record: &GameRecord) -> String {
    let names = SideNames::of(record);
    let score = score(&record.verdict);
    let used = record.conditions.play_time;
    let used = PerSide::from_fn(|side| time_used(record, side).min(*used.of(side)));
    let flag = if record.close_calls.is_empty() { "" } else { "  close call" };
    format!(
        "{}  {} – {}  {score}  {}  [{}, {} s – {} s]{flag}",
        record.id,
        names.side(Side::Black),
        names.side(Side::White),
        verdict_sentence(&record.verdict, &names),
        counted(record.turns.len(), "turn"),
        clock(used.black),
        clock(used.white),
    )
}

/// `1-0` if black won, `0-1`, `½-½`.
pub const fn score(verdict: &Verdict) -> &'static str {
    match verdict.winner() {
        Some(Side::Black) => "1-0",
        Some(Side::White) => "0-1",
        None => "½-½",
    }
}

/// An answer in one line, for a list.
pub fn answer_line(record: &AnswerRecord) -> String {
    format!(
        "{}  {}  {}  [{} s]",
        record.id,
        plain(&record.agent.name),
        answer_sentence(&record.verdict),
        clock(record.charged),
    )
}

/// The result of an answer, as the end of a sentence about the agent.
pub fn answer_sentence(verdict: &AnswerVerdict) -> String {
    match verdict {
        AnswerVerdict::Legal { mv } => format!("legal: {}", board_words(mv)),
        AnswerVerdict::Equal => "as expected".to_owned(),
        AnswerVerdict::Different { lines } => match lines.as_slice() {
            [line] => format!("wrong: line {line} differs"),
            lines => {
                let numbers = lines.iter().map(ToString::to_string);
                format!("wrong: lines {} differ", first_few(numbers, MAX_LINES_NAMED))
            }
        },
        AnswerVerdict::Fault { fault } => fault_sentence(fault),
    }
}

/// At most `most` of some names, in a list.
pub fn first_few(names: impl IntoIterator<Item = String>, most: usize) -> String {
    let mut names = names.into_iter();
    let first: Vec<String> = names.by_ref().take(most).collect();
    format!("{}{}", first.join(", "), if names.next().is_some() { ", ..." } else { "" })
}

/// How many differing lines are named.
const MAX_LINES_NAMED: usize = 8;

fn time_used(record: &GameRecord, side: Side) -> CpuTime {
    record.turns.iter().filter(|turn| turn.side() == side).map(TurnRecord::charged).sum()
}

/// How `output.txt` was read in games of `game`, after the word `read`.
pub fn reading_words(tolerance: Tolerance, game: GameRef) -> String {
    let profile = game.profile();
    match (tolerance, profile.handout) {
        (Tolerance::Tolerant, Some(_)) if game.puzzles().is_some() => {
            "tolerating blanks at line ends and empty lines at the end".to_owned()
        }
        (Tolerance::Tolerant, Some(_)) => "tolerating blanks, line ends and letter case".to_owned(),
        // Nobody else knows what it tolerates.
        (Tolerance::Tolerant, None) => "by the rules program of the game".to_owned(),
        (Tolerance::Exact, _) => format!("in the exact format of {}", profile.described_by()),
    }
}

/// A time in seconds with two decimals.
pub fn clock(time: CpuTime) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// The end of a game on the board, in one sentence; a draw may still be awarded to a side.
pub fn ending_sentence(game: GameRef, ending: Ending) -> String {
    let names = SideNames::of_sides(game);
    match ending {
        Ending::Won { winner, by } => verdict_sentence(&Verdict::Won { winner, by: by.into() }, &names),
        Ending::Drawn(draw) => draw_words(&draw.into(), &names),
    }
}

/// The verdict of a game, in one sentence.
pub fn verdict_sentence(verdict: &Verdict, names: &SideNames) -> String {
    match verdict {
        Verdict::Won { winner, by } => format!("{} wins: {}", names.side(*winner), win_words(by, *winner, names)),
        Verdict::Drawn { by, decided } => format!("{}; {}", draw_words(by, names), decided_words(*decided, names)),
        Verdict::Forfeit { loser, fault } => format!("{} loses: {}", names.side(*loser), fault_sentence(fault)),
    }
}

fn win_words(by: &WinReason, winner: Side, names: &SideNames) -> String {
    let loser = names.side(winner.other());
    match by {
        WinReason::NoPieces => format!("{loser} has no piece left"),
        WinReason::NoMoves => format!("{loser} has no legal move"),
        WinReason::Goal { goal } => {
            let known = names.profile.goal(goal).map(|goal| goal.sentence.to_owned());
            known.unwrap_or_else(|| plain(goal))
        }
        WinReason::HigherScore { winner, loser } => format!("{} to {loser}", points(*winner)),
    }
}

fn draw_words(by: &Draw, names: &SideNames) -> String {
    match by {
        Draw::Blocked => "draw (neither side can move)".to_owned(),
        Draw::NoMoves => "draw (the side to move has no legal move)".to_owned(),
        Draw::EqualScores { each } => format!("draw ({} each)", points(*each)),
        Draw::Reason { reason } => {
            let known = names.profile.draw_reason(reason).map(|reason| reason.sentence.to_owned());
            format!("draw ({})", known.unwrap_or_else(|| plain(reason)))
        }
        Draw::IdleTurns { turns } => {
            let turns = counted(*turns as usize, "turn");
            format!("draw ({turns} without {})", names.profile.progress)
        }
        Draw::Repetition { times: 3 } => "draw (threefold repetition)".to_owned(),
        Draw::Repetition { times } => format!("draw (the same position {times} times)"),
        Draw::TurnLimit { turns } => format!("draw (turn limit of {turns})"),
    }
}

fn points(score: Score) -> String {
    let plural = if score == Score::from_halves(2) { "" } else { "s" };
    format!("{score} point{plural}")
}

fn decided_words(decided: DrawAward, names: &SideNames) -> String {
    let by_time = names.profile.draw_decisions.contains(&DrawDecision::Time);
    let even = if by_time { "equal time, " } else { "" };
    match decided {
        DrawAward::Time { winner, margin } => format!("{} wins on remaining time, by {margin} s", names.side(winner)),
        DrawAward::SecondMove { winner } => {
            format!("{even}{} wins for moving second", names.side(winner))
        }
        DrawAward::Pieces { winner, pieces, against } => {
            format!("{even}{} wins with {} to {against}", names.side(winner), counted(pieces as usize, "piece"))
        }
        DrawAward::Nobody => format!("{even}no winner"),
        DrawAward::NoClock => "no clock, no winner".to_owned(),
    }
}

/// An agent's fault, as the end of a sentence about it.
pub fn fault_sentence(fault: &Fault) -> String {
    match fault {
        Fault::OutOfMoveTime { limit, still_computing: true, .. } => {
            format!("over the time limit for a move (used all of its {limit} s and was still computing)")
        }
        Fault::OutOfMoveTime { limit, charged, .. } => {
            format!("over the time limit for a move (used {charged} s of {limit} s)")
        }
        Fault::OutOfTime { left, still_computing: true, .. } => {
            format!("out of time (used all of its {left} s and was still computing)")
        }
        Fault::OutOfTime { left, charged, .. } => format!("out of time (used {charged} s with {left} s left)"),
        Fault::NeverReturned { wall_limit } => {
            let hundredths = WallTime::from_millis(wall_limit.micros() / 10_000 * 10);
            format!("no answer within {hundredths} s of wall-clock time")
        }
        Fault::LimitExceeded { limit } => limit_words(limit),
        Fault::NotStarted { error } => format!("the program could not be started: {}", plain(error)),
        Fault::NoOutput { lookalike: None } => "no `output.txt`".to_owned(),
        Fault::NoOutput { lookalike: Some(name) } => {
            format!("no `output.txt` (found `{}`: the name must be all lower case)", plain(name))
        }
        Fault::NoAnswer => "no answer on standard output".to_owned(),
        Fault::Unasked { found } => format!("wrote to standard output before it was asked: {}", plain(found)),
        Fault::UnusableOutput { found } => format!("`output.txt` is {}", plain(found)),
        Fault::EmptyOutput => "`output.txt` is empty".to_owned(),
        Fault::WrongFormat { finding } => format!("wrong format: {}", finding_words(finding)),
        Fault::IllegalMove { finding } => format!("illegal move: {}", finding_words(finding)),
        Fault::Resigned => "resigned".to_owned(),
    }
}

fn limit_words(limit: &Exceeded) -> String {
    match limit {
        Exceeded::Memory { used_bytes, limit_bytes } => {
            format!("killed (used {} of memory, limit {})", mebibytes(*used_bytes), mebibytes(*limit_bytes))
        }
        Exceeded::Processes { used, limit } => {
            format!("killed ({used} simultaneous processes and threads, limit {limit})")
        }
        Exceeded::FileSize { limit_bytes } => {
            format!("killed (wrote a file larger than {})", mebibytes(*limit_bytes))
        }
        Exceeded::AnswerSize { limit_bytes } => {
            format!("killed (wrote more than {} KiB as one answer)", limit_bytes >> 10)
        }
        Exceeded::DirectorySize { used_bytes, limit_bytes } => {
            let [used, limit] = [used_bytes, limit_bytes].map(|bytes| mebibytes(*bytes));
            format!("killed ({used} in the working directory, limit {limit})")
        }
        Exceeded::DirectoryFiles { used: u64::MAX, .. } => {
            "killed (folders in the working directory are nested too deeply to be counted)".to_owned()
        }
        Exceeded::DirectoryFiles { used, limit } => {
            format!("killed ({used} files in the working directory, limit {limit})")
        }
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

fn finding_words(finding: &Finding) -> String {
    plain(&finding.to_string())
}

/// The reason to review a result, in one sentence.
pub fn close_call_sentence(call: &CloseCall, names: &SideNames) -> String {
    match call {
        CloseCall::OtherClock { charge, otherwise } => {
            let clock = match charge {
                Charge::Cpu => "with user and system time charged",
                Charge::User => "with only user time charged",
            };
            format!("{clock}, {}", otherwise_words(*otherwise, names))
        }
        CloseCall::WithinUncertainty { margin, uncertainty } => {
            format!("decided by {margin} s, within the meter's uncertainty of {uncertainty} s")
        }
        CloseCall::WithinNoise { margin, noise } => {
            format!("decided by {margin} s of CPU time, within this machine's noise of {noise} s")
        }
    }
}

fn otherwise_words(otherwise: OtherClockResult, names: &SideNames) -> String {
    match otherwise {
        OtherClockResult::GoesOn => "nobody would have run out of time".to_owned(),
        OtherClockResult::OutOfTime { loser, turn } => {
            format!("{} would have run out of time on turn {turn}", names.side(loser))
        }
        OtherClockResult::TooLate => "the answer would have come too late".to_owned(),
        OtherClockResult::DrawGoesTo { winner: Some(winner) } => {
            format!("the draw would have gone to {}", names.side(winner))
        }
        OtherClockResult::DrawGoesTo { winner: None } => "the draw would have had no winner".to_owned(),
    }
}

/// A move on one line: the jumps of a chain joined by `; `.
pub fn board_words(mv: &str) -> String {
    plain(&mv.replace('\n', "; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_told_by_time_where_time_decides() {
        let said = |decisions, decided| {
            let profile =
                Box::leak(Box::new(Profile { draw_decisions: decisions, ..*GameRef::all().next().unwrap().profile() }));
            let sides = PerSide::from_fn(|side| format!("{side:?}"));
            decided_words(decided, &SideNames { sides, profile })
        };
        let pieces = DrawAward::Pieces { winner: Side::White, pieces: 3, against: 2 };
        let by_time: &[_] = &[DrawDecision::Time, DrawDecision::Pieces];
        assert_eq!(said(by_time, DrawAward::Nobody), "equal time, no winner");
        assert_eq!(said(by_time, pieces), "equal time, White wins with 3 pieces to 2");
        assert_eq!(said(&[DrawDecision::Pieces], pieces), "White wins with 3 pieces to 2");
        assert_eq!(said(&[], DrawAward::Nobody), "no winner");
    }

    #[test]
    fn every_limit_says_what_was_found_and_what_was_allowed() {
        let cases = [
            (
                Exceeded::Memory { used_bytes: 2151 << 20, limit_bytes: 2 << 30 },
                "killed (used 2151 MiB of memory, limit 2048 MiB)",
            ),
            (
                Exceeded::Processes { used: 257, limit: 256 },
                "killed (257 simultaneous processes and threads, limit 256)",
            ),
            (Exceeded::FileSize { limit_bytes: 64 << 20 }, "killed (wrote a file larger than 64 MiB)"),
            (
                Exceeded::DirectorySize { used_bytes: 129 << 20, limit_bytes: 128 << 20 },
                "killed (129 MiB in the working directory, limit 128 MiB)",
            ),
            (
                Exceeded::DirectoryFiles { used: 8193, limit: 8192 },
                "killed (8193 files in the working directory, limit 8192)",
            ),
            (
                Exceeded::DirectoryFiles { used: u64::MAX, limit: 8192 },
                "killed (folders in the working directory are nested too deeply to be counted)",
            ),
        ];
        for (limit, expected) in cases {
            assert_eq!(limit_words(&limit), expected);
        }
    }
}
