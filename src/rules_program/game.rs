//! The outer interface of a game with a rules program ([`crate::games::Game`]). It contains no rules; `registry` loads
//! it.

use std::sync::OnceLock;

use super::client::Client;
use super::fault::RulesFault;
use super::launch::Launch;
use super::profile::{Described, described};
use super::protocol::{Ask, Description, PROTOCOL, ReadInputAnswer};
use super::state::{CustomState, POSITION};
use super::{playouts, search};
use crate::agents::builtin::{BuiltinAgent, BuiltinAnswerError, BuiltinReply};
use crate::games::{BoardError, Game, GameId, Profile, RulesProgram, Side, State};
use crate::positions::{ListedKind, MadePosition, PositionsError, PositionsRequest};
use crate::protocol::{Input, InputError, InputPurpose};
use crate::time::CpuTime;

/// A game whose rules are a program of their own.
#[derive(Debug)]
pub(super) struct CustomGame {
    pub(super) client: Client,
    pub(super) described: Described,
    program: RulesProgram,
    /// The starts with each side to move, once they have been asked for.
    starts: [OnceLock<State>; 2],
    /// The first fault of this process.
    fault: OnceLock<String>,
}

impl CustomGame {
    /// The game of a program, which is started and asked what the game is like.
    ///
    /// # Errors
    ///
    /// What is wrong, with a remedy.
    pub(super) fn begin(launch: Launch) -> Result<&'static Self, String> {
        let program = RulesProgram {
            digest: launch.digest.clone(),
            folder: launch.folder.clone(),
            place: launch.place.clone(),
            tools: launch.tools(),
            attachment: launch.attachment(),
        };
        let client = Client::new(launch);
        let said: Description = client
            .ask(Ask::Game { protocol: PROTOCOL })
            .map_err(|fault| fault.to_string())?;
        let described = described(&said).map_err(|what| client.fault("game", what).to_string())?;
        Ok(Box::leak(Box::new(Self {
            client,
            described,
            program,
            starts: [OnceLock::new(), OnceLock::new()],
            fault: OnceLock::new(),
        })))
    }

    /// Its handle.
    pub(super) fn id(&'static self) -> GameId {
        GameId::of(self)
    }

    /// The word of a side.
    pub(super) fn word(&self, side: Side) -> &'static str {
        self.described.profile.side(side).word
    }

    /// Notes a fault, so that no command ends as if nothing had happened.
    pub(super) fn note(&self, fault: &RulesFault) -> String {
        let text = fault.to_string();
        self.fault.get_or_init(|| text.clone());
        text
    }

    /// The first fault of this process, if there was one.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// The start with `side` to move.
    pub(super) fn start_of(&'static self, side: Side) -> State {
        let start = self.starts[side.index()].get_or_init(|| {
            let asked = self.client.ask(Ask::Start {
                to_move: self.word(side),
            });
            CustomState::answered(self, "start", asked, |state| {
                (state.side() != side).then(|| format!("expected `{}` to move", self.word(side)))
            })
        });
        start.clone()
    }

    /// The position that [`POSITION`] and a state tell.
    fn position_of_line(&'static self, line: &str) -> Option<State> {
        CustomState::read_line(self, line)
    }

    fn handle(&self) -> &'static Self {
        super::registry::handle(&self.program.digest).expect("every game is registered")
    }
}

impl Game for CustomGame {
    fn profile(&self) -> &'static Profile {
        self.described.profile
    }

    fn rules(&self) -> Option<&'static str> {
        None
    }

    fn rules_program(&self) -> Option<&'static RulesProgram> {
        Some(&self.handle().program)
    }

    fn start(&self) -> State {
        self.handle().start_of(self.described.profile.first.drawn_by(0))
    }

    fn read_board(&self, rows: &[&[u8]], side: Side) -> Result<State, BoardError> {
        let game = self.handle();
        let last = rows.last().and_then(|row| str::from_utf8(row).ok());
        if let Some(state) = last.and_then(|row| game.position_of_line(row)) {
            return Ok(state);
        }
        let start = game.start_of(side);
        if start.rows().iter().map(String::as_bytes).eq(rows.iter().copied()) {
            return Ok(start);
        }
        Err(BoardError::of_board(format!(
            "expected the start, or a last row `{POSITION}...`: a board alone does not tell what a rules program has \
             to know"
        )))
    }

    fn read_input(&self, text: &[u8]) -> Result<Input<State>, InputError> {
        let game = self.handle();
        let whole = String::from_utf8_lossy(text);
        let last = whole.trim_end().rsplit('\n').next().unwrap_or_default();
        if let Some(position) = game.position_of_line(last) {
            return Ok(game.input_of(&whole, position));
        }
        game.ask_input(text)
    }

    fn answer(
        &self,
        agent: &BuiltinAgent,
        seed: u64,
        input: &[u8],
        playdata: Option<&str>,
    ) -> Result<BuiltinReply, BuiltinAnswerError> {
        search::answer(self.handle(), agent, seed, input, playdata)
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
        let mut times = line
            .into_iter()
            .flat_map(str::split_ascii_whitespace)
            .map(CpuTime::read_remaining);
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
        let asked: ReadInputAnswer = self
            .client
            .ask(Ask::ReadInput {
                input: text.iter().copied().map(char::from).collect(),
            })
            .map_err(|broken| fault(1, None, self.note(&broken)))?;
        if let Some(found) = asked.fault {
            return Err(fault(found.line, found.column, crate::protocol::plain(&found.message)));
        }
        let Some(position) = asked.position else {
            let broken = self
                .client
                .fault("read-input", "expected `position` or `fault`".to_owned());
            return Err(fault(1, None, self.note(&broken)));
        };
        let position = CustomState::answered(self, "read-input", Ok(position), |_| None);
        let time = |text: Option<String>| text.as_deref().and_then(CpuTime::read_remaining);
        Ok(Input {
            purpose: if asked.single {
                InputPurpose::Single
            } else {
                InputPurpose::Game
            },
            position,
            own: time(asked.own).unwrap_or(self.described.profile.play_time),
            opponent: time(asked.opponent),
        })
    }
}
