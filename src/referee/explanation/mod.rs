//! Why a game ended as it did, so that the one who lost it understands it alone.
//!
//! For: everything there is to say about the end of a recorded game, in one value that a terminal, a page or a program
//! can show: the rule by its name, the answer with the place at fault marked, what would have been legal, how the
//! program ended, where the time went, and hints. Deliberately not here: names of agents, and the sentence of the
//! verdict itself, which are worded with the results.
//!
//! What must always hold: an explanation follows from the record alone, so it is never stored; every text in it is
//! harmless on a terminal (a page still escapes it for HTML), but for the verdict, which is the record's own; a hint
//! may be wrong, but nothing else.

mod citation;
mod clock;
mod process;
mod story;

use serde::Serialize;

pub use citation::Citation;
pub use clock::{ClockCourse, TurnTime};
pub use process::ProcessEnd;

use self::story::{LostRun, hint_on_crash, hints_on_no_output};
use super::verify::{Difference, judge_again};
use crate::games::{GameId, Side, State};
use crate::protocol::{Excerpt, Location, plain};
use crate::records::{CloseCall, Fault, GameRecord, PerSide, TurnRecord, Verdict};
use crate::seat::{Charge, OutputFile, Run};

/// How a recorded game ended, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The game's name within its run.
    pub id: String,
    /// The game and its rule set.
    #[serde(flatten)]
    pub game: GameId,
    /// How it ended.
    pub verdict: Verdict,
    /// The turn on which it ended, from 1; 0 where the first board ended it.
    pub turn: usize,
    /// The board at the end, top row first: of a lost run, the board that it had to answer.
    pub board: Vec<String>,
    /// What happened at the end, sentence by sentence.
    pub happened: Vec<String>,
    /// The rules by which it ended, the one that ended it first.
    pub citations: Vec<Citation>,
    /// What is left to say where a side has lost by its own fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// Which time was charged.
    pub charge: Charge,
    /// Both clocks.
    pub clocks: PerSide<ClockCourse>,
    /// Why the result deserves a second look.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<CloseCall>,
}

/// The run by which a side has lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forfeit {
    /// Who has lost.
    pub loser: Side,
    /// Its `output.txt` around the place at fault, where it left one that could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Excerpt>,
    /// What may have been the cause, or may help, the likeliest first.
    pub hints: Vec<String>,
    /// What it could have answered.
    pub legal: LegalMoves,
    /// How its program ended.
    pub process: ProcessEnd,
}

/// The legal moves of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMoves {
    /// How many there are.
    pub count: usize,
    /// Some of them, at most [`Self::EXAMPLES`], as they are written, the jumps of a chain joined by `; `. Those that
    /// have squares in common with the answer come first.
    pub examples: Vec<String>,
}

impl LegalMoves {
    /// The most examples.
    pub const EXAMPLES: usize = 5;
}

/// Explains how the game of `record` ended.
///
/// # Errors
///
/// The first [`Difference`] between the record and the rules; a record that verifies has none.
pub fn explain(record: &GameRecord) -> Result<Explanation, Difference> {
    let ongoing_game = judge_again(record, |_| ())?;
    let position = ongoing_game.position();
    let lost = lost_run(record);
    let (happened, forfeit) = match lost {
        Some(lost) => (lost.happened(), Some(forfeit(position, &lost))),
        None => (last_move(record).into_iter().collect(), None),
    };
    Ok(Explanation {
        id: plain(&record.id),
        game: record.game,
        verdict: record.verdict.clone(),
        turn: record.turns.len(),
        board: position.rows(),
        happened,
        citations: Citation::behind(ongoing_game.verdict().unwrap_or(&record.verdict), record.game),
        forfeit,
        charge: record.conditions.charge,
        clocks: PerSide::from_fn(|side| ClockCourse::of(record, side)),
        close_calls: record.close_calls.clone(),
    })
}

/// What a run that left no answer has to tell, whatever it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingAnswer {
    /// How its program ended, with its last words.
    pub process: ProcessEnd,
    /// What may have been the cause, or may help, the likeliest first.
    pub hints: Vec<String>,
}

