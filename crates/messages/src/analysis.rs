//! The analysis of a game in words: which move lost it on the board, and what would have been better.
//!
//! It computes no values ([`GameAnalysis`] has them). A game that was lost by a fault or on the clock has no decisive
//! mistake: of it, only the state of the board at the end is told. Only what the search has proved is called proved.

use serde::Serialize;

use super::last_move::{LastMove, SquareChange};
use super::results::{SideNames, board_words};
use referee_games::protocol::{Tolerance, counted};
use referee_games::{Ending, ProvedResult, Side, State, Status};
use referee_records::{Confirmation, Draw, GameAnalysis, GameRecord, TurnAnalysis, ValuedMove, Verdict};

/// What a move must give up of the expected score to be named in a game that was lost gradually.
const NOTABLE_LOSS: f64 = 0.05;

/// How many moves of such a game are named.
const MAX_NAMED: usize = 3;

/// What the analysis of a finished game says about its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnalysisWords {
    /// Sentences without a full stop, the most important one first; empty if there is nothing to say.
    pub sentences: Vec<String>,
    /// The turn of the decisive mistake, counted from 1, if the game was lost on the board by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisive_turn: Option<usize>,
}

impl AnalysisWords {
    /// The words about the game of `record`, with the `positions` before its first turn and after each turn.
    pub fn of(record: &GameRecord, positions: &[State], analysis: &GameAnalysis, names: &SideNames) -> Self {
        let Some(loser) = record.verdict.loser_on_board() else {
            return Self { sentences: standing(&record.verdict, analysis, names), decisive_turn: None };
        };
        let Some(index) = analysis.decisive_mistake(loser) else {
            return Self { sentences: gradual_loss(analysis, loser, names), decisive_turn: None };
        };
        let mut sentences = mistake_sentence(index, analysis, positions, names);
        let confirmation = analysis.confirmation.filter(|confirmation| confirmation.turn == index + 1);
        sentences.extend(confirmation.map(|confirmation| confirmation_sentence(&confirmation)));
        Self { sentences, decisive_turn: Some(index + 1) }
    }
}

/// The mark of a turn with the better move, for one line beside the turn; `None` without a mark.
pub fn mark_words(turn: &TurnAnalysis) -> Option<String> {
    let word: &str = turn.mark?.into();
    let (best, played) = (turn.best.as_ref()?, turn.played.as_ref()?);
    if best.mv == played.mv {
        // The longer search has taken the shorter one's reproach back.
        return Some(format!("{word}: a longer search finds no better move"));
    }
    Some(format!("{word}: {}; better was `{}`", fall_words(turn)?, board_words(&best.mv)))
}

/// An expected score, with two decimals.
pub fn score_words(expected: f64) -> String {
    format!("{expected:.2}")
}

/// `expected score from 0.82 to 0.31`
fn fall_words(turn: &TurnAnalysis) -> Option<String> {
    let [best, played] = [turn.best.as_ref()?, turn.played.as_ref()?].map(|mv| score_words(mv.expected));
    Some(format!("expected score from {best} to {played}"))
}

/// The sentence about the mistake of the turn at `index`; empty if the analysis does not say what was played.
fn mistake_sentence(index: usize, analysis: &GameAnalysis, positions: &[State], names: &SideNames) -> Vec<String> {
    let turn = &analysis.turns[index];
    let (Some(best), Some(played)) = (&turn.best, &turn.played) else {
        return Vec::new();
    };
    let reason = positions.get(index).and_then(|before| reason(before, best, played));
    let (what, without_reason) = given_up(best, played);
    let better = board_words(&best.mv);
    let better = match (reason, without_reason) {
        (Some(reason), _) => format!("`{better}` {reason}"),
        (None, Some(does)) => format!("`{better}` {does}"),
        (None, None) => format!("better was `{better}`"),
    };
    let proved = if best.proved.is_some() { " (proved)" } else { "" };
    let played = board_words(&played.mv);
    vec![format!("turn {}, `{played}` by {}, {what}: {better}{proved}", index + 1, names.side(turn.side))]
}

/// What the mistake gave up, and what the better move does where it has no other reason.
fn given_up(best: &ValuedMove, played: &ValuedMove) -> (String, Option<&'static str>) {
    let [before, after] = [best, played].map(|mv| score_words(mv.expected));
    match (best.proved, played.proved) {
        (Some(ProvedResult::Win), _) => ("gave up a won game".to_owned(), Some("wins")),
        (Some(ProvedResult::Draw), _) => ("gave up a drawn game".to_owned(), Some("holds the draw")),
        (Some(ProvedResult::Loss) | None, Some(ProvedResult::Loss)) => {
            (format!("turned an expected score of {before} into a lost game (proved)"), None)
        }
        (Some(ProvedResult::Loss) | None, Some(ProvedResult::Draw)) => {
            (format!("turned an expected score of {before} into a draw (proved)"), None)
        }
        (Some(ProvedResult::Loss) | None, Some(ProvedResult::Win) | None) => {
            (format!("let its expected score fall from {before} to {after} (not proved)"), None)
        }
    }
}

