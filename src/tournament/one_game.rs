//! One game of a run: between agents, from its pairing to its record, or between any two players who have taken their
//! seats.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::derive_seed;
use super::runner::RunEvent;
use crate::agents::Participant;
use crate::games::{GameId, Side, State};
use crate::records::{
    AgentRecord, AgentRole, GameRecord, Host, Manifest, Noise, Pairing, PerSide, PlayerRecord, SCHEMA, Seated,
    TurnRecord,
};
use crate::referee::{OngoingGame, Player, Scene, Void, play};
use crate::seat::{Charge, Seat, SeatOptions, time_fixed_work};

/// A game between two agents that can be played here and now.
#[derive(Clone, Copy, Debug)]
pub struct OneGame<'a> {
    /// What is played under which conditions.
    pub manifest: &'a Manifest,
    /// Which of its games it is.
    pub pairing: &'a Pairing,
    /// The agents that the pairing names.
    pub players: PerSide<&'a Participant>,
    /// How their seats are opened.
    pub seats: &'a SeatOptions,
    /// The machine that this is.
    pub host: &'a Host,
}

impl OneGame<'_> {
    /// Plays it. `on_event` is told how it goes; the record is kept by nobody.
    ///
    /// # Errors
    ///
    /// [`Void`] where the game broke through no fault of the agents.
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

    /// Plays it at seats that are open.
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

/// How often a fixed workload is timed at either end of a game, to know how steady the machine is: four milliseconds in
/// all.
const TIMES_AT_EITHER_END: usize = 4;

/// Where a game is played.
#[derive(Clone, Copy, Debug)]
pub struct GameSlot<'a> {
    /// The machine.
    pub host: &'a Host,
    /// The processor that the game has for itself, if it has one.
    pub processor: Option<usize>,
}

/// Plays the game `pairing` of the run of `manifest` to its end, at `place`. `watch` is shown the game, and all
/// turns so far, before each run and once more at the end.
///
/// # Errors
///
/// [`Void`] where the game broke through our own fault: there is no record of it then.
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
        return Err(Void {
            reason: "the game stopped before its end".to_owned(),
        });
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

/// What a built-in agent at `side` of the game `pairing` draws its choices from.
pub fn seed_of(manifest: &Manifest, pairing: &Pairing, side: Side) -> u64 {
    derive_seed(manifest.seed, &[&pairing.id, side_word(side)])
}

/// How `participant` stands in the manifest of a run.
pub fn agent_record(participant: &Participant, role: AgentRole) -> AgentRecord {
    let origin = participant.agent().spec.to_string();
    AgentRecord {
        role,
        remarks: participant.agent().remarks.clone(),
        ..AgentRecord::participant(participant.name().to_owned(), origin, participant.digest())
    }
}

/// Who sits there, and how he is measured and kept apart.
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

/// The position that the game begins with.
fn start(game: GameId, pairing: &Pairing) -> Result<State, Void> {
    let Some(rows) = &pairing.start else {
        return Ok(game.start().with_side_to_move(pairing.first));
    };
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    game.read_board(&rows, pairing.first).map_err(|fault| Void {
        reason: format!("the start of game `{}` is not a board: {fault}", pairing.id),
    })
}
