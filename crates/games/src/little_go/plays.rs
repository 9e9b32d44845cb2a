//! The reference agents of Little-Go alone: greedy, aggressive, and the course's alpha-beta (RULES.md section 8).
//! [`crate::builtin`] runs them.
//!
//! Deliberately simple, as described to students. Equal choices have equal probability.

use super::{LittleGo, Move, Point};
use crate::builtin::{Evaluate, OwnAgent, Plays, TurnRng, WIN_VALUE};
use crate::{Ending, Position, Status};

/// The maximum number of moves per node of the course's alpha-beta.
const MAX_MOVES: usize = 10;

/// Its depth.
const DEPTH: u32 = 2;

impl Plays for LittleGo {
    const OWN_AGENTS: &'static [OwnAgent<Self>] = &[
        OwnAgent::new("greedy", "makes the placement that captures most", greedy),
        OwnAgent::new("aggressive", "looks two of its own moves ahead for captures", aggressive),
        OwnAgent::new("pruning", "alpha-beta of depth 2, at most 10 moves a node", pruning),
    ];

    /// Every placement has equal probability.
    fn random_move(&self, chance: &mut TurnRng) -> Option<Move> {
        best_placement(self, chance, |_| 0)
    }

    fn after_own_turns(self, turns: u64) -> Self {
        self.at_own_turn(u32::try_from(turns).unwrap_or(u32::MAX))
    }
}

/// The placement with most captures.
fn greedy(position: &LittleGo, chance: &mut TurnRng) -> Option<Move> {
    best_placement(position, chance, |point| position.captures(point).count())
}

/// The placement with most captures, together with the best own placement after it, skipping the opponent's turn.
fn aggressive(position: &LittleGo, chance: &mut TurnRng) -> Option<Move> {
    let side = position.side_to_move();
    best_placement(position, chance, |point| {
        let next = position.after(Move::Place(point)).with_side_to_move(side);
        position.captures(point).count() + next.most_captured()
    })
}

/// Alpha-beta over the first moves of a shuffled list.
fn pruning(position: &LittleGo, chance: &mut TurnRng) -> Option<Move> {
    search(position, DEPTH, -i32::MAX, i32::MAX, chance).1
}

/// The value of the position to the side to move, and the move that has it.
fn search(position: &LittleGo, depth: u32, mut alpha: i32, beta: i32, chance: &mut TurnRng) -> (i32, Option<Move>) {
    let side = position.side_to_move();
    match position.status() {
        Status::Over(Ending::Won { winner, .. }) if winner == side => return (WIN_VALUE, None),
        Status::Over(_) => return (-WIN_VALUE, None),
        Status::ToMove | Status::MustPass if depth == 0 => return (position.evaluate(side), None),
        Status::ToMove | Status::MustPass => {}
    }
    let mut moves = some_moves(position, chance);
    if depth == DEPTH {
        // The first of equally good moves is kept: so each may be that.
        chance.shuffle(&mut moves);
    }
    let mut best = None;
    for mv in moves {
        let (value, _) = search(&position.after(mv), depth - 1, -beta, -alpha, chance);
        if -value > alpha {
            (alpha, best) = (-value, Some(mv));
        }
        if alpha >= beta {
            break;
        }
    }
    (alpha, best)
}

/// At most as many random moves as the course's agent examines; the pass only if there are fewer.
fn some_moves(position: &LittleGo, chance: &mut TurnRng) -> Vec<Move> {
    let mut moves: Vec<Move> = position.placements().iter().map(Move::Place).collect();
    if moves.len() >= MAX_MOVES {
        chance.shuffle(&mut moves);
        moves.truncate(MAX_MOVES);
    } else {
        moves.push(Move::Pass);
    }
    moves
}