/// Explains why `run` left no answer, where that is all that is known of it: there is no board to look at.
pub fn explain_missing_answer(run: &Run) -> MissingAnswer {
    let of_file = match &run.output {
        OutputFile::Missing { lookalike } => hints_on_no_output(run, lookalike.as_deref()),
        OutputFile::Content { .. }
        | OutputFile::NotAFile { .. }
        | OutputFile::TooLarge { .. }
        | OutputFile::Unreadable { .. } => Vec::new(),
    };
    MissingAnswer {
        process: ProcessEnd::of(run),
        hints: hint_on_crash(run).into_iter().chain(of_file).collect(),
    }
}

/// The run that lost the game, if that is how it ended.
fn lost_run(record: &GameRecord) -> Option<LostRun<'_>> {
    match (&record.verdict, record.turns.last()) {
        (Verdict::Forfeit { loser, fault }, Some(TurnRecord::Run { run, .. })) => Some(LostRun {
            record,
            loser: *loser,
            fault,
            run,
        }),
        (Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. }, _) => None,
    }
}

fn forfeit(position: &State, lost: &LostRun<'_>) -> Forfeit {
    // The word of a person who resigned is no answer with a place at fault.
    let text = answer_of(lost.run).filter(|_| *lost.fault != Fault::Resigned);
    Forfeit {
        loser: lost.loser,
        answer: text.map(|text| Excerpt::of(text, place_of(lost.fault))),
        hints: lost.hints(),
        legal: legal_moves(position, text.unwrap_or_default()),
        process: if lost.is_person() {
            ProcessEnd::of_a_person()
        } else {
            ProcessEnd::of(lost.run)
        },
    }
}

fn answer_of(run: &Run) -> Option<&[u8]> {
    match &run.output {
        OutputFile::Content { bytes } => Some(&bytes.0),
        OutputFile::Missing { .. }
        | OutputFile::NotAFile { .. }
        | OutputFile::TooLarge { .. }
        | OutputFile::Unreadable { .. } => None,
    }
}

fn place_of(fault: &Fault) -> Option<Location> {
    match fault {
        Fault::WrongFormat { finding } | Fault::IllegalMove { finding } => finding.place,
        Fault::OutOfTime { .. }
        | Fault::OutOfMoveTime { .. }
        | Fault::NeverReturned { .. }
        | Fault::LimitExceeded { .. }
        | Fault::NotStarted { .. }
        | Fault::NoOutput { .. }
        | Fault::UnusableOutput { .. }
        | Fault::EmptyOutput
        | Fault::Resigned => None,
    }
}

fn legal_moves(position: &State, answer: &[u8]) -> LegalMoves {
    let answer = String::from_utf8_lossy(answer).to_lowercase();
    let answered: Vec<&str> = answer.split_ascii_whitespace().collect();
    let mut written: Vec<String> = position.moves();
    let count = written.len();
    // A square or a letter of the answer that a legal move has, too, makes it likelier that this one was meant.
    let foreign = |mv: &String| {
        mv.split_ascii_whitespace()
            .filter(|word| !answered.contains(&word.to_lowercase().as_str()))
            .count()
    };
    written.sort_by_cached_key(foreign);
    written.truncate(LegalMoves::EXAMPLES);
    LegalMoves {
        count,
        examples: written.into_iter().map(|mv| mv.replace('\n', "; ")).collect(),
    }
}

/// The move after which the game was over, and whose it was.
fn last_move(record: &GameRecord) -> Option<String> {
    let moved = |(index, turn): (usize, &TurnRecord)| match turn {
        TurnRecord::Run { side, mv: Some(mv), .. } => Some((index + 1, *side, mv.replace('\n', "; "))),
        TurnRecord::Run { .. } | TurnRecord::Pass { .. } => None,
    };
    let (turn, side, mv) = record.turns.iter().enumerate().rev().find_map(moved)?;
    Some(format!(
        "the last move was `{mv}`, played by `{}` on turn {turn}",
        record.game.profile().side(side).word
    ))
}
