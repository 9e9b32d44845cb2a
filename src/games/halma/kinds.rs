//! The kinds of positions of Halma.
//!
//! Under the original rules nobody has to leave a camp, so the kinds that ask for it exist under the addendum only.

use std::ops::RangeInclusive;

use super::{Halma, Move, Reason, Rules, Square};
use crate::agents::builtin::{Chance, Depth};
use crate::games::{Ending, Hop, Play, Position, Side, Status};
use crate::positions::{Kind, Listed, Made, PositionsFault, Practised, Request, Style, listed, made};

/// A kind of positions of Halma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HalmaKind {
    /// Both sides have 14 pieces or more in their own camps.
    Opening,
    /// Five pieces or more have left the camp; one to six are still there, and only they may move: out of it.
    MustLeave,
    /// The sides have met between the camps: 12 pieces or more of each, four or more of one's own beside an enemy.
    Crowded,
    /// A chain of five jumps or more, by its shortest way.
    LongChain,
    /// No piece can leave the own camp: only moves within it, further from the corner, are legal.
    WithinCamp,
    /// A piece in the opposing camp could step out of it, but may not.
    HeldInCamp,
    /// 15 pieces or more are in the opposing camp, and another one can enter it.
    LastPieces,
    /// A move that wins.
    WinInOne,
}

impl Practised for Halma {
    fn kinds(rules: Self::Rules) -> Vec<Listed> {
        listed::<HalmaKind>(rules)
    }

    fn positions(rules: Self::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault> {
        made::<HalmaKind>(rules, request)
    }
}

impl Kind for HalmaKind {
    type Position = Halma;

    const ALL: &'static [Self] = &[
        Self::Opening,
        Self::MustLeave,
        Self::Crowded,
        Self::LongChain,
        Self::WithinCamp,
        Self::HeldInCamp,
        Self::LastPieces,
        Self::WinInOne,
    ];

    /// Without a search no piece ever comes to the other camp.
    const STYLES: &'static [Style] = &[
        Style {
            random_in_ten: 3,
            depth: Depth::ONE,
        },
        Style {
            random_in_ten: 1,
            depth: Depth::ONE,
        },
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::MustLeave => "must-leave",
            Self::Crowded => "crowded",
            Self::LongChain => "long-chain",
            Self::WithinCamp => "within-camp",
            Self::HeldInCamp => "held-in-camp",
            Self::LastPieces => "last-pieces",
            Self::WinInOne => "win-in-one",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Opening => "both sides have 14 pieces or more in their own camps",
            Self::MustLeave => "most pieces are out, but one that is still in the camp must leave it (addendum b)",
            Self::Crowded => "the sides have met between the camps",
            Self::LongChain => "a chain of five jumps or more",
            Self::WithinCamp => "no piece can leave the camp: it must go further from the corner (addendum b)",
            Self::HeldInCamp => "a piece in the opposing camp could step out of it, but may not",
            Self::LastPieces => "15 pieces or more have arrived, and another one can",
            Self::WinInOne => "a move that wins",
        }
    }

    fn exists_under(self, rules: Rules) -> bool {
        match self {
            Self::MustLeave | Self::WithinCamp => rules == Rules::Addendum,
            Self::Opening | Self::Crowded | Self::LongChain | Self::HeldInCamp | Self::LastPieces | Self::WinInOne => {
                true
            }
        }
    }

    fn holds(self, position: &Halma) -> bool {
        let side = position.side_to_move();
        let (own, goal) = (side, side.other());
        match self {
            Self::Opening => Side::BOTH.into_iter().all(|side| in_camp(position, side, side) >= 14),
            Self::MustLeave => {
                self.exists_under(position.rules())
                    && (1..=6).contains(&in_camp(position, side, own))
                    && outside(position, side) >= 5
                    && moves_all(position, |mv| mv.from.is_in_camp_of(own) && !mv.to.is_in_camp_of(own))
            }
            Self::Crowded => {
                Side::BOTH.into_iter().all(|side| outside(position, side) >= 12) && meetings(position) >= 4
            }
            Self::LongChain => position.moves().into_iter().any(|mv| jumps(position, mv) >= 5),
            Self::WithinCamp => {
                self.exists_under(position.rules())
                    && moves_all(position, |mv| mv.from.is_in_camp_of(own) && mv.to.is_in_camp_of(own))
            }
            Self::HeldInCamp => position
                .pieces(side)
                .filter(|from| from.is_in_camp_of(goal))
                .any(|from| is_held(position, from)),
            Self::LastPieces => {
                in_camp(position, side, goal) >= 15
                    && !moves_all(position, |mv| mv.from.is_in_camp_of(goal) || !mv.to.is_in_camp_of(goal))
            }
            Self::WinInOne => !moves_all(position, |mv| !wins(position, mv)),
        }
    }

    fn turns(self) -> RangeInclusive<u32> {
        match self {
            Self::Opening => 1..=12,
            Self::Crowded => 30..=150,
            Self::LongChain => 10..=150,
            Self::MustLeave | Self::WithinCamp => 20..=200,
            Self::HeldInCamp => 60..=250,
            Self::LastPieces | Self::WinInOne => 80..=400,
        }
    }

    /// The handout draws the side with the first move.
    fn start(rules: Rules, chance: &mut Chance) -> Halma {
        let start = Halma::start(rules);
        match chance.choose(&Side::BOTH) {
            Some(side) => start.with_side_to_move(side),
            None => start,
        }
    }
}

