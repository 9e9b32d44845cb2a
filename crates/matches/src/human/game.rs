//! A game between a person and an agent. It connects both to the referee; `cli/play` and `serve/play` call it.

use super::person::{Person, PersonInterface};
use crate::referee::{GameSlot, GameSnapshot, Player, Void, play_game};
use crate::tournament::{player, seed_of};
use referee_games::Side;
use referee_records::{
    GameRecord, Host, Manifest, Pairing, PerSide, PersonClock, PlayerKind, PlayerRecord, TurnRecord,
};
use referee_seat::SeatOptions;
use referee_submissions::agents::Participant;

/// A person and an agent in the games of a run.
#[derive(Clone, Debug)]
pub struct PersonMatch {
    /// The run: its agents are the two, its games theirs.
    pub manifest: Manifest,
    /// The agent.
    pub participant: Participant,
    /// The name of the person in the run.
    pub person: String,
    /// The person's clock.
    pub clock: PersonClock,
    /// The options of the agent's seat.
    pub seats: SeatOptions,
}

/// Why a game has no record.
#[derive(Debug, thiserror::Error)]
pub enum NotPlayed {
    /// The person left before its end.
    #[error("the person left")]
    Left,
    /// It failed through our own fault.
    #[error(transparent)]
    Void(#[from] Void),
}

impl PersonMatch {
    /// The person's side in the game `pairing`.
    pub fn side_of_person(&self, pairing: &Pairing) -> Side {
        if pairing.black == self.person { Side::Black } else { Side::White }
    }

    /// Plays the game `pairing` to its end; calls `watch` with it and all turns so far before each run, and once at the
    /// end.
    ///
    /// # Errors
    ///
    /// [`NotPlayed`] if the person left, or the game failed through our own fault.
    pub fn play<V: PersonInterface>(
        &self,
        pairing: &Pairing,
        interface: V,
        watch: impl FnMut(GameSnapshot, &[TurnRecord]),
    ) -> Result<GameRecord, NotPlayed> {
        let own = self.side_of_person(pairing);
        let game = self.manifest.game;
        let seed = seed_of(&self.manifest, pairing, own.other());
        let mut seat = self.participant.take_seat(game, seed, &self.seats).map_err(Void::from)?;
        let agent = player(&self.participant, &seat, self.manifest.conditions.charge);
        let person = PlayerRecord {
            name: self.person.clone(),
            digest: String::new(),
            seated: PlayerKind::Person { clock: self.clock },
        };
        let mut seated_person = Person::new(game, self.clock, interface);
        let (by_agent, by_person): (&mut dyn Player, &mut dyn Player) = (&mut seat, &mut seated_person);
        let (players, seated) = match own {
            Side::Black => (PerSide { black: person, white: agent }, PerSide { black: by_person, white: by_agent }),
            Side::White => (PerSide { black: agent, white: person }, PerSide { black: by_agent, white: by_person }),
        };
        let host = Host::this();
        let slot = GameSlot { host: &host, processor: self.seats.processor };
        let played = play_game(&self.manifest, pairing, slot, players, seated, watch);
        if seated_person.is_gone {
            return Err(NotPlayed::Left);
        }
        Ok(played?)
    }
}
