//! The texts of Halma: `x,y` squares counted from 0, `E` and `J` lines. `protocol` calls it through [`Texts`].
//!
//! It writes and parses them, and adds hints about misread notation. Legality is in [`crate::halma`], and
//! checkers shares the form of lines. Writing and parsing a move must give the same move without warning. A hint must
//! never name an illegal play.

use super::profile::PROFILE;
use super::reasons::{ADDENDUM_A, ADDENDUM_B, SQUARE_NAMES, STAY_IN_OPPOSING_CAMP};
use super::{Halma, Move, Rules, Square};
use crate::protocol::finding::{Finding, Location};
use crate::protocol::lines::FormatDeviations;
use crate::protocol::plays::read_play;
use crate::protocol::respell::{WrittenSquare, decimal_number, listed, of_the_opponent, pairs_in, read_pair};
use crate::protocol::{Answer, InputText, Refusal, Texts, Tolerance};
use crate::{IllegalPlay, Play, Position, Profile, RuleText, Violation};

/// The maximum number of plays in a hint.
const LISTED_PLAYS: usize = 4;

impl Texts for Halma {
    const PROFILE: &'static Profile = &PROFILE;

    const INPUT: InputText<Self> = InputText::PURPOSE_SIDE_TIME_BOARD;

    const VARIANTS: &'static [(&'static str, Rules)] = &[("addendum", Rules::Addendum), ("original", Rules::Original)];

    /// Writes a shortest play. A pair of squares without any play is written as a step, which `read_output` refuses.
    fn write_move(&self, mv: Move) -> String {
        self.path(mv).unwrap_or(Play::Step(mv)).to_string()
    }

    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Move>, Refusal> {
        let mut notes = FormatDeviations::new(tolerance);
        let written = read_play(text, &mut notes)?;
        let mv = self.judge(&written.play).map_err(|IllegalPlay { hop, reason }| {
            let hint = hint(self, &written.play, &reason);
            Refusal::illegal(reason, written.places.get(hop).copied(), hint)
        })?;
        if mv.from == mv.to {
            notes.remark(returns_to_start(mv.to, written.places.last()));
        }
        Ok(Answer { mv, written: self.as_played(text, &written.play, mv, &notes), warnings: notes.into_warnings() })
    }
}

/// The maximum number of jumps without repeating a square: a chain stays in a quarter of the board.
const LONGEST_CHAIN: usize = 64;

impl Halma {
    /// `play`, which makes `mv` and was parsed from `text`, in the exact format. A longer chain repeats squares, as
    /// long as a hostile agent likes; a shortest play represents it.
    fn as_played(&self, text: &[u8], play: &Play<Square>, mv: Move, notes: &FormatDeviations) -> String {
        if play.hops().len() > LONGEST_CHAIN {
            return self.write_move(mv);
        }
        notes.exact(text).unwrap_or_else(|| play.to_string())
    }
}

impl WrittenSquare for Square {
    const EXPECTED: &'static str = "a square from `0,0` to `15,15`";

    const NAMES: &'static RuleText = &SQUARE_NAMES;

    fn read(word: &[u8]) -> Option<Self> {
        let (x, y) = read_pair(word)?;
        Self::new(x, y)
    }

    fn find_all(text: &str) -> Vec<Self> {
        pairs_in(text).into_iter().filter_map(|(x, y)| Self::new(x, y)).collect()
    }

    fn unusable(text: &str) -> Option<String> {
        decimal_number(text)
    }

    fn misunderstood(word: &[u8]) -> Option<String> {
        let is_lettered = matches!(word, [b'a'..=b'p' | b'A'..=b'P', number @ ..]
            if !number.is_empty() && number.iter().all(u8::is_ascii_digit));
        let hint = "squares have no letters: they are `x,y`, counted from 0, with `0,0` at the top left";
        is_lettered.then(|| hint.to_owned())
    }
}

fn returns_to_start(square: Square, place: Option<&Location>) -> Finding {
    let message = format!("the chain ends on `{square}`, where it began: the board stays as it was");
    Finding::new("returns-to-start", message).at(place.copied())
}

fn hint(halma: &Halma, play: &Play<Square>, broken: &Violation) -> Option<String> {
    if broken.code.starts_with("must-") {
        return allowed(halma);
    }
    let is_of_the_camps = [&ADDENDUM_A, &ADDENDUM_B, &STAY_IN_OPPOSING_CAMP].contains(&broken.rule);
    meant(halma, play)
        .filter(|_| !is_of_the_camps)
        .or_else(|| of_the_opponent(halma, |theirs| theirs.judge(play).is_ok()))
}

/// The first few plays that the camp rules allow.
fn allowed(halma: &Halma) -> Option<String> {
    let moves = halma.moves();
    let first = moves.iter().take(LISTED_PLAYS).map(|&mv| quoted_move(halma, mv));
    let first = listed(first);
    match moves.len() {
        0 => None,
        1..=LISTED_PLAYS => Some(format!("allowed: {first}")),
        more => Some(format!("allowed: {first} and {} more", more - LISTED_PLAYS)),
    }
}

/// The legal play that was probably meant.
fn meant(halma: &Halma, play: &Play<Square>) -> Option<String> {
    let claimed = Move { from: play.hops().first()?.from, to: play.hops().last()?.to };
    if halma.is_legal(claimed) {
        let right = quoted_move(halma, claimed);
        return Some(format!("from `{}` to `{}` is `{right}`", claimed.from, claimed.to));
    }
    let legal = |respelt: Option<Play<Square>>| {
        let mv = halma.judge(&respelt?).ok()?;
        (mv.from != mv.to).then(|| quoted_move(halma, mv))
    };
    if let Some(right) = legal(play.respelt(|square| Square::new(square.y(), square.x()))) {
        return Some(format!("written `y,x`? squares are `x,y`: `{right}` would be legal"));
    }
    let right = legal(play.respelt(|square| square.offset(-1, -1)))?;
    Some(format!("counted from 1? squares count from 0: `{right}` would be legal"))
}

/// A move in one line, jumps joined by `; `.
fn quoted_move(halma: &Halma, mv: Move) -> String {
    halma.write_move(mv).replace('\n', "; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_no_play_makes_is_written_so_that_it_is_refused() {
        let start = Halma::start(Rules::Addendum);
        let square = |x, y| Square::new(x, y).unwrap();
        let mv = Move { from: square(0, 0), to: square(8, 8) };
        assert_eq!(start.write_move(mv), "E 0,0 8,8");
        assert!(start.read_output(b"E 0,0 8,8", Tolerance::Exact).is_err());
    }
}