/// Why the better move is better, if that can be seen at once: it wins, or captures more.
fn reason(before: &State, best: &ValuedMove, played: &ValuedMove) -> Option<String> {
    let next = before.judge(best.mv.as_bytes(), Tolerance::Exact).ok()?.next;
    if wins_at_once(&next, before.side_to_move()) {
        return Some("wins at once".to_owned());
    }
    let captured = captured_by(before, best)?;
    let more = captured > captured_by(before, played).unwrap_or_default();
    more.then(|| format!("captures {}", counted(captured as usize, "piece")))
}

fn wins_at_once(next: &State, mover: Side) -> bool {
    match next.status() {
        Status::Over(Ending::Won { winner, .. }) => winner == mover,
        Status::Over(Ending::Drawn(_)) | Status::ToMove | Status::MustPass => false,
    }
}

/// How many pieces the other side loses by `mv`; a piece that only changes its colour is not captured.
fn captured_by(before: &State, mv: &ValuedMove) -> Option<u32> {
    let next = before.judge(mv.mv.as_bytes(), Tolerance::Exact).ok()?.next;
    if LastMove::of(before.game(), &before.rows(), &next.rows(), &mv.mv).has(SquareChange::Turned) {
        return Some(0);
    }
    let other = before.side_to_move().other();
    Some(before.pieces(other).saturating_sub(next.pieces(other)))
}

fn confirmation_sentence(confirmation: &Confirmation) -> String {
    let Confirmation { pairs, after_best, after_played, .. } = confirmation;
    format!(
        "in continued games, from the better move it scored {after_best} of {pairs}, from the one played \
         {after_played} of {pairs}"
    )
}

/// The sentence about a game that no single mistake has lost; empty if nothing was analyzed.
fn gradual_loss(analysis: &GameAnalysis, loser: Side, names: &SideNames) -> Vec<String> {
    if last_value(analysis).is_none() {
        return Vec::new();
    }
    let head = format!("{} lost gradually: no single move is surely the one that lost the game", names.side(loser));
    let losses = greatest_losses(analysis, loser);
    if losses.is_empty() {
        return vec![head];
    }
    vec![format!("{head}; its greatest losses: {}", losses.join(", "))]
}

/// The moves of `loser` that gave up the most, in the order of the game.
fn greatest_losses(analysis: &GameAnalysis, loser: Side) -> Vec<String> {
    let turns = (1..).zip(&analysis.turns);
    let mut notable: Vec<(usize, &TurnAnalysis)> =
        turns.filter(|(_, turn)| turn.side == loser && turn.loss() >= NOTABLE_LOSS).collect();
    notable.sort_by(|(_, a), (_, b)| b.loss().total_cmp(&a.loss()));
    notable.truncate(MAX_NAMED);
    notable.sort_by_key(|(number, _)| *number);
    notable.into_iter().filter_map(|(number, turn)| loss_words(number, turn)).collect()
}

/// ``turn 12, `E c3 d4` (0.61 to 0.49, unclear)``
fn loss_words(number: usize, turn: &TurnAnalysis) -> Option<String> {
    let (best, played) = (turn.best.as_ref()?, turn.played.as_ref()?);
    let mark = turn.mark.map(|mark| format!(", {}", <&str>::from(mark)));
    let [before, after] = [best, played].map(|mv| score_words(mv.expected));
    Some(format!("turn {number}, `{}` ({before} to {after}{})", board_words(&played.mv), mark.unwrap_or_default()))
}

/// How the board stood at the end of a game that it did not decide; empty if it was an end on the board.
fn standing(verdict: &Verdict, analysis: &GameAnalysis, names: &SideNames) -> Vec<String> {
    let Some((side, last)) = last_value(analysis).filter(|_| is_cut_off(verdict)) else {
        return Vec::new();
    };
    let (better, expected) =
        if last.expected < 0.5 { (side.other(), 1.0 - last.expected) } else { (side, last.expected) };
    let name = names.side(better);
    vec![match last.proved {
        Some(ProvedResult::Draw) => "on the board it stood at a draw (proved)".to_owned(),
        Some(ProvedResult::Win | ProvedResult::Loss) => format!("on the board it was won for {name} (proved)"),
        None if expected < 0.505 => "on the board it stood even".to_owned(),
        None => format!("on the board it stood at {} for {name}", score_words(expected)),
    }]
}

/// Whether the game ended although the board was undecided.
const fn is_cut_off(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Won { .. } => false,
        Verdict::Forfeit { .. } => true,
        Verdict::Drawn { by, .. } => match by {
            Draw::IdleTurns { .. } | Draw::Repetition { .. } | Draw::TurnLimit { .. } => true,
            Draw::Blocked | Draw::NoMoves | Draw::EqualScores { .. } | Draw::Reason { .. } => false,
        },
    }
}

/// The value of the last position, with the side that it is told for: that of the last move, or of the best one where
/// none was made.
fn last_value(analysis: &GameAnalysis) -> Option<(Side, &ValuedMove)> {
    let mut turns = analysis.turns.iter().rev();
    turns.find_map(|turn| Some((turn.side, turn.played.as_ref().or(turn.best.as_ref())?)))
}
