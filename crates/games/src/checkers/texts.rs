//! The texts of checkers: `E c3 b4`, or lines like `J f6 d4`. `protocol` calls it through [`Texts`].
//!
//! It maps the reasons of the rules to lines of the answer, and adds hints. The rules, and the tolerances common to all
//! games, are elsewhere.

use super::profile::PROFILE;
use super::reasons::SQUARE_NAMES;
use super::{Checkers, Move, Square};
use crate::protocol::finding::quote;
use crate::protocol::lines::FormatDeviations;
use crate::protocol::plays::{WrittenPlay, read_play};
use crate::protocol::respell::{WrittenSquare, listed, of_the_opponent, read_pair};
use crate::protocol::{Answer, InputText, Refusal, Texts, Tolerance};
use crate::{IllegalPlay, Play, Position, Profile, RuleText};

impl WrittenSquare for Square {
    const EXPECTED: &'static str = "a square from `a1` to `h8`";

    const NAMES: &'static RuleText = &SQUARE_NAMES;

    fn read(word: &[u8]) -> Option<Self> {
        Self::read(word)
    }

    fn misunderstood(word: &[u8]) -> Option<String> {
        if let Some(square) = exchanged(word) {
            return Some(format!("`{square}`? the column comes first, then the row"));
        }
        let (x, y) = read_pair(word)?;
        let square = Self::new(x, 7_u8.checked_sub(y)?)?;
        let written = quote(word);
        Some(format!("columns are letters: {written}, counted from 0 at the top left, is `{square}`"))
    }
}

impl Texts for Checkers {
    const PROFILE: &'static Profile = &PROFILE;

    const INPUT: InputText<Self> = InputText::PURPOSE_SIDE_TIME_BOARD;

    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Move>, Refusal> {
        let mut notes = FormatDeviations::new(tolerance);
        let WrittenPlay { play, places } = read_play(text, &mut notes)?;
        let mv = self.judge(&play).map_err(|IllegalPlay { hop, reason }| {
            Refusal::illegal(reason, places.get(hop).copied(), hint(self, &play))
        })?;
        Ok(notes.into_answer(mv, text, || self.write_move(mv)))
    }
}

/// The move on one line, jumps joined by `; `.
fn on_one_line(mv: Move) -> String {
    mv.to_string().replace('\n', "; ")
}

/// What to add to moves on one line: a chain in one line is a wrong format.
fn one_jump_a_line(moves: &str) -> &'static str {
    if moves.contains(';') { ", each jump on its own line" } else { "" }
}

fn exchanged(word: &[u8]) -> Option<Square> {
    let &[row, column] = word else {
        return None;
    };
    Square::read(&[column.to_ascii_lowercase(), row])
}

/// The maximum number of moves in a hint.
const MOVES_LISTED: usize = 4;

/// The right answer, if it is likely to help.
fn hint(position: &Checkers, play: &Play<Square>) -> Option<String> {
    if let Some((mv, mistake)) = misread(position, play) {
        let move_text = on_one_line(mv);
        return Some(format!("`{move_text}` would be legal{}: {mistake}", one_jump_a_line(&move_text)));
    }
    let legal = position.moves();
    let (one, several) = match play {
        Play::Jumps(_) if position.must_jump() => ("the whole chain is", "whole chains are"),
        Play::Step(_) | Play::Jumps(_) => ("write", "write one of"),
    };
    let meant = legal_moves_phrase(&continuing(&legal, play), one, several);
    let is_short = legal.len() <= MOVES_LISTED || (position.must_jump() && matches!(play, Play::Step(_)));
    meant
        .or_else(|| of_the_opponent(position, |theirs| theirs.judge(play).is_ok()))
        .or_else(|| legal_moves_phrase(&legal, "the only legal move is", "legal moves are").filter(|_| is_short))
}

/// The legal moves that begin with the hops of `play`.
fn continuing(legal: &[Move], play: &Play<Square>) -> Vec<Move> {
    let hops = play.hops();
    let continues = |mv: &Move| mv.hops().take(hops.len()).eq(hops.iter().copied());
    legal.iter().copied().filter(continues).collect()
}

/// The moves as written, after the phrase for one or for several.
fn legal_moves_phrase(moves: &[Move], one: &str, several: &str) -> Option<String> {
    let texts = moves.iter().copied().map(on_one_line);
    let texts = listed(texts.take(MOVES_LISTED));
    let lines = one_jump_a_line(&texts);
    match moves.len() {
        0 => None,
        1 => Some(format!("{one} {texts}{lines}")),
        2..=MOVES_LISTED => Some(format!("{several} {texts}{lines}")),
        all => Some(format!("{several} {texts} and {} more{lines}", all - MOVES_LISTED)),
    }
}

/// A legal move that results from reading the squares of `play` in another common way.
///
/// Counting rows from the top, as Duo-Othello does, exchanges dark and light squares, so a play that becomes legal is
/// hardly so by chance. Exchanging columns and rows keeps colours, so that may be chance: it comes second, and as a
/// question.
fn misread(position: &Checkers, play: &Play<Square>) -> Option<(Move, &'static str)> {
    let legal = |respelt: Option<Play<Square>>| position.judge(&respelt?).ok();
    let from_top = legal(play.respelt(|square| Some(square.upside_down())));
    if let Some(mv) = from_top {
        return Some((mv, "row 1 is at the bottom, row 8 at the top"));
    }
    let mv = legal(play.respelt(|square| Some(square.transposed())))?;
    Some((mv, "columns and rows swapped?"))
}
