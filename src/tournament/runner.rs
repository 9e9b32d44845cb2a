//! The runner: plays all games of a run and puts all its questions that are not finished yet, several at a time.
//!
//! Each game or answer is a blocking task of its own; as many are at work as there are [`Places`]. Everything is
//! on disk before it is told of. What breaks through our own fault is done again under its own name; twice in a row ends the
//! run, since the machine is then in no state to judge anybody.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinSet;

use super::derive_seed;
use super::one_game::{OneGame, player, unix_time};
use super::outside::{was_answer_ended_from_outside, was_ended_from_outside};
use super::places::Places;
use crate::agents::Contestant;
use crate::games::Side;
use crate::records::{AnswerRecord, Asked, GameRecord, Host, Kept, Manifest, Pairing, PerSide, RecordError, RunFolder};
use crate::referee::{Answer, Scene, Void, ask};
use crate::seat::SeatOptions;

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game has begun.
    Began(Pairing),
    /// A game stands so.
    Stands(Arc<str>, Arc<Scene>),
    /// A game is finished and on disk.
    Finished(Box<GameRecord>),
    /// The game of this name is finished, but another process has finished it before: its result stays.
    Superseded {
        /// The name.
        id: String,
    },
    /// A question has been put to an agent.
    Asked(Asked),
    /// A question has been answered, and the answer is on disk.
    Answered(Box<AnswerRecord>),
    /// The game or answer of this name broke through our own fault; it is done again.
    Voided {
        /// The name.
        id: String,
        /// What failed.
        reason: String,
    },
}

/// Why a run could not be brought to its end. What was finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game or an answer broke twice in a row through our own fault.
    #[error("`{id}` broke twice in a row, not through the agents: {reason}")]
    VoidTwice {
        /// The game or the answer.
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
    /// The machine that this is.
    pub host: Host,
}

/// Something that a run has to do.
#[derive(Clone, Debug)]
pub enum Undone {
    /// A game is to be played.
    Game(Pairing),
    /// A question is to be put to an agent.
    Answer(Asked),
}

impl Undone {
    /// The name of the game or the answer.
    pub fn id(&self) -> &str {
        match self {
            Self::Game(pairing) => &pairing.id,
            Self::Answer(asked) => &asked.id,
        }
    }

    /// Whether the agent `name` takes part in it.
    pub fn concerns(&self, name: &str) -> bool {
        match self {
            Self::Game(pairing) => pairing.black == name || pairing.white == name,
            Self::Answer(asked) => asked.agent == name,
        }
    }
}

impl Runner {
    /// Everything that has no record yet: the answers, then the games, in the order of the manifest.
    pub fn undone(&self) -> Vec<Undone> {
        let missing = |ids: Vec<String>| {
            let done: BTreeSet<String> = ids.into_iter().collect();
            move |id: &String| !done.contains(id)
        };
        let no_answer = missing(self.folder.answered(&self.manifest));
        let no_game = missing(self.folder.finished(&self.manifest));
        let answers = self.manifest.answers.iter().filter(|asked| no_answer(&asked.id));
        let games = self.manifest.games.iter().filter(|pairing| no_game(&pairing.id));
        let answers = answers.cloned().map(Undone::Answer);
        answers.chain(games.cloned().map(Undone::Game)).collect()
    }

    /// Whether all agents that take part in `undone` are here.
    pub fn can_do(&self, undone: &Undone) -> bool {
        match undone {
            Undone::Game(pairing) => Side::BOTH
                .into_iter()
                .all(|side| self.contestants.contains_key(pairing.name(side))),
            Undone::Answer(asked) => self.contestants.contains_key(&asked.agent),
        }
    }

    /// Does everything in `undone`, as much at a time as there are `places`. `hear` is told of everything, from several threads.
    ///
    /// Each task is asked for when there is a place for it, after everything was heard and kept that the places were
    /// taken by before: so an iterator can leave out what the results have made needless.
    ///
    /// # Errors
    ///
    /// [`RunError`]; what was in hand then is dropped, what was finished is kept.
    pub async fn run(
        self,
        undone: impl IntoIterator<Item = Undone>,
        places: Places,
        hear: impl Fn(Event) + Clone + Send + Sync + 'static,
    ) -> Result<(), RunError> {
        let runner = Arc::new(self);
        // Whoever drops this future drops what is in hand, too, though its threads go on.
        let given_up = Arc::new(AtomicBool::new(false));
        let _gives_up = GivesUp(Arc::clone(&given_up));
        let mut tasks = JoinSet::new();
        let mut undone = undone.into_iter();
        loop {
            // A task begins when there is a place for it, so they begin in their order.
            let place = places.take().await;
            let place = place.map_err(|closed| RunError::Task(closed.to_string()))?;
            while let Some(ended) = tasks.try_join_next() {
                unwrap_task(ended)?;
            }
            let Some(task) = undone.next() else {
                break;
            };
            let (runner, given_up, hear) = (Arc::clone(&runner), Arc::clone(&given_up), hear.clone());
            tasks.spawn_blocking(move || {
                // The whole of it comes along: a closure takes no more than it names, and the place is to be held.
                let place = place;
                let seats = SeatOptions {
                    processor: place.processor,
                    ..runner.seats.clone()
                };
                runner.bring_to_its_end(&task, &seats, &given_up, &hear)
            });
        }
        while let Some(ended) = tasks.join_next().await {
            unwrap_task(ended)?;
        }
        Ok(())
    }

