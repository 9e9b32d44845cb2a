//! Explains why a game ended as it did, so that its loser understands the result without help.
//!
//! Everything there is to say about the end of a recorded game, in one value for terminals, pages and programs: the
//! rule's name, the answer with the place at fault marked, the legal moves, how the program ended, where the time went,
//! and hints. It does not contain the agents' names or the sentence of the verdict; `messages` words those. Called by
//! `messages`, `report`, `check` and `grading`.
//!
//! An explanation must follow from the record alone, so it is never stored. Every text in it must be harmless on a
//! terminal (a page still escapes it for HTML), except the verdict, which is the record's own. Only hints may be wrong.

mod citation;
mod clock;
mod process;
mod story;
mod time_story;

use serde::Serialize;

use citation::Citation;
pub use clock::{ClockHistory, TurnTime};
pub use process::ProcessEnd;
pub use time_story::{
    ClockStory, DrawByTime, TimeLoss, TimeStory, UselessTurn, UselessTurnReason, time_loss, time_story,
};

use self::story::{HINT_ON_UNASKED, LostRun, hint_on_crash, hint_on_no_output, hint_on_unfinished};
use super::verify::{Difference, judge_again};
use referee_games::protocol::{Excerpt, is_blank_text, plain};
use referee_games::{GameRef, Side, State};
use referee_records::{CloseCall, Fault, GameRecord, PerSide, TurnRecord, Verdict};
use referee_seat::{Charge, OutputFile, Protocol, Run};

/// How a recorded game ended, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The game's name within the run.
    pub id: String,
    /// The game and its rule set.
    #[serde(flatten)]
    pub game: GameRef,
    /// The verdict.
    pub verdict: Verdict,
    /// The turn on which it ended, counted from 1; 0 if the first board ended it.
    pub turn: usize,
    /// The final board, top row first; for a lost run, the board that it had to answer.
    pub board: Vec<String>,
    /// What stands beside the board, if anything.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The board before the last turn and its move, where that move ended the game.
    #[serde(skip)]
    pub last: Option<(Vec<String>, String)>,
    /// What happened at the end, one sentence each.
    pub happened: Vec<String>,
    /// The rules by which it ended, the decisive one first.
    pub citations: Vec<Citation>,
    /// The losing run, if a side lost by its own fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// The kind of time that was charged.
    pub charge: Charge,
    /// Both clocks.
    pub clocks: PerSide<ClockHistory>,
    /// Reasons to review the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<CloseCall>,
}

/// The run that lost the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forfeit {
    /// The loser.
    pub loser: Side,
    /// Its `output.txt` around the place at fault, if there is a readable one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Excerpt>,
    /// Possible causes and remedies, the likeliest first.
    pub hints: Vec<String>,
    /// The moves that it could have played.
    pub legal: LegalMoves,
    /// How its program ended.
    pub process: ProcessEnd,
    /// How it was asked, and answered.
    pub protocol: Protocol,
}

/// The legal moves of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMoves {
    /// Their number.
    pub count: usize,
    /// Some of them, at most [`Self::EXAMPLES`], as written, the jumps of a chain joined by `; `. Moves that share
    /// squares with the answer come first.
    pub examples: Vec<String>,
}

impl LegalMoves {
    /// The maximum length of [`Self::examples`].
    pub const EXAMPLES: usize = 5;
}

/// Explains the end of the game in `record`.
///
/// # Errors
///
/// The first [`Difference`] between the record and the rules; a record that verifies has none.
pub fn explain(record: &GameRecord) -> Result<Explanation, Difference> {
    let mut positions = Vec::new();
    let ongoing_game = judge_again(record, |ongoing_game| positions.push(ongoing_game.position().clone()))?;
    let position = ongoing_game.position();
    let lost = lost_run(record);
    let (happened, forfeit) = match lost {
        Some(lost) => (lost.sentences(), Some(forfeit(position, &lost))),
        None => (last_move(record).into_iter().collect(), None),
    };
    Ok(Explanation {
        id: plain(&record.id),
        game: record.game,
        verdict: record.verdict.clone(),
        turn: record.turns.len(),
        board: position.rows(),
        notes: position.notes(),
        last: record.turns.last().and_then(|turn| {
            let before = positions.iter().rev().nth(1)?;
            Some((before.rows(), turn.mv()?.to_owned()))
        }),
        happened,
        citations: Citation::of_verdict(ongoing_game.verdict().unwrap_or(&record.verdict), record.game),
        forfeit,
        charge: record.conditions.charge,
        clocks: PerSide::from_fn(|side| ClockHistory::of(record, side)),
        close_calls: record.close_calls.clone(),
    })
}

