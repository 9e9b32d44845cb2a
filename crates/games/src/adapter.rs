//! Adapts a game that is a Rust type to the value interface ([`super::Game`]), once for all built-in games. It contains
//! no rules; each game's `profile.rs` uses it.

use super::picking::pick_among;
use super::{
    BoardError, Game, GameRef, GameState, Judged, MoveValues, Picking, Profile, ProvedResult, Puzzles, ReachedPosition,
    Side, State, Status, perft,
};
use crate::builtin::{
    BuiltinAnswerError, BuiltinReply, BuiltinTurn, Plays, SearchedPosition, move_values, proved_result, reply,
};
use crate::positions::{ListedKind, MadePosition, PositionsError, PositionsRequest, PracticeGame};
use crate::protocol::{Answer, Input, InputError, InputPurpose, Refusal, TimeLeft, Tolerance};

/// A built-in game: everything that the other crates need of it, in one type.
///
/// Everything beyond rules, texts, an evaluation and a search has a default.
pub trait Builtin: Plays + PracticeGame {
    /// The game in each variant of its rules, in the order of [`Texts::VARIANTS`](crate::protocol::Texts::VARIANTS).
    const GAMES: &'static [GameRef];

    /// The curves of expected scores of its variants, in the order of [`Self::GAMES`].
    const CURVES: &'static [&'static str] = &[];

    /// Its questions with one right answer, if it has any.
    const PUZZLES: Option<&'static Puzzles> = None;

    /// The game with `rules`.
    fn id(rules: Self::Rules) -> GameRef {
        let place = Self::VARIANTS.iter().position(|(_, variant)| *variant == rules);
        Self::GAMES[place.unwrap_or(0)]
    }

    /// The state after picking these squares; see [`GameState::picking`].
    fn picking(&self, picked: &[String]) -> Option<Picking> {
        pick_among(&written_moves(self), picked)
    }
}

/// Every legal move as written.
fn written_moves<P: Builtin>(position: &P) -> Vec<String> {
    position.moves().into_iter().map(|mv| position.write_move(mv)).collect()
}

/// The game `P` in one variant of its rules.
#[derive(Clone, Copy, Debug)]
pub struct Adapter<P: Builtin> {
    /// The variant.
    pub rules: P::Rules,
}

/// A position of `P`, which knows its rules.
struct AdaptedState<P>(P);

impl<P: Builtin> From<P> for State {
    fn from(position: P) -> Self {
        Self::new(AdaptedState(position))
    }
}

/// The position as a `P`, if it is one.
fn own<P: Builtin>(state: &State) -> Option<&P> {
    state.downcast().map(|AdaptedState(position)| position)
}

impl<P: Builtin> Game for Adapter<P> {
    fn profile(&self) -> &'static Profile {
        P::PROFILE
    }

    fn rules(&self) -> Option<&'static str> {
        let variants = P::VARIANTS.iter();
        variants.copied().find_map(|(name, rules)| (rules == self.rules).then_some(name))
    }

    fn start(&self) -> State {
        P::start(self.rules).into()
    }

    fn read_board(&self, rows: &[&[u8]], side: Side) -> Result<State, BoardError> {
        P::from_rows(rows, side, self.rules).map(State::from)
    }

    fn read_input(&self, text: &[u8]) -> Result<Input<State>, InputError> {
        let Input { purpose, position, own, opponent } = P::read_input(text, self.rules)?;
        Ok(Input { purpose, position: position.into(), own, opponent })
    }

    fn answer(&self, turn: BuiltinTurn<'_>) -> Result<BuiltinReply, BuiltinAnswerError> {
        reply::<P>(turn, self.rules)
    }

    fn value_moves(&self, position: &ReachedPosition<'_>, nodes: u64) -> MoveValues {
        let known = SearchedPosition::<P>::new(position, own);
        known.map_or_else(MoveValues::default, |position| move_values(&position, nodes))
    }

    fn proved_result(
        &self,
        position: &ReachedPosition<'_>,
        index: usize,
        value: i32,
        nodes: u64,
    ) -> Option<ProvedResult> {
        proved_result(&SearchedPosition::<P>::new(position, own)?, index, value, nodes)
    }

    fn expected_score_curve(&self) -> Option<&'static str> {
        let place = P::VARIANTS.iter().position(|(_, variant)| *variant == self.rules);
        P::CURVES.get(place.unwrap_or(0)).copied()
    }

    fn puzzles(&self) -> Option<&'static Puzzles> {
        P::PUZZLES
    }

    fn own_agents(&self) -> Vec<ListedKind> {
        let agents = P::OWN_AGENTS.iter();
        agents.map(|own| ListedKind { name: own.name, about: own.about }).collect()
    }

    fn kinds(&self) -> Vec<ListedKind> {
        P::kinds(self.rules)
    }

    fn kinds_of(&self, position: &State) -> Vec<ListedKind> {
        own(position).map_or_else(Vec::new, |position: &P| position.kinds_of(self.rules))
    }

    fn positions(&self, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError> {
        P::positions(self.rules, request)
    }
}

impl<P: Builtin> GameState for AdaptedState<P> {
    fn game(&self) -> GameRef {
        P::id(self.0.rules())
    }

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn with_side_to_move(&self, side: Side) -> State {
        self.0.clone().with_side_to_move(side).into()
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn board(&self) -> String {
        self.0.board()
    }

    fn setup(&self) -> Vec<String> {
        self.0.setup()
    }

    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String {
        self.0.write_input(purpose, time)
    }

    fn judge(&self, output: &[u8], tolerance: Tolerance) -> Result<Judged, Refusal> {
        let Answer { mv, written, warnings } = self.0.read_output(output, tolerance)?;
        Ok(Judged { mv: written, warnings, is_progress: self.0.makes_progress(mv), next: self.0.after(mv).into() })
    }

    fn moves(&self) -> Vec<String> {
        written_moves(&self.0)
    }

    fn successors(&self) -> Vec<State> {
        self.0.moves().into_iter().map(|mv| self.0.after(mv).into()).collect()
    }

    fn pass(&self) -> State {
        let mut next = self.0.clone();
        next.pass();
        next.into()
    }

    fn same_placement(&self, other: &State) -> bool {
        let other = other.downcast::<Self>();
        other.is_some_and(|other| self.0.same_placement(&other.0))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }

    fn picking(&self, picked: &[String]) -> Option<Picking> {
        Builtin::picking(&self.0, picked)
    }
}
