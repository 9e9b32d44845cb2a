//! Picking a move square by square: which squares may follow, and when a move is complete. Terminals and pages use it
//! through [`super::GameState`].
//!
//! A person picks the piece, then its destination, jump by jump or directly the final square. If several different
//! moves lead to that square, as chains of jumps may, they are picked jump by jump. A move that is a single square, or
//! a word such as `PASS`, is picked at once.
//!
//! Any sequence of offered targets must be a complete move, a prefix of one, or both.

use serde::Serialize;

/// The state of picking a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picking {
    /// The text of `output.txt` without a final LF, if the picked squares are a legal move.
    #[serde(rename = "answer")]
    pub answer: Option<String>,
    /// The next possible squares, without duplicates.
    pub targets: Vec<Target>,
}

/// A possible next square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The squares added by picking it: usually only itself; at the end of a chain of jumps, also the squares on the
    /// way.
    pub way: Vec<String>,
    /// Whether a legal move ends there.
    pub ends: bool,
    /// Whether a legal move goes on from there.
    pub goes_on: bool,
}

impl Target {
    /// The square itself.
    pub fn square(&self) -> &str {
        self.way.last().map_or("", String::as_str)
    }
}

/// More squares than anybody picks: a chain of jumps may go in circles.
pub(super) const MAX_PICKED: usize = 256;

/// A legal move by its squares, and as written.
struct PickedPlay<'a> {
    squares: Vec<String>,
    text: &'a str,
}

/// The state after picking these squares in order, for moves that are distinguishable by their squares; `None` if no
/// legal move begins with them.
pub(super) fn pick_among(moves: &[String], picked: &[String]) -> Option<Picking> {
    if picked.len() > MAX_PICKED {
        return None;
    }
    let plays = moves.iter().map(|text| PickedPlay { squares: moved_squares(text), text });
    let plays: Vec<PickedPlay<'_>> = plays.filter(|play| play.squares.starts_with(picked)).collect();
    if plays.is_empty() {
        return None;
    }
    let whole = plays.iter().find(|play| play.squares.len() == picked.len());
    Some(Picking { answer: whole.map(|play| play.text.to_owned()), targets: targets(&plays, picked.len()) })
}

/// The same where only moves that consist of squares are picked by them: any other, such as `drop 3`, is one target
/// with its whole text.
pub fn pick_squares_or_texts(
    moves: Vec<String>,
    picked: &[String],
    is_square: impl Fn(&str) -> bool,
) -> Option<Picking> {
    let (by_squares, by_text): (Vec<String>, Vec<String>) =
        moves.into_iter().partition(|text| moved_squares(text).iter().all(|name| is_square(name)));
    if let [text] = picked
        && by_text.contains(text)
    {
        return Some(Picking { answer: Some(text.clone()), targets: Vec::new() });
    }
    let Some(mut picking) = pick_among(&by_squares, picked) else {
        let is_first = picked.is_empty() && !by_text.is_empty();
        return is_first.then(|| Picking { answer: None, targets: texts(by_text) });
    };
    if picked.is_empty() {
        picking.targets.extend(texts(by_text));
    }
    Some(picking)
}

fn texts(moves: Vec<String>) -> Vec<Target> {
    moves.into_iter().map(|text| Target { way: vec![text], ends: true, goes_on: false }).collect()
}

/// The targets after `depth` squares: the next squares, then later squares that complete exactly one play.
fn targets(plays: &[PickedPlay<'_>], depth: usize) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for play in plays.iter().filter(|play| play.squares.len() > depth) {
        let square = &play.squares[depth];
        let is_whole = play.squares.len() == depth + 1;
        match targets.iter_mut().find(|target| target.square() == square) {
            Some(target) => {
                target.ends |= is_whole;
                target.goes_on |= !is_whole;
            }
            None => targets.push(Target { way: vec![square.clone()], ends: is_whole, goes_on: !is_whole }),
        }
    }
    // The piece comes first: before it is picked, the ends of its moves are no targets.
    if depth > 0 {
        let next = targets.len();
        for play in plays.iter().filter(|play| play.squares.len() > depth + 1) {
            let end = play.squares.last();
            let ways = plays.iter().filter(|other| other.squares.last() == end).count();
            let is_next = targets[..next].iter().any(|target| Some(target.square()) == end.map(String::as_str));
            if ways == 1 && !is_next {
                targets.push(Target { way: play.squares[depth..].to_vec(), ends: true, goes_on: false });
            }
        }
    }
    targets
}

/// The squares of a move written by `write_move`, in order: the piece and each landing square, or the single square of
/// a disk.
pub fn moved_squares(text: &str) -> Vec<String> {
    let mut squares = Vec::new();
    for line in text.lines() {
        let names: Vec<&str> = line.split([' ', '-']).filter(|word| !matches!(*word, "E" | "J")).collect();
        // Each jump starts where the previous one ended.
        let known = usize::from(!squares.is_empty());
        squares.extend(names.into_iter().skip(known).map(str::to_owned));
    }
    squares
}
