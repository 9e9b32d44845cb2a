//! Openings: the first plies of a game, drawn by lot, so that agents without chance do not play one game again and again.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::{GameId, Side, Status};
use crate::protocol::{Game, GameVisitor};

/// The board that a game begins with, and whose turn it is then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The board, top row first.
    pub rows: Vec<String>,
    /// Who has the first turn.
    pub first: Side,
}

/// How often an opening is drawn anew that ends the game or leaves somebody without a move.
const ATTEMPTS: u32 = 1000;

/// The opening of `plies` random plies that belongs to `lot`, in a game in which `first` begins. `None` where there is
/// nothing to draw: for no plies, and where a game of so many random plies is as good as never still open.
///
/// In what is played from it, the side to move has a legal move. The same lot gives the same opening for ever.
pub fn opening(game: GameId, first: Side, plies: u32, lot: u64) -> Option<Opening> {
    if plies == 0 {
        return None;
    }
    game.visit(Drawing { first, plies, lot })
}

struct Drawing {
    first: Side,
    plies: u32,
    lot: u64,
}

impl GameVisitor for Drawing {
    type Output = Option<Opening>;

    fn visit<P: Game>(self, rules: P::Rules) -> Option<Opening> {
        let mut chance = ChaCha8Rng::seed_from_u64(self.lot);
        let start = P::start(rules).with_side_to_move(self.first);
        (0..ATTEMPTS).find_map(|_| {
            let mut position = start.clone();
            for _ in 0..self.plies {
                play_at_random(&mut position, &mut chance)?;
            }
            (position.status() == Status::ToMove).then(|| Opening {
                rows: position.rows(),
                first: position.side_to_move(),
            })
        })
    }
}

/// Plays one ply; `None` where the game is over.
fn play_at_random<P: Game>(position: &mut P, chance: &mut impl Rng) -> Option<()> {
    match position.status() {
        Status::ToMove => position.play_unchecked(*position.moves().choose(chance)?),
        Status::MustPass => position.pass(),
        Status::Over(_) => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::halma::Rules;

    const GAMES: [GameId; 4] = [
        GameId::Checkers,
        GameId::Halma(Rules::Addendum),
        GameId::DuoOthello,
        GameId::StarCircle,
    ];

    proptest! {
        #[test]
        fn an_opening_belongs_to_its_lot_and_can_be_gone_on_with(game in 0..GAMES.len(), plies in 1_u32..12, lot: u64) {
            let game = GAMES[game];
            let drawn = opening(game, Side::White, plies, lot);
            prop_assert_eq!(&drawn, &opening(game, Side::White, plies, lot));
            let drawn = drawn.expect("so few plies end no game");
            let by_turns = if plies % 2 == 0 { Side::White } else { Side::Black };
            // A pass within the opening is a ply, too.
            prop_assert_eq!(drawn.first, by_turns);
        }
    }

    #[test]
    fn different_lots_give_different_openings() {
        for game in GAMES {
            let drawn: std::collections::BTreeSet<_> = (0..40)
                .filter_map(|lot| opening(game, Side::Black, 6, lot))
                .map(|opening| opening.rows)
                .collect();
            assert!(drawn.len() > 20, "{game}: {}", drawn.len());
        }
    }

    #[test]
    fn without_plies_there_is_nothing_to_draw() {
        assert_eq!(opening(GameId::Checkers, Side::Black, 0, 1), None);
    }
}