/// How many pieces of `side` are in the camp of `camp`.
fn in_camp(position: &Halma, side: Side, camp: Side) -> usize {
    position
        .pieces(side)
        .filter(|square| square.is_in_camp_of(camp))
        .count()
}

/// How many pieces of `side` are between the camps.
fn outside(position: &Halma, side: Side) -> usize {
    let is_out = |square: &Square| Side::BOTH.into_iter().all(|camp| !square.is_in_camp_of(camp));
    position.pieces(side).filter(is_out).count()
}

fn moves_all(position: &Halma, so: impl Fn(Move) -> bool) -> bool {
    let mut all = true;
    position.for_each_move(|mv| all &= so(mv));
    all
}

/// How many pieces of the side to move have an enemy beside them.
fn meetings(position: &Halma) -> usize {
    let side = position.side_to_move();
    let meets = |square: &Square| neighbours(*square).any(|beside| position.piece_on(beside) == Some(side.other()));
    position.pieces(side).filter(meets).count()
}

fn neighbours(square: Square) -> impl Iterator<Item = Square> {
    let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    steps
        .filter(|&step| step != (0, 0))
        .filter_map(move |(dx, dy)| square.offset(dx, dy))
}

fn jumps(position: &Halma, mv: Move) -> usize {
    match position.path(mv) {
        Some(Play::Jumps(hops)) => hops.len(),
        Some(Play::Step(_)) | None => 0,
    }
}

/// Whether the rule of the opposing camp alone forbids the piece on `from` a step.
fn is_held(position: &Halma, from: Square) -> bool {
    neighbours(from).any(|to| {
        let judged = position.judge(&Play::Step(Hop { from, to }));
        judged.is_err_and(|illegal| matches!(illegal.reason, Reason::LeavesOpposingCamp { .. }))
    })
}

fn wins(position: &Halma, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let side = position.side_to_move();
    matches!(after.status(), Status::Over(Ending::Won { winner, .. }) if winner == side)
}

#[cfg(test)]
mod tests {
    use HalmaKind::{Crowded, HeldInCamp, LastPieces, LongChain, MustLeave, Opening, WinInOne, WithinCamp};

    use super::*;

