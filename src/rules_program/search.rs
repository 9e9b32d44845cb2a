//! The built-in agents for custom games: random, plain minimax, and alpha-beta without knowledge of the game. `game`
//! calls them.
//!
//! They use positions through the outer interface. If the program gives no evaluation, only results count, and equal
//! moves are chosen by lot.

use nix::time::{ClockId, clock_gettime};

use super::game::CustomGame;
use super::state::CustomState;
use super::{as_custom, expect_rules_answered};
use crate::agents::builtin::{
    BuiltinAgent, BuiltinAnswerError, BuiltinReply, Depth, SearchLimit, TurnRng, WORTH_LIMIT, depth_for,
};
use crate::games::{Ending, Game, Side, State, Status};
use crate::protocol::InputError;
use crate::time::CpuTime;

/// The answer of `agent` to the text of an `input.txt`; its play data counts the turns.
pub(super) fn answer(
    game: &'static CustomGame,
    agent: &BuiltinAgent,
    seed: u64,
    input: &[u8],
    playdata: Option<&str>,
) -> Result<BuiltinReply, BuiltinAnswerError> {
    let turn: u64 = playdata.and_then(|text| text.strip_prefix("turn ")?.trim_end().parse().ok()).unwrap_or(0);
    let mut chance = TurnRng::new(agent.seed().unwrap_or(seed), turn);
    let input = game.read_input(input)?;
    let position = &input.position;
    let chosen = match *agent {
        BuiltinAgent::Random { .. } => random(position, &mut chance),
        BuiltinAgent::Minimax { depth, .. } => {
            let depth = depth.unwrap_or_else(|| depth_for(input.own).min(minimax_depth(position)));
            minimax(position, depth, &mut chance)
        }
        BuiltinAgent::AlphaBeta { nodes, .. } => {
            let of_time = || SearchLimit::of_time_left(input.own, input.purpose);
            alphabeta(
                game,
                position,
                nodes.map_or_else(of_time, |nodes| SearchLimit::Nodes(nodes.count())),
                &mut chance,
            )
        }
        BuiltinAgent::Own { name, .. } => {
            let game = game.profile().title;
            return Err(BuiltinAnswerError::OtherGame { agent: name, game });
        }
    };
    if let Some(message) = expect_rules_answered(position).err().or_else(|| game.fault().map(str::to_owned)) {
        let (line, column) = (1, None);
        return Err(InputError { line, column, message }.into());
    }
    let mv = chosen.ok_or(BuiltinAnswerError::NoMove)?;
    Ok(BuiltinReply { output: format!("{mv}\n"), playdata: format!("turn {}\n", turn.wrapping_add(1)) })
}

/// Positions that minimax may look at in each second of its time: few, because slow rules take milliseconds for one.
const POSITIONS_A_SECOND: f64 = 500.0;

/// The greatest depth to which minimax searches at `position` unless it is told one: as many plies as fit into the time
/// of a usual move if every position has as many moves as this one or the next. The next one counts because a game may
/// begin with a single move. It depends on the rules and the position alone, never on a machine.
pub(super) fn minimax_depth(position: &State) -> Depth {
    let profile = position.game().profile();
    let of_next = position.successors().first().map_or(0, |next| next.moves().len());
    let moves = u32::try_from(position.moves().len().max(of_next)).map_or(f64::INFINITY, f64::from);
    let a_move = profile.play_time.as_secs_f64() / f64::from(profile.typical_moves);
    let positions = a_move * POSITIONS_A_SECOND;
    let fits = |depth: &Depth| moves.powi(i32::from(depth.plies())) <= positions;
    [Depth::THREE, Depth::TWO].into_iter().find(fits).unwrap_or(Depth::ONE)
}

/// Any legal move, each as likely as any other.
fn random(position: &State, chance: &mut TurnRng) -> Option<String> {
    chosen(&position.moves(), chance)
}

fn chosen(moves: &[String], chance: &mut TurnRng) -> Option<String> {
    let places: Vec<usize> = (0..moves.len()).collect();
    chance.choose(&places).map(|place| moves[place].clone())
}

/// One of the best moves by plain minimax, each as likely as any other.
fn minimax(position: &State, depth: Depth, chance: &mut TurnRng) -> Option<String> {
    let next = position.successors();
    let worths: Vec<i32> = if depth == Depth::ONE {
        leaves(&next, position.side_to_move(), 0)
    } else {
        next.iter().map(|next| -value(next, depth.plies() - 1)).collect()
    };
    let highest = worths.iter().max()?;
    let moves = position.moves().into_iter().zip(&worths);
    let best: Vec<String> = moves.filter(|(_, value)| *value == highest).map(|(mv, _)| mv).collect();
    chosen(&best, chance)
}

/// What the position is worth to the side to move, looking `plies` ahead.
fn value(position: &State, plies: u8) -> i32 {
    let side = position.side_to_move();
    match position.status() {
        Status::Over(ending) => worth_of_ending(ending, side, plies),
        Status::ToMove | Status::MustPass if plies == 0 => leaves(std::slice::from_ref(position), side, 0)[0],
        Status::MustPass => -value(&position.pass(), plies - 1),
        Status::ToMove => {
            let next = position.successors();
            let worths = if plies == 1 {
                leaves(&next, side, 0)
            } else {
                next.iter().map(|next| -value(next, plies - 1)).collect()
            };
            worths.into_iter().max().unwrap_or(0)
        }
    }
}