/// A random one of the best placements; a pass only if there is none.
fn best_placement(position: &LittleGo, chance: &mut TurnRng, value: impl Fn(Point) -> u32) -> Option<Move> {
    let placements = position.placements().iter();
    let pass = || (!position.is_over()).then_some(Move::Pass);
    chance.choose_best(placements.map(|point| (value(point), Move::Place(point)))).or_else(pass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::position::drawn;

    /// Black to move: `1,3` captures one stone, `4,4` two.
    fn captures_to_choose_from() -> LittleGo {
        drawn(&["00100", "01200", "00100", "00110", "01220"], Side::Black)
    }

    fn chosen(choose: fn(&LittleGo, &mut TurnRng) -> Option<Move>, position: &LittleGo) -> Vec<String> {
        let mut moves: Vec<String> = (0..20)
            .map(|seed| match choose(position, &mut TurnRng::new(seed, 0)) {
                Some(Move::Place(point)) => point.to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Black's last turn, before White's: only by capturing the two stones at `4,4` does it lead by more than the komi
    /// afterwards.
    #[test]
    fn the_pruning_agent_sees_how_a_game_ends() {
        let position = drawn::<LittleGo>(&["20100", "21200", "00100", "00110", "01220"], Side::Black).at_own_turn(11);
        let wins = (0..200).filter(|&seed| {
            let chosen = pruning(&position, &mut TurnRng::new(seed, 0));
            chosen.is_some_and(|mv| matches!(mv, Move::Place(point) if point.to_string() == "4,4"))
        });
        // It examines ten moves of the fifteen that there are.
        assert!(wins.count() > 100);
    }

    #[test]
    fn the_greedy_agent_captures_most() {
        assert_eq!(chosen(greedy, &captures_to_choose_from()), ["4,4"]);
    }

    #[test]
    fn the_random_agent_may_play_anywhere_and_passes_only_where_it_cannot_place() {
        let position = captures_to_choose_from();
        let random = |position: &LittleGo, chance: &mut TurnRng| position.random_move(chance);
        let mut choices = std::collections::BTreeSet::new();
        for seed in 0..400 {
            choices.insert(random(&position, &mut TurnRng::new(seed, 0)).unwrap().to_string());
        }
        let placements: Vec<String> = position.placements().iter().map(|point| point.to_string()).collect();
        assert_eq!(choices.into_iter().collect::<Vec<_>>(), placements);
        // White's only empty points are its own eyes, which Black surrounds.
        let full = drawn::<LittleGo>(&["01111", "10111", "11111", "11111", "11111"], Side::White);
        assert_eq!(chosen(random, &full), ["Some(Pass)"]);
    }

    #[test]
    fn the_pruning_agent_examines_at_most_ten_moves_and_the_pass_only_among_fewer() {
        let mut chance = TurnRng::new(1, 0);
        let start = LittleGo::start(());
        let first = some_moves(&start, &mut chance);
        let distinct: std::collections::HashSet<Move> = first.iter().copied().collect();
        assert_eq!((first.len(), distinct.len()), (MAX_MOVES, MAX_MOVES));
        assert!(!distinct.contains(&Move::Pass));
        assert_ne!(some_moves(&start, &mut chance), first, "others in another turn");
        let few = drawn::<LittleGo>(&["12020", "11222", "11112", "11110", "11111"], Side::White);
        assert_eq!(some_moves(&few, &mut chance), few.moves());
    }

    #[test]
    fn every_agent_has_a_legal_move_at_every_turn_and_passes_only_where_it_cannot_place() {
        for own in LittleGo::OWN_AGENTS {
            for seed in 0..10 {
                let mut position = LittleGo::start(());
                while position.status() == Status::ToMove {
                    let mut chance = TurnRng::new(seed, u64::from(position.turns()));
                    let mv = (own.choose)(&position, &mut chance).unwrap();
                    assert!(position.is_legal(mv), "{} plays {mv:?}", own.name);
                    let may_place = !position.placements().is_empty();
                    assert!(mv != Move::Pass || !may_place || own.name == "pruning", "{}", own.name);
                    position.play_unchecked(mv);
                }
            }
        }
    }
}