    /// A board with the pieces of each side on the given squares.
    fn position(black: &[(u8, u8)], white: &[(u8, u8)], side: Side, rules: Rules) -> Halma {
        let mut rows = [[b'.'; 16]; 16];
        for (squares, letter) in [(black, b'B'), (white, b'W')] {
            for &(x, y) in squares {
                rows[usize::from(y)][usize::from(x)] = letter;
            }
        }
        Halma::from_rows(&rows.each_ref().map(<[u8; 16]>::as_slice), side, rules).unwrap()
    }

    fn kinds(position: &Halma) -> Vec<HalmaKind> {
        HalmaKind::ALL
            .iter()
            .copied()
            .filter(|kind| kind.holds(position))
            .collect()
    }

    /// The camp that black starts from.
    fn camp() -> Vec<(u8, u8)> {
        let squares = (0..5).flat_map(|y| (0..5).map(move |x| (x, y)));
        let is_inside = |&(x, y): &(u8, u8)| Square::new(x, y).unwrap().is_in_camp_of(Side::Black);
        squares.filter(is_inside).collect()
    }

    #[test]
    fn the_start_is_an_opening_by_either_rules() {
        for rules in [Rules::Addendum, Rules::Original] {
            assert_eq!(kinds(&Halma::start(rules)), [Opening]);
        }
    }

    #[test]
    fn a_piece_in_the_own_camp_has_to_leave_it_or_to_go_further() {
        let out = [(8, 8), (8, 9), (9, 8), (9, 9), (10, 10)];
        let far = [(14, 0)];
        let with = |in_camp: &[(u8, u8)], rules| kinds(&position(&[&out, in_camp].concat(), &far, Side::Black, rules));
        assert_eq!(with(&[(3, 3)], Rules::Addendum), []);
        assert_eq!(with(&[(3, 2)], Rules::Addendum), [MustLeave]);
        assert_eq!(with(&[(0, 0)], Rules::Addendum), [WithinCamp]);
        assert_eq!(with(&[(0, 0), (3, 2)], Rules::Addendum), [MustLeave]);
        assert_eq!(with(&[(0, 0), (3, 2)], Rules::Original), []);
    }

    #[test]
    fn a_piece_that_has_arrived_is_held_where_it_could_step_out() {
        let at = |x, y| kinds(&position(&[(8, 8)], &[(x, y)], Side::White, Rules::Addendum));
        assert_eq!((at(4, 0), at(0, 0), at(5, 0)), (vec![HeldInCamp], vec![], vec![]));
    }

    #[test]
    fn the_last_piece_wins_where_the_camp_gets_full() {
        let beside_the_last = (1, 4);
        let with_vacancies = |vacancies: &[(u8, u8)]| {
            let mut white = camp();
            white.retain(|square| !vacancies.contains(square));
            white.push((2, 5));
            kinds(&position(&[(9, 9)], &white, Side::White, Rules::Addendum))
        };
        assert_eq!(with_vacancies(&[beside_the_last]), [HeldInCamp, LastPieces, WinInOne]);
        assert_eq!(with_vacancies(&[beside_the_last, (4, 1)]), [HeldInCamp, LastPieces]);
    }

    #[test]
    fn chains_are_long_from_five_jumps_on() {
        let ladder: Vec<(u8, u8)> = (0..5).map(|step| (6 + 2 * step, 7)).collect();
        let with = |rungs: usize| kinds(&position(&ladder[..rungs], &[(5, 7)], Side::White, Rules::Addendum));
        assert_eq!((with(4), with(5)), (vec![], vec![LongChain]));
    }

    #[test]
    fn it_is_crowded_where_the_sides_have_met() {
        let row = |y| -> Vec<(u8, u8)> { (2..14).map(|x| (x, y)).collect() };
        let at = |black, white| kinds(&position(&row(black), &row(white), Side::Black, Rules::Addendum));
        assert_eq!((at(7, 8), at(6, 8)), (vec![Crowded], vec![]));
    }
}