    /// Keeps no result any more once `given_up` is set: the agents may have been taken away, and have done nothing wrong then.
    fn bring_to_its_end(
        &self,
        task: &Undone,
        seats: &SeatOptions,
        given_up: &AtomicBool,
        hear: &impl Fn(Event),
    ) -> Result<(), RunError> {
        match task {
            Undone::Game(pairing) => {
                let record = twice(&pairing.id, hear, || self.play_once(pairing, seats, hear))?;
                if given_up.load(Ordering::SeqCst) || was_ended_from_outside(&record, given_up) {
                    return Ok(());
                }
                match self.folder.keep(&record)? {
                    Kept::First | Kept::Again => hear(Event::Finished(Box::new(record))),
                    Kept::Superseded => hear(Event::Superseded { id: record.id }),
                }
            }
            Undone::Answer(asked) => {
                let record = twice(&asked.id, hear, || self.ask_once(asked, seats, hear))?;
                if given_up.load(Ordering::SeqCst) || was_answer_ended_from_outside(&record, given_up) {
                    return Ok(());
                }
                self.folder.keep_answer(&record)?;
                hear(Event::Answered(Box::new(record)));
            }
        }
        Ok(())
    }

    fn ask_once(&self, asked: &Asked, seats: &SeatOptions, hear: &impl Fn(Event)) -> Result<AnswerRecord, Void> {
        hear(Event::Asked(asked.clone()));
        let question = self.manifest.question(&asked.question).ok_or_else(|| Void {
            reason: format!("no question is called `{}`", asked.question),
        })?;
        let contestant = self.contestant(&asked.agent)?;
        let seed = derive_seed(self.manifest.seed, &[&asked.id]);
        let mut seat = contestant.take_seat(self.manifest.game, seed, seats)?;
        let conditions = self.manifest.conditions_of_answer(question);
        let began_unix_s = unix_time();
        let run = ask(question, &conditions, &mut seat)?;
        let agent = player(contestant, &seat, conditions.charge);
        let answer = Answer {
            id: asked.id.clone(),
            game: self.manifest.game,
            agent,
            question: question.clone(),
            conditions,
            began_unix_s,
            run,
        };
        answer.judged().map_err(|fault| Void {
            reason: format!("question `{}`: {fault}", question.name),
        })
    }

    fn play_once(&self, pairing: &Pairing, seats: &SeatOptions, hear: &impl Fn(Event)) -> Result<GameRecord, Void> {
        let players = PerSide {
            black: self.contestant(&pairing.black)?,
            white: self.contestant(&pairing.white)?,
        };
        let game = OneGame {
            manifest: &self.manifest,
            pairing,
            players,
            seats,
            host: &self.host,
        };
        game.play_once(hear)
    }

    fn contestant(&self, name: &str) -> Result<&Contestant, Void> {
        self.contestants.get(name).ok_or_else(|| Void {
            reason: format!("no agent is called `{name}`"),
        })
    }
}

/// Sets its flag when it goes.
struct GivesUp(Arc<AtomicBool>);

impl Drop for GivesUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// What `once` makes; where that breaks through our own fault, what it makes the second time.
pub(super) fn twice<T>(id: &str, hear: &impl Fn(Event), once: impl Fn() -> Result<T, Void>) -> Result<T, RunError> {
    once().or_else(|Void { reason }| {
        let id = id.to_owned();
        hear(Event::Voided { id: id.clone(), reason });
        once().map_err(|Void { reason }| RunError::VoidTwice { id, reason })
    })
}

fn unwrap_task(ended: Result<Result<(), RunError>, tokio::task::JoinError>) -> Result<(), RunError> {
    ended.map_err(|error| RunError::Task(error.to_string()))?
}
