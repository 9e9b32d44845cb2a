//! The outer interface of a game with a rules program ([`referee_games::Game`]). It contains no rules, and is called
//! only through [`referee_games`].

use super::game::CustomGame;
use super::protocol::{ReadInputAnswer, RulesQuestion};
use super::replay::fault_at_legal_moves;
use super::state::CustomState;
use super::{playouts, search};
use referee_games::builtin::{BuiltinAnswerError, BuiltinReply, BuiltinTurn};
use referee_games::positions::{ListedKind, MadePosition, PositionsError, PositionsRequest};
use referee_games::protocol::{Input, InputError, InputPurpose, plain};
use referee_games::{
    BoardError, Game, MoveValues, POSITION_LINE, Profile, ProvedResult, ReachedPosition, ReplayedMoves, RulesProgram,
    Side, State,
};
use referee_time::CpuTime;

impl Game for CustomGame {
    fn profile(&self) -> &'static Profile {
        self.described.profile
    }

    fn rules_program(&self) -> Option<&'static RulesProgram> {
        Some(&self.handle().program)
    }

    fn start(&self) -> State {
        self.handle().start_of(self.described.profile.first_turn.drawn_by(0))
    }

    fn read_board(&self, rows: &[&[u8]], side: Side) -> Result<State, BoardError> {
        let game = self.handle();
        let last = rows.last().and_then(|row| str::from_utf8(row).ok());
        if let Some(state) = last.and_then(|row| CustomState::read_line(game, row)) {
            return Ok(state);
        }
        let start = game.start_of(side);
        if start.rows().iter().map(String::as_bytes).eq(rows.iter().copied()) {
            return Ok(start);
        }
        Err(BoardError::of_board(format!(
            "expected the start, or a last row `{POSITION_LINE}...`: a board alone does not tell what a rules program \
             has to know"
        )))
    }

    fn read_input(&self, text: &[u8]) -> Result<Input<State>, InputError> {
        let game = self.handle();
        let whole = String::from_utf8_lossy(text);
        let last = whole.trim_end().rsplit('\n').next().unwrap_or_default();
        if let Some(position) = CustomState::read_line(game, last) {
            return Ok(game.input_of(&whole, position));
        }
        game.ask_input(text)
    }

    fn answer(&self, turn: BuiltinTurn<'_>) -> Result<BuiltinReply, BuiltinAnswerError> {
        search::answer(self.handle(), turn)
    }

    fn value_moves(&self, reached: &ReachedPosition<'_>, nodes: u64) -> MoveValues {
        search::move_values(reached.position, nodes)
    }

    fn proved_result(
        &self,
        reached: &ReachedPosition<'_>,
        index: usize,
        value: i32,
        nodes: u64,
    ) -> Option<ProvedResult> {
        search::proved_result(reached, index, value, nodes)
    }

    fn fault_at_legal_moves(&self, replayed: &ReplayedMoves<'_>) -> Option<String> {
        fault_at_legal_moves(self.handle(), replayed)
    }

    fn kinds(&self) -> Vec<ListedKind> {
        playouts::KINDS.to_vec()
    }

    fn positions(&self, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError> {
        playouts::positions(self.handle(), request)
    }
}

impl CustomGame {
    /// An input that tells its position in a last line; the time left is read where the profile says that it stands.
    fn input_of(&self, text: &str, position: State) -> Input<State> {
        let line = self.described.profile.input.time_line;
        let line = line.and_then(|line| text.lines().nth(line.saturating_sub(1) as usize));
        let mut times = line.into_iter().flat_map(str::split_ascii_whitespace).map(CpuTime::read_remaining);
        let own = times.next().flatten();
        Input {
            purpose: InputPurpose::Game,
            position,
            own: own.unwrap_or(self.described.profile.play_time),
            opponent: times.next().flatten(),
        }
    }

    fn ask_input(&'static self, text: &[u8]) -> Result<Input<State>, InputError> {
        let fault = |line, column, message| InputError { line, column, message };
        if !self.described.reads_input {
            let message = "this game's rules program reads no `input.txt`: give it a `from_input`".to_owned();
            return Err(fault(1, None, message));
        }
        let ask = RulesQuestion::ReadInput { input: text.iter().copied().map(char::from).collect() };
        let time = |text: Option<String>| text.as_deref().and_then(CpuTime::read_remaining);
        let check = |asked: ReadInputAnswer| match (asked.fault, asked.position) {
            (Some(found), _) => Ok(Err(fault(found.line, found.column, plain(&found.message)))),
            (None, Some(position)) => Ok(Ok(Input {
                purpose: if asked.single { InputPurpose::Single } else { InputPurpose::Game },
                position: State::new(CustomState::of(self, position)?),
                own: time(asked.own).unwrap_or(self.described.profile.play_time),
                opponent: time(asked.opponent),
            })),
            (None, None) => Err("expected `position` or `fault`".to_owned()),
        };
        let read = self.client.ask_for(ask, check);
        read.unwrap_or_else(|broken| Err(fault(1, None, self.note(&broken).to_string())))
    }
}
