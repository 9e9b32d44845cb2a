//! The runner: plays all games of a run and puts all its questions that are not finished yet, several at a time.
//!
//! Each game or answer is a blocking task of its own; as many are at work as there are [`Places`]. Everything is
//! on disk before it is told of. What is void is done again under its own name; void twice, it waits until everything else is
//! finished ([`Attempts`]), and what is void then as well is left for a resumed run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::task::JoinSet;

use super::attempts::{Attempted, Attempts, Pass, SelfTest, Settled};
use super::derive_seed;
use super::one_game::{OneGame, player, unix_time};
use super::places::{Place, Places};
use crate::agents::Contestant;
use crate::games::Side;
use crate::records::{AnswerRecord, Asked, GameRecord, Host, Manifest, Pairing, PerSide, RecordError, RunFolder};
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
    /// The game or answer of this name was void: it broke, and the rules blame nobody.
    Voided {
        /// The name.
        id: String,
        /// What failed.
        reason: String,
        /// When it is tried again.
        retry: Retry,
    },
}

/// When something that was void is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// At once.
    Now,
    /// When everything else was tried.
    Later,
    /// When the run is resumed.
    WhenResumed,
}

/// Why a run could not be brought to its end. What was finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game or an answer was void twice, and so is a game between built-in agents.
    #[error(
        "nothing can be played on this machine: `{id}` was void twice ({reason}), and so is a test game between built-in agents \
         ({self_test}); see `referee doctor`"
    )]
    Machine {
        /// The game or the answer.
        id: String,
        /// What failed in it.
        reason: String,
        /// What failed in the test game.
        self_test: String,
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
    /// What tells whether this machine works.
    pub self_test: SelfTest,
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

    /// The names of the agents that take part in it.
    pub fn agents(&self) -> Vec<String> {
        match self {
            Self::Game(pairing) => vec![pairing.black.clone(), pairing.white.clone()],
            Self::Answer(asked) => vec![asked.agent.clone()],
        }
    }

    /// Whether the agent `name` takes part in it.
    pub fn concerns(&self, name: &str) -> bool {
        self.agents().iter().any(|agent| agent == name)
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
        // Whoever drops this future drops what is in hand, too, though its threads go on.
        let attempts = Attempts::new(self.folder.clone(), self.self_test.clone());
        let work = Arc::new((self, attempts));
        let _abandons = Abandons(Arc::clone(&work));
        let mut tasks: JoinSet<Done> = JoinSet::new();
        let mut set_aside = Vec::new();
        let mut undone = undone.into_iter();
        loop {
            // A task begins when there is a place for it, so they begin in their order.
            let place = taken(&places).await?;
            while let Some(done) = tasks.try_join_next() {
                set_aside.extend(unwrap_task(done)?);
            }
            let Some(task) = undone.next() else {
                break;
            };
            tasks.spawn_blocking(job(&work, task, Pass::First, place, hear.clone()));
        }
        while let Some(done) = tasks.join_next().await {
            set_aside.extend(unwrap_task(done)?);
        }
        for task in set_aside {
            let place = taken(&places).await?;
            tasks.spawn_blocking(job(&work, task, Pass::Last, place, hear.clone()));
            while let Some(done) = tasks.join_next().await {
                unwrap_task(done)?;
            }
        }
        Ok(())
    }

    fn settle(
        &self,
        attempts: &Attempts,
        task: &Undone,
        pass: Pass,
        seats: &SeatOptions,
        hear: &impl Fn(Event),
    ) -> Result<Settled, RunError> {
        let attempted = Attempted {
            id: task.id(),
            agents: &task.agents(),
            seats,
            pass,
        };
        match task {
            Undone::Game(pairing) => {
                let play = || self.play(pairing, seats, hear);
                attempts.settle(attempted, hear, play, |record| attempts.keep_game(record, hear))
            }
            Undone::Answer(asked) => {
                let ask = || self.ask(asked, seats, hear);
                attempts.settle(attempted, hear, ask, |record| attempts.keep_answer(record, hear))
            }
        }
    }

    fn ask(&self, asked: &Asked, seats: &SeatOptions, hear: &impl Fn(Event)) -> Result<AnswerRecord, Void> {
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

    fn play(&self, pairing: &Pairing, seats: &SeatOptions, hear: &impl Fn(Event)) -> Result<GameRecord, Void> {
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
        game.play(hear)
    }

    fn contestant(&self, name: &str) -> Result<&Contestant, Void> {
        self.contestants.get(name).ok_or_else(|| Void {
            reason: format!("no agent is called `{name}`"),
        })
    }
}

/// What is in hand is dropped when this goes.
struct Abandons(Arc<(Runner, Attempts)>);

impl Drop for Abandons {
    fn drop(&mut self) {
        self.0.1.abandon();
    }
}

/// A task that was set aside, if it was.
type Done = Result<Option<Undone>, RunError>;

async fn taken(places: &Places) -> Result<Place, RunError> {
    let place = places.take().await;
    place.map_err(|closed| RunError::Task(closed.to_string()))
}

/// The work on one task, for a thread of its own; `place` is held until it is done.
fn job(
    work: &Arc<(Runner, Attempts)>,
    task: Undone,
    pass: Pass,
    place: Place,
    hear: impl Fn(Event) + Send + 'static,
) -> impl FnOnce() -> Done + Send + 'static {
    let work = Arc::clone(work);
    move || {
        // The whole of it comes along: a closure takes no more than it names.
        let place = place;
        let (runner, attempts) = &*work;
        let seats = SeatOptions {
            processor: place.processor,
            ..runner.seats.clone()
        };
        let settled = runner.settle(attempts, &task, pass, &seats, &hear)?;
        Ok((settled == Settled::SetAside).then_some(task))
    }
}

fn unwrap_task(done: Result<Done, tokio::task::JoinError>) -> Done {
    done.map_err(|error| RunError::Task(error.to_string()))?
}
