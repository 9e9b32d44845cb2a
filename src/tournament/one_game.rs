//! One game of a run, from its pairing to its record: between agents, or between any two seated players. It schedules
//! and stores nothing; the runner, shards and `human` call it.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::derive_seed;
use super::event::RunEvent;
use crate::agents::Participant;
use crate::games::{GameId, Side, State};
use crate::records::{
    AgentRecord, AgentRole, GameRecord, Host, Manifest, Noise, Pairing, PerSide, PlayerRecord, SCHEMA, Seated,
    TurnRecord,
};
use crate::referee::{OngoingGame, Player, Scene, Void, play};
use crate::seat::{Charge, Seat, SeatOptions, time_fixed_work};

/// A game between two agents, ready to be played here.
#[derive(Clone, Copy, Debug)]
pub struct OneGame<'a> {
    /// The run: its game and conditions.
    pub manifest: &'a Manifest,
    /// The pairing of this game.
    pub pairing: &'a Pairing,
    /// The agents that the pairing names.
    pub players: PerSide<&'a Participant>,
    /// The options of their seats.
    pub seats: &'a SeatOptions,
    /// This machine.
    pub host: &'a Host,
}

impl OneGame<'_> {
    /// Plays the game and reports its progress to `on_event`. Does not store the record.
    ///
    /// # Errors
    ///
    /// [`Void`] if the game failed through no fault of the agents.
    pub fn play(&self, on_event: &impl Fn(RunEvent)) -> Result<GameRecord, Void> {
        on_event(RunEvent::Began(self.pairing.clone()));
        self.play_at(&mut self.open_seats()?, on_event)
    }

    /// Opens the seats of both agents.
    pub(super) fn open_seats(&self) -> Result<PerSide<Seat>, Void> {
        Ok(PerSide {
            black: self.open_seat(Side::Black)?,
            white: self.open_seat(Side::White)?,
        })
    }

    /// Plays the game at open seats.
    pub(super) fn play_at(&self, seated: &mut PerSide<Seat>, on_event: &impl Fn(RunEvent)) -> Result<GameRecord, Void> {
        let charge = self.manifest.conditions.charge;
        let players = PerSide::from_fn(|side| player(self.players.of(side), seated.of(side), charge));
        let id: Arc<str> = self.pairing.id.as_str().into();
        let show = |scene, _: &_| on_event(RunEvent::Stands(Arc::clone(&id), Arc::new(scene)));
        let place = GameSlot {
            host: self.host,
            processor: self.seats.processor,
        };
        one_game(self.manifest, self.pairing, place, players, seated, show)
    }

    fn open_seat(&self, side: Side) -> Result<Seat, Void> {
        let seed = seed_of(self.manifest, self.pairing, side);
        Ok(self.players.of(side).take_seat(self.manifest.game, seed, self.seats)?)
    }
}

/// How often the fixed workload is timed at either end of a game, to measure noise: four milliseconds in all.
const TIMES_AT_EITHER_END: usize = 4;

/// Where a game is played.
#[derive(Clone, Copy, Debug)]
pub struct GameSlot<'a> {
    /// This machine.
    pub host: &'a Host,
    /// The processor reserved for the game, if any.
    pub processor: Option<usize>,
}

/// Plays the game `pairing` of the run `manifest` to its end, at `place`. Calls `watch` with the game and all turns so
/// far before each run, and once at the end.
///
/// # Errors
///
/// [`Void`] if the game failed through our own fault: it has no record.
pub fn one_game<L: Player>(
    manifest: &Manifest,
    pairing: &Pairing,
    place: GameSlot<'_>,
    players: PerSide<PlayerRecord>,
    seated: &mut PerSide<L>,
    mut watch: impl FnMut(Scene, &[TurnRecord]),
) -> Result<GameRecord, Void> {
    let start = start(manifest.game, pairing)?;
    let conditions = manifest.conditions_of(pairing);
    let began_unix_s = unix_time();
    let fixed_work = || time_fixed_work(TIMES_AT_EITHER_END, place.processor);
    let before = fixed_work();
    let show = |ongoing_game: &OngoingGame| watch(Scene::of(ongoing_game), ongoing_game.turns());
    let paces = PerSide::from_fn(|side| players.of(side).pace());
    let ended = play(start.clone(), conditions.clone(), paces, seated, show)?;
    let noise = Noise {
        before,
        after: fixed_work(),
    };
    let uncertainty = PerSide::from_fn(|side| players.of(side).uncertainty());
    let close_calls = ended.close_calls(uncertainty, Some(&noise));
    let Some(verdict) = ended.verdict().cloned() else {
        return Err(Void::new("the game stopped early"));
    };
    Ok(GameRecord {
        schema: SCHEMA,
        id: pairing.id.clone(),
        game: manifest.game,
        players,
        conditions,
        began_unix_s,
        start: start.setup(),
        first: pairing.first,
        turns: ended.into_turns(),
        verdict,
        close_calls,
        noise: Some(noise),
        host: Some(place.host.clone()),
    })
}

/// The seed for the choices of a built-in agent at `side` of the game `pairing`.
pub fn seed_of(manifest: &Manifest, pairing: &Pairing, side: Side) -> u64 {
    derive_seed(manifest.seed, &[&pairing.id, side_word(side)])
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
        seated: Seated::Program {
            meter: seat.meter(),
            uncertainty: seat.uncertainty(charge),
            isolation: seat.isolation(),
            pace: participant.agent().pace(),
        },
    }
}

pub(super) fn unix_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The start position of the game.
fn start(game: GameId, pairing: &Pairing) -> Result<State, Void> {
    let Some(rows) = &pairing.start else {
        return Ok(game.start().with_side_to_move(pairing.first));
    };
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    game.read_board(&rows, pairing.first)
        .map_err(|fault| Void::new(format!("invalid start position of game `{}`: {fault}", pairing.id)))
}
