//! A game with a rules program: its client, what the program said of it, and its first fault. `registry` loads it,
//! `state` asks it, and `interface` makes it a [`referee_games::Game`].

use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

use parking_lot::Mutex;

use super::client::Client;
use super::fault::RulesFault;
use super::launch::Launch;
use super::profile::{CheckedProfile, described};
use super::protocol::{ChangedAnswer, Description, PROTOCOL, RulesQuestion};
use referee_games::{GameRef, RulesProgram, RulesUnavailable, Side, State};

/// A game whose rules are a program of their own.
pub(super) struct CustomGame {
    pub(super) client: Client,
    pub(super) described: CheckedProfile,
    pub(super) program: RulesProgram,
    /// The starts with each side to move, once they have been asked for.
    pub(super) starts: [OnceLock<State>; 2],
    /// The first fault of this process.
    fault: OnceLock<String>,
    /// What the laws are tried by.
    noticed: Mutex<QuestionOutcome>,
    /// This game itself, which lives as long as the process.
    this: OnceLock<&'static Self>,
}

impl fmt::Debug for CustomGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomGame").field("program", &self.program).finish_non_exhaustive()
    }
}

/// What happened while questions were asked.
#[derive(Debug, Default)]
struct QuestionOutcome {
    /// The latest fault.
    fault: Option<RulesFault>,
    /// A method that changed the state that it was given.
    changed: Option<ChangedAnswer>,
}

impl CustomGame {
    /// The game of a program, which is started and asked what the game is like.
    ///
    /// # Errors
    ///
    /// What is wrong, with a remedy.
    pub(super) fn begin(launch: Launch) -> Result<&'static Self, RulesUnavailable> {
        let program = RulesProgram {
            digest: launch.digest.clone(),
            folder: launch.folder.clone(),
            place: launch.place.clone(),
            tools: launch.program.command.first().map(PathBuf::from).into_iter().collect(),
            attachment: launch.attachment(),
        };
        let client = Client::new(launch);
        let described = client
            .ask_for(RulesQuestion::Game { protocol: PROTOCOL }, |said: Description| described(&said))
            .map_err(|fault| fault.at_start())?;
        Ok(Self::leaked(client, described, program))
    }

    /// The same rules in a process of their own, which has been asked nothing; `None` where it cannot be started. It
    /// lives as long as this process, as every game does.
    pub(super) fn restarted(&self) -> Option<&'static Self> {
        let client = Client::new(self.client.launch.clone());
        client.ask::<Description>(RulesQuestion::Game { protocol: PROTOCOL }).ok()?;
        Some(Self::leaked(client, self.described.clone(), self.program.clone()))
    }

    fn leaked(client: Client, described: CheckedProfile, program: RulesProgram) -> &'static Self {
        let starts = [OnceLock::new(), OnceLock::new()];
        let (fault, noticed, this) = (OnceLock::new(), Mutex::default(), OnceLock::new());
        let game: &'static Self =
            Box::leak(Box::new(Self { client, described, program, starts, fault, noticed, this }));
        game.this.get_or_init(|| game)
    }

    /// The game for the rest of its life, which positions need.
    pub(super) fn handle(&self) -> &'static Self {
        self.this.get().expect("every game is made with it")
    }

    /// Its handle for other modules.
    pub(super) fn game_ref(&'static self) -> GameRef {
        GameRef::of(self)
    }

    /// The word of a side.
    pub(super) fn word(&self, side: Side) -> &'static str {
        self.described.profile.side(side).word
    }

    /// Notes a fault, so that no command ends as if nothing had happened.
    pub(super) fn note(&self, fault: &RulesFault) -> RulesUnavailable {
        let text = fault.to_string();
        self.fault.get_or_init(|| text.clone());
        self.noticed.lock().fault = Some(fault.clone());
        fault.blaming(text)
    }

    /// Notes a method that changed the state that it was given.
    pub(super) fn note_change(&self, changed: ChangedAnswer) {
        self.noticed.lock().changed = Some(changed);
    }

    /// The latest fault since the last call.
    pub(super) fn take_fault(&self) -> Option<RulesFault> {
        let mut noticed = self.noticed.lock();
        noticed.fault.take()
    }

    /// A method that changed the state that it was given, since the last call.
    pub(super) fn take_change(&self) -> Option<ChangedAnswer> {
        let mut noticed = self.noticed.lock();
        noticed.changed.take()
    }

    /// The first fault of this process, if there was one.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }
}
