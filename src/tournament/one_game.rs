//! One game of a run, from its pairing to its record.

use super::derive_seed;
use super::runner::{Event, RunError, player, twice, unix_time};
use crate::agents::Contestant;
use crate::games::Side;
use crate::protocol::{Game, GameVisitor};
use crate::records::{GameRecord, Host, Manifest, Pairing, PerSide, SCHEMA};
use crate::referee::{Scene, Void, play};
use crate::seat::{Seat, SeatOptions};

/// A game that can be played here and now.
#[derive(Clone, Copy, Debug)]
pub struct OneGame<'a> {
    /// What is played under which conditions.
    pub manifest: &'a Manifest,
    /// Which of its games it is.
    pub pairing: &'a Pairing,
    /// The agents that the pairing names.
    pub players: PerSide<&'a Contestant>,
    /// How their seats are opened.
    pub seats: &'a SeatOptions,
    /// The machine that this is.
    pub host: &'a Host,
}

impl OneGame<'_> {
    /// Plays it, once more if it breaks through our own fault. `hear` is told how it goes; the record is kept by nobody.
    ///
    /// # Errors
    ///
    /// [`RunError::VoidTwice`].
    pub fn play(&self, hear: &impl Fn(Event)) -> Result<GameRecord, RunError> {
        twice(&self.pairing.id, hear, || self.play_once(hear))
    }

    /// Plays it.
    pub(super) fn play_once(&self, hear: &impl Fn(Event)) -> Result<GameRecord, Void> {
        hear(Event::Began(self.pairing.clone()));
        self.manifest.game.visit(Playing { game: *self, hear })
    }

    fn open_seat(&self, side: Side) -> Result<Seat, Void> {
        let seed = derive_seed(self.manifest.seed, &[&self.pairing.id, side_word(side)]);
        let contestant = self.players.of(side);
        Ok(contestant.take_seat(self.manifest.game, seed, self.seats)?)
    }
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

struct Playing<'a, H> {
    game: OneGame<'a>,
    hear: &'a H,
}

impl<H: Fn(Event)> GameVisitor for Playing<'_, H> {
    type Output = Result<GameRecord, Void>;

    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
        let Self { game, hear } = self;
        let OneGame { manifest, pairing, .. } = game;
        let start = start::<P>(pairing, rules)?;
        let conditions = manifest.conditions_of(pairing);
        let began_unix_s = unix_time();
        let mut seats = PerSide {
            black: game.open_seat(Side::Black)?,
            white: game.open_seat(Side::White)?,
        };
        let show = |proceedings: &_| hear(Event::Stands(pairing.clone(), Scene::of(proceedings)));
        let ended = play(start.clone(), conditions.clone(), &mut seats, show)?;
        let players = PerSide::from_fn(|side| player(game.players.of(side), seats.of(side), conditions.charge));
        let close_calls = ended.close_calls(PerSide::from_fn(|side| players.of(side).uncertainty));
        let Some(verdict) = ended.verdict().cloned() else {
            return Err(Void {
                reason: "the game stopped before its end".to_owned(),
            });
        };
        Ok(GameRecord {
            schema: SCHEMA,
            id: pairing.id.clone(),
            game: P::id(rules),
            players,
            conditions,
            began_unix_s,
            start: start.rows(),
            first: pairing.first,
            turns: ended.into_turns(),
            verdict,
            close_calls,
            host: Some(game.host.clone()),
        })
    }
}

/// The position that the game begins with.
fn start<P: Game>(pairing: &Pairing, rules: P::Rules) -> Result<P, Void> {
    let Some(rows) = &pairing.start else {
        return Ok(P::start(rules).with_side_to_move(pairing.first));
    };
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    P::from_rows(&rows, pairing.first, rules).map_err(|fault| Void {
        reason: format!("the start of game `{}` is not a board: {fault}", pairing.id),
    })
}
