//! Star and Circle: the handout's own evaluation, and the end of the game as often as it can be seen.

use super::Searched;
use super::node::{Node, mixed};
use crate::games::star_circle::{Move, RowValues, StarCircle};
use crate::games::{Position, Side};

impl Searched for StarCircle {
    type Node = StarCircleNode;
}

/// A position, with nothing more.
#[derive(Clone, Debug)]
pub struct StarCircleNode(StarCircle);

impl Node for StarCircleNode {
    type Position = StarCircle;

    const SLOTS: usize = 1 << 12;

    fn enter(position: &StarCircle) -> Self {
        Self(position.clone())
    }

    #[inline]
    fn position(&self) -> &StarCircle {
        &self.0
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.0.play_unchecked(mv);
    }

    fn pass(&mut self) {
        self.0.pass();
    }

    #[inline]
    fn key(&self) -> u64 {
        let [black, white, stacks] = self.0.words();
        mixed([black, white, stacks, self.0.side_to_move().index() as u64 + 1])
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        self.0.evaluate(self.0.side_to_move(), &RowValues::STANDARD)
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        let index =
            |square: crate::games::star_circle::Square| usize::from(square.row()) << 3 | usize::from(square.column());
        index(mv.from) << 6 | index(mv.to)
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        if mv.jumped().is_some() { 1000 } else { 0 }
    }

    /// Each piece moves a row at least.
    fn moves_left(&self) -> Option<u32> {
        let rows = Side::BOTH.map(|side| self.0.rows_to_go(side));
        Some(rows.iter().sum())
    }
}
