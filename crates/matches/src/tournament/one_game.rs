//! One game of a run between two agents, from its pairing to its record. It schedules and stores nothing; the
//! scheduler calls it.

use std::sync::Arc;

use super::derive_seed;
use super::event::RunEvent;
use crate::referee::{GameSlot, Void, play_game};
use referee_games::Side;
use referee_records::{AgentRecord, AgentRole, GameRecord, Host, Manifest, Pairing, PerSide, PlayerKind, PlayerRecord};
use referee_seat::{Charge, Seat, SeatOptions};
use referee_submissions::agents::Participant;

/// A game between two agents, ready to be played here.
#[derive(Clone, Debug)]
pub(super) struct OneGame<'a> {
    /// The run: its game and conditions.
    pub manifest: &'a Manifest,
    /// The pairing of this game.
    pub pairing: &'a Pairing,
    /// The agents that the pairing names.
    pub players: PerSide<Arc<Participant>>,
    /// The options of their seats.
    pub seats: &'a SeatOptions,
    /// This machine.
    pub host: &'a Host,
}

impl OneGame<'_> {
    /// Plays the game at `opened` seats, or at new ones, and reports its progress to `on_event`. Does not store the
    /// record. Closing the returned seats takes a moment.
    ///
    /// # Errors
    ///
    /// [`Void`] if the game failed through no fault of the agents.
    pub(super) fn play(
        &self,
        opened: Option<PerSide<Seat>>,
        on_event: &impl Fn(RunEvent),
    ) -> Result<(GameRecord, PerSide<Seat>), Void> {
        on_event(RunEvent::GameBegan(self.pairing.clone()));
        let mut seated = opened.map_or_else(|| self.open_seats(), Ok)?;
        let charge = self.manifest.conditions.charge;
        let players = PerSide::from_fn(|side| player(self.players.of(side), seated.of(side), charge));
        let id: Arc<str> = self.pairing.id.as_str().into();
        let show = |snapshot, _: &_| on_event(RunEvent::PositionChanged(Arc::clone(&id), Arc::new(snapshot)));
        let slot = GameSlot { host: self.host, processor: self.seats.processor };
        let PerSide { black, white } = &mut seated;
        let record = play_game(self.manifest, self.pairing, slot, players, PerSide { black, white }, show)?;
        Ok((record, seated))
    }

    /// Opens the seats of both agents.
    pub(super) fn open_seats(&self) -> Result<PerSide<Seat>, Void> {
        Ok(PerSide { black: self.open_seat(Side::Black)?, white: self.open_seat(Side::White)? })
    }

    fn open_seat(&self, side: Side) -> Result<Seat, Void> {
        let seed = seed_of(self.manifest, self.pairing, side);
        Ok(self.players.of(side).take_seat(self.manifest.game, seed, self.seats)?)
    }
}

/// The seed for the choices of a built-in agent at `side` of the game `pairing`.
pub fn seed_of(manifest: &Manifest, pairing: &Pairing, side: Side) -> u64 {
    derive_seed(manifest.seed, &[&pairing.id, side.into()])
}

/// The record of `participant` in a run's manifest.
pub fn agent_record(participant: &Participant, role: AgentRole) -> AgentRecord {
    let origin = participant.agent().spec.to_string();
    AgentRecord {
        role,
        remarks: participant.agent().remarks.clone(),
        ..AgentRecord::participant(participant.name().to_owned(), origin, participant.digest())
    }
}

/// The record of a player and of how its seat measures and isolates it.
pub fn player(participant: &Participant, seat: &Seat, charge: Charge) -> PlayerRecord {
    PlayerRecord {
        name: participant.name().to_owned(),
        digest: participant.digest(),
        seated: PlayerKind::Program {
            meter: seat.meter(),
            uncertainty: seat.uncertainty(charge),
            isolation: seat.isolation(),
            protocol: seat.protocol(),
            pace: participant.agent().pace(),
        },
    }
}
