//! Certain results of moves, for the analysis of recorded games. `interface` calls it.
//!
//! The question is always whether one side can force a win on the board, and a search of all moves answers yes, no or,
//! where it ends before the game does, nothing. A draw is certain if neither side can. The search goes one ply deeper
//! each time, and asks for each position once.
//!
//! Nothing here may be wrong, whatever the past of the game is: no line is so long that the draw by idle turns or the
//! turn limit could end it, and positions that the game may have had before answer nothing. In a shortest win no
//! position recurs with the same side to move, so that each placement occurs twice at most; where placements do not
//! tell positions apart, nothing is certain under a rule about repetitions.

use super::proof_tree::{ForcedWin, ProofNodeId, ProofTree};
use crate::rules_program::as_custom;
use crate::rules_program::game::CustomGame;
use referee_games::builtin::WIN_VALUE;
use referee_games::protocol::Tolerance;
use referee_games::{GameState, Judged, ProvedResult, ReachedPosition, Side};

/// No line is longer.
const LONGEST_LINE: u32 = 60;
/// For each position that may be asked for, the search may enter so many.
const VISITS: u64 = 64;
/// Without a hint a proof gets this part of the positions: most moves have none.
const PARTS_WITHOUT_HINT: u64 = 4;

/// The certain result of the move at `index`; see [`Game::proved_result`](referee_games::Game::proved_result).
pub(in crate::rules_program) fn proved_result(
    reached: &ReachedPosition<'_>,
    index: usize,
    value: i32,
    nodes: u64,
) -> Option<ProvedResult> {
    let position = as_custom(reached.position)?;
    let game = position.game;
    let mv = position.moves().into_iter().nth(index)?;
    let judged = position.judge(mv.as_bytes(), Tolerance::Exact).ok()?;
    let mover = position.side;
    let result = if value >= WIN_VALUE {
        ProofSearch::new(game, reached, judged, nodes)?.win_of(mover).then_some(ProvedResult::Win)
    } else if value <= -WIN_VALUE {
        ProofSearch::new(game, reached, judged, nodes)?.win_of(mover.other()).then_some(ProvedResult::Loss)
    } else {
        ProofSearch::new(game, reached, judged, nodes / PARTS_WITHOUT_HINT)?.result(mover)
    };
    result.filter(|_| game.fault().is_none())
}

/// Searches for the result of one position.
struct ProofSearch {
    tree: ProofTree,
    start: ProofNodeId,
    /// The maximum length of a line.
    plies: u32,
    /// Whether placements have to tell positions apart.
    can_repeat: bool,
    /// How many positions it may still enter.
    visits: u64,
}

/// Which answers a search is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// A yes alone: one reply without an answer is enough to give up.
    Win,
    /// Yes and no.
    Both,
}

impl ProofSearch {
    /// `None` if nothing is certain under these rules.
    fn new(game: &'static CustomGame, reached: &ReachedPosition<'_>, judged: Judged, nodes: u64) -> Option<Self> {
        let plies = reached.turns_without_draw(judged.is_progress)?.min(LONGEST_LINE);
        let earlier = reached.since_progress.iter().chain([reached.position]);
        let earlier: Vec<_> = if judged.is_progress { Vec::new() } else { earlier.filter_map(as_custom).collect() };
        let mut tree = ProofTree::new(game, nodes, &earlier);
        let start = tree.add(judged.next);
        let can_repeat = reached.draws.repetitions.is_some();
        Some(Self { tree, start, plies, can_repeat, visits: VISITS.saturating_mul(nodes) })
    }

    /// Whether `side` can force a win.
    fn win_of(&mut self, side: Side) -> bool {
        for plies in 0..=self.plies {
            match self.answer(self.start, side, plies, Wanted::Win) {
                Some(ForcedWin::Yes) => return self.is_sound(),
                Some(ForcedWin::Open) => {}
                Some(ForcedWin::No) | None => return false,
            }
        }
        false
    }

    /// The result for `mover`, whose move has led here.
    fn result(&mut self, mover: Side) -> Option<ProvedResult> {
        for plies in 0..=self.plies {
            let own = self.answer(self.start, mover, plies, Wanted::Both)?;
            let others = self.answer(self.start, mover.other(), plies, Wanted::Both)?;
            let result = match (own, others) {
                (ForcedWin::Yes, _) => ProvedResult::Win,
                (_, ForcedWin::Yes) => ProvedResult::Loss,
                (ForcedWin::No, ForcedWin::No) => ProvedResult::Draw,
                (ForcedWin::Open, _) | (_, ForcedWin::Open) => continue,
            };
            return self.is_sound().then_some(result);
        }
        None
    }

    const fn is_sound(&self) -> bool {
        !(self.can_repeat && self.tree.has_equal_placements)
    }

    /// Whether `side` can force a win from `at` in a search of `plies` plies; `None` if the budget ends.
    fn answer(&mut self, at: ProofNodeId, side: Side, plies: u32, wanted: Wanted) -> Option<ForcedWin> {
        if let Some(known) = self.tree.known(at, side, plies) {
            return Some(known);
        }
        self.visits = self.visits.checked_sub(1)?;
        let replies = self.tree.open(at)?;
        let is_own = self.tree.side_to_move(at) == side;
        // One such answer decides; without one, all have to be the other.
        let (decisive, mut answer) =
            if is_own { (ForcedWin::Yes, ForcedWin::No) } else { (ForcedWin::No, ForcedWin::Yes) };
        for index in 0..replies {
            let reply = self.tree.reply(at, index);
            let found = self.answer(reply, side, plies - 1, wanted)?;
            if found == decisive {
                self.tree.prefer(at, index);
                answer = decisive;
                break;
            }
            if found == ForcedWin::Open {
                answer = ForcedWin::Open;
                if !is_own && wanted == Wanted::Win {
                    break;
                }
            }
        }
        self.tree.note(at, side, plies, answer);
        Some(answer)
    }
}