/// An explanation of a run that left no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingAnswer {
    /// How its program ended, with its last output.
    pub process: ProcessEnd,
    /// Possible causes and remedies, the likeliest first.
    pub hints: Vec<String>,
}

/// Explains why `run` left no answer, from the run alone, without a board.
pub fn explain_missing_answer(run: &Run) -> MissingAnswer {
    let of_file = match &run.output {
        OutputFile::Missing { lookalike } => hint_on_no_output(run, lookalike.as_deref()),
        OutputFile::Unfinished { .. } => hint_on_unfinished(run),
        OutputFile::Unasked { .. } => Some(HINT_ON_UNASKED.to_owned()),
        OutputFile::Content { .. }
        | OutputFile::NotAFile { .. }
        | OutputFile::TooLarge { .. }
        | OutputFile::Unreadable { .. } => None,
    };
    MissingAnswer { process: ProcessEnd::of(run), hints: hint_on_crash(run).into_iter().chain(of_file).collect() }
}

/// The run that lost the game, if one did.
fn lost_run(record: &GameRecord) -> Option<LostRun<'_>> {
    match (&record.verdict, record.turns.last()) {
        (Verdict::Forfeit { loser, fault }, Some(TurnRecord::Run { run, .. })) => {
            Some(LostRun { record, loser: *loser, fault, run })
        }
        (Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. }, _) => None,
    }
}

fn forfeit(position: &State, lost: &LostRun<'_>) -> Forfeit {
    // A resignation is not an answer with a place at fault.
    let text = answer_of(lost.run).filter(|_| *lost.fault != Fault::Resigned);
    Forfeit {
        loser: lost.loser,
        answer: text.map(|text| Excerpt::of(text, lost.fault.finding().and_then(|finding| finding.place))),
        hints: lost.hints(),
        legal: legal_moves(position, text.unwrap_or_default()),
        protocol: lost.protocol(),
        process: if lost.is_person() { ProcessEnd::of_a_person() } else { ProcessEnd::of(lost.run) },
    }
}

fn answer_of(run: &Run) -> Option<&[u8]> {
    match &run.output {
        OutputFile::Content { bytes } | OutputFile::Unasked { bytes } => Some(&bytes.0),
        OutputFile::Unfinished { bytes, .. } => Some(bytes.0.as_slice()).filter(|bytes| !is_blank_text(bytes)),
        OutputFile::Missing { .. }
        | OutputFile::NotAFile { .. }
        | OutputFile::TooLarge { .. }
        | OutputFile::Unreadable { .. } => None,
    }
}

fn legal_moves(position: &State, answer: &[u8]) -> LegalMoves {
    let answer = String::from_utf8_lossy(answer).to_lowercase();
    let answered: Vec<&str> = answer.split_ascii_whitespace().collect();
    let mut written: Vec<String> = position.moves();
    let count = written.len();
    // A legal move that shares a square or letter with the answer is more likely the intended one.
    let foreign = |mv: &String| {
        mv.split_ascii_whitespace().filter(|word| !answered.contains(&word.to_lowercase().as_str())).count()
    };
    written.sort_by_cached_key(foreign);
    written.truncate(LegalMoves::EXAMPLES);
    LegalMoves { count, examples: written.into_iter().map(|mv| mv.replace('\n', "; ")).collect() }
}

/// The last move and its side.
fn last_move(record: &GameRecord) -> Option<String> {
    let (turn, played) = (1..).zip(&record.turns).filter(|(_, played)| played.mv().is_some()).last()?;
    let (mv, side) = (played.mv()?.replace('\n', "; "), record.game.profile().side(played.side()).name);
    Some(format!("the last move was `{mv}`, played by {side} on turn {turn}"))
}
