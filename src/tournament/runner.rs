//! The runner: plays all games of a run that are not finished yet, several at a time.
//!
//! Each game is a blocking task of its own with two seats; a semaphore keeps as many at work as there are jobs.
//! Every finished game is on disk before it is told of. A void game is played again under its own name; two in a row end
//! the run, since the machine is then in no state to judge anybody.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::derive_seed;
use crate::agents::Contestant;
use crate::games::Side;
use crate::protocol::{Game, GameVisitor};
use crate::records::{GameRecord, Manifest, Pairing, PerSide, PlayerRecord, RecordError, RunFolder, SCHEMA};
use crate::referee::{Scene, Void, play};
use crate::seat::{Seat, SeatOptions};

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game has begun.
    Began(Pairing),
    /// A game stands so.
    Stands(Pairing, Scene),
    /// A game is finished and on disk.
    Finished(Box<GameRecord>),
    /// A game broke through our own fault and will be played again.
    Voided(Pairing, String),
}

/// Why a run could not be brought to its end. What was finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game broke twice in a row through our own fault.
    #[error("game `{id}` broke twice in a row, not through the agents: {reason}")]
    VoidTwice {
        /// The game.
        id: String,
        /// What failed the second time.
        reason: String,
    },
    /// A record could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A program error of ours.
    #[error("game task failed: {0}")]
    Task(String),
}

/// A run that is ready to be played.
#[derive(Clone, Debug)]
pub struct Runner {
    /// What is to be played.
    pub manifest: Manifest,
    /// Where it is kept.
    pub folder: RunFolder,
    /// How the seats of all games are opened.
    pub seats: SeatOptions,
    /// The agents by their names in the manifest.
    pub contestants: BTreeMap<String, Contestant>,
}

impl Runner {
    /// Plays all games that have no record yet, `jobs` at a time. `hear` is told of everything, from several threads.
    ///
    /// # Errors
    ///
    /// [`RunError`]; the games that were in hand then are dropped, the finished ones are kept.
    pub async fn run(self, jobs: usize, hear: impl Fn(Event) + Clone + Send + Sync + 'static) -> Result<(), RunError> {
        let finished = self.folder.finished(&self.manifest);
        let places = Arc::new(Semaphore::new(jobs));
        let runner = Arc::new(self);
        let mut games = JoinSet::new();
        let all = runner.manifest.games.iter();
        let missing: Vec<_> = all.filter(|pairing| !finished.contains(&pairing.id)).cloned().collect();
        for pairing in missing {
            // A game begins when there is a place for it, so the games begin in their order.
            let place = Arc::clone(&places)
                .acquire_owned()
                .await
                .map_err(|closed| RunError::Task(closed.to_string()))?;
            while let Some(ended) = games.try_join_next() {
                unwrap_task(ended)?;
            }
            let (runner, hear) = (Arc::clone(&runner), hear.clone());
            games.spawn_blocking(move || {
                let _place = place;
                runner.play_to_the_end(&pairing, &hear)
            });
        }
        while let Some(ended) = games.join_next().await {
            unwrap_task(ended)?;
        }
        Ok(())
    }

    fn play_to_the_end(&self, pairing: &Pairing, hear: &impl Fn(Event)) -> Result<(), RunError> {
        let record = match self.play_once(pairing, hear) {
            Ok(record) => record,
            Err(Void { reason }) => {
                hear(Event::Voided(pairing.clone(), reason));
                let again = self.play_once(pairing, hear);
                again.map_err(|Void { reason }| RunError::VoidTwice {
                    id: pairing.id.clone(),
                    reason,
                })?
            }
        };
        self.folder.keep(&record)?;
        hear(Event::Finished(Box::new(record)));
        Ok(())
    }

    fn play_once(&self, pairing: &Pairing, hear: &impl Fn(Event)) -> Result<GameRecord, Void> {
        hear(Event::Began(pairing.clone()));
        self.manifest.game.visit(OneGame {
            runner: self,
            pairing,
            hear,
        })
    }

    fn contestant(&self, name: &str) -> Result<&Contestant, Void> {
        self.contestants.get(name).ok_or_else(|| Void {
            reason: format!("no agent is called `{name}`"),
        })
    }

    fn open_seat(&self, pairing: &Pairing, side: Side) -> Result<Seat, Void> {
        let contestant = self.contestant(pairing.name(side))?;
        let seed = derive_seed(self.manifest.seed, &[&pairing.id, side_word(side)]);
        Ok(contestant.take_seat(self.manifest.game, seed, &self.seats)?)
    }
}

fn unwrap_task(ended: Result<Result<(), RunError>, tokio::task::JoinError>) -> Result<(), RunError> {
    ended.map_err(|error| RunError::Task(error.to_string()))?
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

struct OneGame<'a, H> {
    runner: &'a Runner,
    pairing: &'a Pairing,
    hear: &'a H,
}

impl<H: Fn(Event)> GameVisitor for OneGame<'_, H> {
    type Output = Result<GameRecord, Void>;

    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
        let Self { runner, pairing, hear } = self;
        let start = P::start(rules).with_side_to_move(pairing.first);
        let began_unix_s = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let mut seats = PerSide {
            black: runner.open_seat(pairing, Side::Black)?,
            white: runner.open_seat(pairing, Side::White)?,
        };
        let show = |proceedings: &_| hear(Event::Stands(pairing.clone(), Scene::of(proceedings)));
        let ended = play(start.clone(), runner.manifest.conditions.clone(), &mut seats, show)?;
        let charge = runner.manifest.conditions.charge;
        let uncertainty = PerSide::from_fn(|side| seats.of(side).uncertainty(charge));
        let close_calls = ended.close_calls(uncertainty);
        let Some(verdict) = ended.verdict().cloned() else {
            return Err(Void {
                reason: "the game stopped before its end".to_owned(),
            });
        };
        let player = |side| {
            let name = pairing.name(side).to_owned();
            let digest = runner.contestant(&name)?.digest();
            Ok::<_, Void>(PlayerRecord {
                name,
                digest,
                meter: seats.of(side).meter(),
                uncertainty: *uncertainty.of(side),
                isolation: seats.of(side).isolation(),
            })
        };
        Ok(GameRecord {
            schema: SCHEMA,
            id: pairing.id.clone(),
            game: P::id(rules),
            players: PerSide {
                black: player(Side::Black)?,
                white: player(Side::White)?,
            },
            conditions: runner.manifest.conditions.clone(),
            began_unix_s,
            start: start.rows(),
            first: pairing.first,
            turns: ended.into_turns(),
            verdict,
            close_calls,
        })
    }
}
