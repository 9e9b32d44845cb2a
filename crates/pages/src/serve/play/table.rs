//! A session of games between a person and an agent: one game at a time, its state, and the person's actions. Its
//! parent module routes requests to it; [`referee_matches::human`] plays.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::watch;

use super::page::{self, PageSettings};
use super::shown::{Phase, PlayView, over};
use crate::report::{Naming, ReportError, whole_page};
use referee_games::protocol::plain;
use referee_games::{Picking, Side, State};
use referee_matches::human::{NotPlayed, PersonAnswer, PersonInterface, PersonMatch};
use referee_matches::tournament::encounter;
use referee_records::{Manifest, Pairing, PerSide, PersonClock, RecordError, RunFolder};

/// The longest time in which an open page, which tries again every second, asks for no state.
const BETWEEN_POLLS: Duration = Duration::from_secs(4);
const POLL_STEP: Duration = Duration::from_millis(50);

/// A person and an agent, and their games.
#[derive(Debug)]
pub struct PlaySession {
    against: Mutex<PersonMatch>,
    folder: RunFolder,
    /// The name of the folder of the page, which nobody can guess.
    secret: String,
    /// Held by the running game.
    playing: Mutex<()>,
    now: Mutex<TableState>,
    /// Counts the states.
    version: watch::Sender<u64>,
}

#[derive(Debug)]
struct TableState {
    shown: PlayView,
    /// When the current turn began.
    since: Instant,
    /// The question to the person.
    question: Option<PendingMove>,
    questions: u64,
    clock: PersonClock,
}

#[derive(Debug)]
struct PendingMove {
    number: u64,
    asked: State,
    answer: SyncSender<PersonAnswer>,
}

/// The state, with the time of reading it.
#[derive(Debug, Serialize)]
pub(super) struct SessionState {
    version: u64,
    /// The duration of the current turn so far.
    elapsed_us: u64,
    #[serde(flatten)]
    shown: PlayView,
}

/// Why an action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PlayRefusal {
    /// It is malformed.
    #[error("invalid request")]
    Unclear,
    /// It was not asked for, or is outdated.
    #[error("this is not possible now")]
    NotAsked,
    /// The agent is thinking.
    #[error("the agent is thinking: wait for its move")]
    AgentAtWork,
    /// It is not a legal move.
    #[error("this is not a legal move")]
    Illegal,
}

impl PlaySession {
    /// A session for `against`, whose games are stored in `folder`. The page offers `side` first.
    pub fn new(against: PersonMatch, folder: RunFolder, side: Side) -> Self {
        let time = against.manifest.conditions.allowances();
        let without = against.clock == PersonClock::NoClock;
        let left = |of: Side| (!(without && of == side)).then(|| time.of(of).micros());
        let now = TableState {
            shown: PlayView::ready(against.manifest.game, side, PerSide::from_fn(left)),
            since: Instant::now(),
            question: None,
            questions: 0,
            clock: against.clock,
        };
        Self {
            against: Mutex::new(against),
            folder,
            // No game depends on it.
            secret: format!("{:032x}", rand::random::<u128>()),
            playing: Mutex::new(()),
            now: Mutex::new(now),
            version: watch::Sender::new(0),
        }
    }

    /// The part of the page's address after that of the server, with a `/` at its end.
    pub fn folder_name(&self) -> String {
        format!("{}/", self.secret)
    }

    /// The page.
    pub(super) fn page(&self) -> Result<String, serde_json::Error> {
        let against = self.against.lock();
        let own = self.now.lock().shown.own;
        page::page(&PageSettings::of(&against, own))
    }

    /// The report of the finished games.
    pub(super) fn report(&self) -> Result<String, ReportError> {
        whole_page(&self.folder, Naming::Real)
    }

    /// The current state.
    pub(super) fn state(&self) -> SessionState {
        let now = self.now.lock();
        SessionState {
            version: *self.version.borrow(),
            elapsed_us: u64::try_from(now.since.elapsed().as_micros()).unwrap_or(u64::MAX),
            shown: now.shown.clone(),
        }
    }

