//! Picking among moves that are told apart by their squares: checkers, Duo-Othello, Star and Circle.

use super::{Picking, Target};
use crate::human::notation::squares_of;
use crate::protocol::Game;

/// A legal move by its squares, and as it is written.
struct Play {
    squares: Vec<String>,
    text: String,
}

pub(super) fn picking<P: Game>(position: &P, picked: &[String]) -> Option<Picking> {
    let plays: Vec<Play> = position
        .moves()
        .into_iter()
        .map(|mv| position.write_move(mv))
        .map(|text| Play {
            squares: squares_of(&text),
            text,
        })
        .filter(|play| play.squares.starts_with(picked))
        .collect();
    if plays.is_empty() {
        return None;
    }
    let whole = plays.iter().find(|play| play.squares.len() == picked.len());
    Some(Picking {
        answer: whole.map(|play| play.text.clone()),
        targets: targets(&plays, picked.len()),
    })
}

/// What may be picked after `depth` squares: the next squares, then those that end just one of the plays further on.
fn targets(plays: &[Play], depth: usize) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for play in plays.iter().filter(|play| play.squares.len() > depth) {
        let square = &play.squares[depth];
        let is_whole = play.squares.len() == depth + 1;
        match targets.iter_mut().find(|target| target.square() == square) {
            Some(target) => {
                target.ends |= is_whole;
                target.goes_on |= !is_whole;
            }
            None => targets.push(Target {
                way: vec![square.clone()],
                ends: is_whole,
                goes_on: !is_whole,
            }),
        }
    }
    // Which piece it is comes first: before one is picked, the ends of its moves are no targets.
    if depth > 0 {
        let next = targets.len();
        for play in plays.iter().filter(|play| play.squares.len() > depth + 1) {
            let end = play.squares.last();
            let ways = plays.iter().filter(|other| other.squares.last() == end).count();
            let is_next = targets[..next]
                .iter()
                .any(|target| Some(target.square()) == end.map(String::as_str));
            if ways == 1 && !is_next {
                targets.push(Target {
                    way: play.squares[depth..].to_vec(),
                    ends: true,
                    goes_on: false,
                });
            }
        }
    }
    targets
}