/// What positions are worth to `side` without looking ahead: asked of the program all at once.
fn leaves(positions: &[State], side: Side, plies: u8) -> Vec<i32> {
    let going_on: Vec<&CustomState> = positions
        .iter()
        .filter(|position| !matches!(position.status(), Status::Over(_)))
        .filter_map(as_custom)
        .collect();
    let values = going_on.first().and_then(|first| CustomState::evaluate(first.custom_game(), &going_on, side));
    let mut values = values.into_iter().flatten();
    let value = |position: &State| match position.status() {
        Status::Over(ending) => worth_of_ending(ending, side, plies),
        Status::ToMove | Status::MustPass => values.next().unwrap_or(0).clamp(1 - WORTH_LIMIT, WORTH_LIMIT - 1),
    };
    positions.iter().map(value).collect()
}

fn worth_of_ending(ending: Ending, side: Side, plies: u8) -> i32 {
    let win = WORTH_LIMIT + i32::from(plies);
    match ending {
        Ending::Won { winner, .. } if winner == side => win,
        Ending::Won { .. } => -win,
        Ending::Drawn(_) => 0,
    }
}

/// No search is deeper.
const DEEPEST: u8 = 60;

/// A search that may run out of time.
struct Deepening {
    game: &'static CustomGame,
    begun: CpuTime,
    limit: SearchLimit,
    nodes: u64,
}

/// The CPU time of this process and of the rules program that it has started: the agent is charged for both.
fn cpu_time(game: &CustomGame) -> CpuTime {
    // Reading the clock of this process fails on no Linux.
    let own = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)
        .map_or(CpuTime::ZERO, |time| CpuTime::from_duration(time.into()));
    own + game.client.cpu_time()
}

/// The best move by alpha-beta, ply by ply deeper as long as the limit allows.
fn alphabeta(game: &'static CustomGame, position: &State, limit: SearchLimit, chance: &mut TurnRng) -> Option<String> {
    let mut search = Deepening { game, begun: cpu_time(game), limit, nodes: 0 };
    let mut order: Vec<(String, State)> = position.moves().into_iter().zip(position.successors()).collect();
    chance.shuffle(&mut order);
    let mut best = order.first().map(|(mv, _)| mv.clone())?;
    for depth in 1..=DEEPEST {
        let Some(values) = search.root(&order, position.side_to_move(), depth) else {
            break;
        };
        let mut ranked: Vec<(i32, (String, State))> = values.into_iter().zip(order).collect();
        ranked.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        let decided = ranked.first().is_none_or(|(value, _)| value.abs() >= WORTH_LIMIT);
        order = ranked.into_iter().map(|(_, next)| next).collect();
        best.clone_from(&order[0].0);
        if decided || order.len() == 1 || search.is_enough() {
            break;
        }
    }
    Some(best)
}

impl Deepening {
    /// A bound on the value of each move; the first of the highest is exact.
    fn root(&mut self, order: &[(String, State)], side: Side, depth: u8) -> Option<Vec<i32>> {
        let mut alpha = -2 * WORTH_LIMIT;
        let mut values = Vec::with_capacity(order.len());
        for (_, next) in order {
            let value = match depth {
                1 => leaves(std::slice::from_ref(next), side, DEEPEST)[0],
                _ => -self.value(next, depth - 1, -2 * WORTH_LIMIT, -alpha)?,
            };
            // What cannot be better than the best is not told apart from it by a bound.
            values.push(if value > alpha { value } else { value.min(alpha - 1) });
            alpha = alpha.max(value);
        }
        Some(values)
    }

    fn value(&mut self, position: &State, plies: u8, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.is_spent() {
            return None;
        }
        let side = position.side_to_move();
        match position.status() {
            Status::Over(ending) => return Some(worth_of_ending(ending, side, plies)),
            Status::MustPass if plies > 0 => {
                return self.value(&position.pass(), plies - 1, -beta, -alpha).map(|value| -value);
            }
            Status::MustPass | Status::ToMove if plies == 0 => {
                return Some(leaves(std::slice::from_ref(position), side, 0)[0]);
            }
            Status::MustPass | Status::ToMove => {}
        }
        let next = position.successors();
        if plies == 1 {
            self.nodes += next.len() as u64;
            return leaves(&next, side, 0).into_iter().max();
        }
        let mut highest = -2 * WORTH_LIMIT;
        for next in &next {
            let value = -self.value(next, plies - 1, -beta, -alpha)?;
            highest = highest.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(highest)
    }

    fn used(&self) -> CpuTime {
        cpu_time(self.game).saturating_sub(self.begun)
    }

    fn is_spent(&self) -> bool {
        match self.limit {
            SearchLimit::Nodes(nodes) => self.nodes > nodes,
            SearchLimit::Time { most, .. } => self.used() >= most,
        }
    }

    fn is_enough(&self) -> bool {
        match self.limit {
            SearchLimit::Nodes(nodes) => self.nodes > nodes / 2,
            SearchLimit::Time { enough, .. } => self.used().micros() > enough.micros() / 4,
        }
    }
}