    /// Notifies about new states.
    pub(super) fn versions(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Whether a page is open: one waits for the next state all the time, but for moments.
    fn is_watched(&self) -> bool {
        let until = Instant::now() + BETWEEN_POLLS;
        while self.version.receiver_count() == 0 {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(POLL_STEP);
        }
        true
    }

    /// The state of picking after these squares.
    pub(super) fn picking(&self, question: u64, picked: &[String]) -> Result<Picking, PlayRefusal> {
        let asked = self.asked(question)?;
        asked.picking(picked).ok_or(PlayRefusal::Illegal)
    }

    /// Answers the question with the picked move.
    pub(super) fn answer(&self, question: u64, picked: &[String]) -> Result<(), PlayRefusal> {
        let picking = self.picking(question, picked)?;
        let answer = picking.answer.ok_or(PlayRefusal::Illegal)?;
        self.deliver(question, PersonAnswer::Answer(answer))
    }

    /// Resigns the game.
    pub(super) fn resign(&self, question: u64) -> Result<(), PlayRefusal> {
        self.deliver(question, PersonAnswer::Resigned)
    }

    /// Abandons the running game, if there is one, so that another can begin.
    pub(super) fn leave(&self) -> Result<(), PlayRefusal> {
        let mut now = self.now.lock();
        match now.shown.phase {
            Phase::Beginning | Phase::Thinking => return Err(PlayRefusal::AgentAtWork),
            Phase::Asking { .. } => {
                if let Some(question) = now.question.take() {
                    drop(question.answer.send(PersonAnswer::Gone));
                }
            }
            Phase::Ready | Phase::Over { .. } | Phase::Left | Phase::Broken { .. } => {}
        }
        now.shown.phase = Phase::Beginning;
        drop(now);
        self.notify();
        Ok(())
    }

    fn asked(&self, number: u64) -> Result<State, PlayRefusal> {
        let now = self.now.lock();
        let question = now.question.as_ref().filter(|question| question.number == number);
        question.map(|question| question.asked.clone()).ok_or(PlayRefusal::NotAsked)
    }

    fn deliver(&self, number: u64, answer: PersonAnswer) -> Result<(), PlayRefusal> {
        let question = self.now.lock().question.take_if(|question| question.number == number);
        let question = question.ok_or(PlayRefusal::NotAsked)?;
        question.answer.send(answer).map_err(|_| PlayRefusal::NotAsked)
    }

    /// Plays a game to its end, with the person at `side`. Waits for a running one.
    pub(super) fn play(self: &Arc<Self>, side: Side) {
        let one_at_a_time = self.playing.lock();
        let phase = self.played(side).unwrap_or_else(|reason| Phase::Broken { reason: plain(&reason) });
        self.change(|now| {
            now.question = None;
            // A person who left for another game does not see this one any more.
            if !matches!((&phase, &now.shown.phase), (Phase::Left, Phase::Beginning)) {
                now.shown.phase = phase;
            }
        });
        drop(one_at_a_time);
    }

    fn played(self: &Arc<Self>, side: Side) -> Result<Phase, String> {
        let (against, pairing) = self.begin(side).map_err(|error| error.to_string())?;
        let allowed = against.manifest.conditions_of(&pairing).allowances();
        self.change(|now| {
            let left = PerSide::from_fn(|of| Some(allowed.of(of).micros()));
            now.shown = PlayView {
                id: pairing.id.clone(),
                phase: Phase::Beginning,
                ..PlayView::ready(against.manifest.game, side, left)
            };
        });
        let person = PagePrompt(Arc::clone(self));
        let played = against.play(&pairing, person, |snapshot, turns| {
            self.change(|now| {
                now.since = Instant::now();
                now.shown.follow(&snapshot, turns, now.clock);
            });
        });
        match played {
            Ok(record) => {
                self.folder.keep(&record).map_err(|error| error.to_string())?;
                Ok(over(&record, &self.folder))
            }
            Err(NotPlayed::Left) => Ok(Phase::Left),
            Err(NotPlayed::Void(void)) => Err(void.to_string()),
        }
    }

    /// Adds the next game to the run, replacing an abandoned one.
    fn begin(&self, side: Side) -> Result<(PersonMatch, Pairing), RecordError> {
        let mut against = self.against.lock();
        let finished = self.folder.finished(&against.manifest);
        against.manifest.games.retain(|pairing| finished.contains(&pairing.id));
        let pairing = next_game(&against.manifest, &against.person, against.participant.name(), side);
        against.manifest.games.push(pairing.clone());
        self.folder.revise(&against.manifest)?;
        Ok((against.clone(), pairing))
    }

    fn ask(&self, asked: &State, answer: SyncSender<PersonAnswer>) {
        self.change(|now| {
            now.questions += 1;
            now.since = Instant::now();
            now.question = Some(PendingMove { number: now.questions, asked: asked.clone(), answer });
            now.shown.phase = Phase::Asking { question: now.questions };
        });
    }

    fn change(&self, change: impl FnOnce(&mut TableState)) {
        change(&mut self.now.lock());
        self.notify();
    }

    fn notify(&self) {
        self.version.send_modify(|version| *version += 1);
    }
}

/// The person, who is asked on the page.
struct PagePrompt(Arc<PlaySession>);

impl PersonInterface for PagePrompt {
    fn ask(&mut self, asked: &State, until: Option<Instant>) -> PersonAnswer {
        let (answer, answers) = sync_channel(1);
        self.0.ask(asked, answer);
        let answer = match until {
            None => answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => answers.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match answer {
            Ok(answer) => answer,
            // Nobody who has closed the page loses by it: a person who leaves leaves no record.
            Err(RecvTimeoutError::Timeout) if !self.0.is_watched() => PersonAnswer::Gone,
            Err(RecvTimeoutError::Timeout) => PersonAnswer::Late,
            Err(RecvTimeoutError::Disconnected) => PersonAnswer::Gone,
        }
    }
}

/// The game after those of `manifest`, with the person at `side`; where either side may begin (Halma), they alternate.
fn next_game(manifest: &Manifest, person: &str, agent: &str, side: Side) -> Pairing {
    let number = manifest.games.len();
    let one_of_four = encounter(manifest.game, person, agent, u32::try_from(number).unwrap_or(0) + 4)
        .into_iter()
        .rev()
        .take(4)
        .rev()
        .find(|pairing| pairing.name(side) == person)
        .expect("of any four games in a row, one has the person at that side");
    Pairing { id: format!("g{:04}", number + 1), ..one_of_four }
}
