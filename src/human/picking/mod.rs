//! Moves picked square by square: which squares may be picked next, and when a move is whole.
//!
//! A person picks the piece, then where it goes, jump by jump or at once the square where the move ends. Where that square
//! is reached on several ways that are different moves, as chains of checkers can be, the ways are picked jump by jump.
//! In Duo-Othello one square is a move.
//!
//! What must always hold: whatever was picked by way of the targets can be gone on with to a whole move, is one, or both.

mod halma;
mod tree;

use std::any::Any;

use serde::Serialize;

use crate::games::halma::Halma;
use crate::protocol::Game;

/// Where a person stands in picking a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picking {
    /// The text of `output.txt` without a final LF, if what was picked is a legal move.
    #[serde(rename = "answer")]
    pub answer: Option<String>,
    /// What may be picked next, none of it twice.
    pub targets: Vec<Target>,
}

/// A square that may be picked next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The squares that picking it adds: most often itself alone; those on the way to it, and then itself, where it ends a
    /// chain of jumps.
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

/// More squares than anybody picks: a chain of jumps may go round in circles.
const MOST_PICKED: usize = 256;

/// Where a person stands who has picked these squares, in this order; `None` where they begin no legal move.
pub(super) fn picking<P: Game>(position: &P, picked: &[String]) -> Option<Picking> {
    if picked.len() > MOST_PICKED {
        return None;
    }
    match (position as &dyn Any).downcast_ref::<Halma>() {
        // Its moves are pairs of squares, with more ways from one to the other than could be listed.
        Some(halma) => halma::picking(halma, picked),
        None => tree::picking(position, picked),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::games::{GameId, Position, halma};
    use crate::protocol::{GameVisitor, Tolerance};

    const GAMES: [GameId; 5] = [
        GameId::Checkers,
        GameId::Halma(halma::Rules::Addendum),
        GameId::Halma(halma::Rules::Original),
        GameId::DuoOthello,
        GameId::StarCircle,
    ];

    /// The position after random moves.
    fn after<P: Game>(choices: &[Index], rules: P::Rules) -> P {
        let mut position = P::start(rules);
        for choice in choices {
            match position.moves().as_slice() {
                [] => break,
                moves => position.play_unchecked(*choice.get(moves)),
            }
        }
        position
    }

    /// Whether the move that `text` stands for can be picked: its piece, then its end, or its squares one by one.
    fn is_within_reach<P: Game>(position: &P, text: &str) -> bool {
        let squares = crate::human::notation::squares_of(text);
        let one_by_one = (0..squares.len()).all(|depth| {
            let targets = picking(position, &squares[..depth]).map(|picking| picking.targets);
            targets.is_some_and(|targets| targets.iter().any(|target| target.square() == squares[depth]))
        });
        one_by_one && picking(position, &squares).is_some_and(|picking| picking.answer.as_deref() == Some(text))
    }

    struct EveryMove<'a>(&'a [Index]);

    impl GameVisitor for EveryMove<'_> {
        type Output = Result<(), String>;

        fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
            let position = after::<P>(self.0, rules);
            let mut written = position.moves().into_iter().map(|mv| position.write_move(mv));
            match written.find(|text| !is_within_reach(&position, text)) {
                Some(text) => Err(format!("{text:?} cannot be picked in {position:?}")),
                None => Ok(()),
            }
        }
    }

    struct EveryPick<'a>(&'a [Index], &'a [Index]);

    impl GameVisitor for EveryPick<'_> {
        type Output = Result<(), String>;

        fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
            let position = after::<P>(self.0, rules);
            let mut picked: Vec<String> = Vec::new();
            for choice in self.1 {
                let Some(Picking { answer, targets }) = picking(&position, &picked) else {
                    // Where there is no legal move, nothing can be picked.
                    assert!(
                        picked.is_empty() && position.moves().is_empty(),
                        "{picked:?} was offered"
                    );
                    return Ok(());
                };
                if let Some(answer) = &answer {
                    let read = position.read_output(answer.as_bytes(), Tolerance::Exact);
                    let read = read.map_err(|refusal| format!("{answer:?} is refused: {refusal:?}"))?;
                    assert!(position.is_legal(read.mv), "{answer:?} is not listed");
                }
                if targets.is_empty() {
                    assert!(answer.is_some(), "{picked:?} leads nowhere");
                    break;
                }
                let target = choice.get(&targets);
                picked.extend(target.way.iter().cloned());
                let then = picking(&position, &picked).ok_or_else(|| format!("{picked:?} was offered"))?;
                assert_eq!(then.answer.is_some(), target.ends, "{picked:?} in {position:?}");
                assert_eq!(!then.targets.is_empty(), target.goes_on, "{picked:?} in {position:?}");
            }
            Ok(())
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn every_legal_move_can_be_picked(choices: [Index; 90], length in 0_usize..90) {
            for game in GAMES {
                prop_assert_eq!(game.visit(EveryMove(&choices[..length])), Ok(()));
            }
        }

        #[test]
        fn every_complete_pick_is_a_legal_move(choices: [Index; 90], length in 0_usize..90, picks: [Index; 12]) {
            for game in GAMES {
                prop_assert_eq!(game.visit(EveryPick(&choices[..length], &picks)), Ok(()));
            }
        }
    }

    fn ways(picking: &Picking) -> Vec<(String, bool, bool)> {
        let way = |target: &Target| (target.way.join(" "), target.ends, target.goes_on);
        picking.targets.iter().map(way).collect()
    }

    fn picked(squares: &str) -> Vec<String> {
        squares.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_chain_of_checkers_is_picked_jump_by_jump_or_by_its_end() {
        let rows: [&[u8]; 8] = [
            b".b...b..",
            b"..b.b.b.",
            b"...b...b",
            b"..b.....",
            b".....w..",
            b"w.b.w...",
            b".w.....w",
            b"w...w...",
        ];
        let position = crate::games::checkers::Checkers::from_rows(&rows, crate::games::Side::White, ()).unwrap();
        let begun = picking(&position, &picked("b2")).unwrap();
        assert_eq!(begun.answer, None);
        assert_eq!(
            ways(&begun),
            [("d4".to_owned(), false, true), ("d4 b6 d8".to_owned(), true, false)]
        );
        let whole = picking(&position, &picked("b2 d4 b6 d8")).unwrap();
        assert_eq!(whole.answer.as_deref(), Some("J b2 d4\nJ d4 b6\nJ b6 d8"));
        assert_eq!(picking(&position, &picked("b2 c3")), None);
    }

    #[test]
    fn a_play_of_halma_may_end_on_the_way_or_go_on() {
        let start = Halma::start(halma::Rules::Original);
        let begun = picking(&start, &picked("3,0")).unwrap();
        assert!(ways(&begun).contains(&("5,0".to_owned(), true, true)), "{begun:?}");
        let landed = picking(&start, &picked("3,0 5,0")).unwrap();
        assert_eq!(landed.answer.as_deref(), Some("J 3,0 5,0"));
        assert_eq!(picking(&start, &picked("3,0 3,0")), None);
        assert_eq!(picking(&start, &picked("03,0 5,0")), None);
    }
}
