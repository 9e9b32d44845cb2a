//! Live progress of a run: a bar for the whole, a line or board for each running game, and a line for each finished
//! game and each wrong answer. It decides nothing; the commands that play send it their events.

mod competition_games;
mod picture;
mod students;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::{Mutex, RwLock};

use self::competition_games::CompetitionGames;
use self::picture::{OverallProgress, Picture, RunningItem};
use super::steps::drawn_style;
use super::terminal::{Stream, Terminal};
use referee_course::assignment::Competition;
use referee_games::GameRef;
use referee_matches::tournament::{RunEvent, VoidRetry};
use referee_messages::{SideNames, answer_line, close_call_sentence, plain, result_line};
use referee_records::{AnswerRecord, GameRecord, GameSummary, Manifest, RunFolder};
pub use students::StudentTallies;

/// Shows the events of a run: animated on a terminal, otherwise as a line for each finished game.
///
/// The animated part is one bar of `indicatif` whose text is the whole picture, drawn for the terminal's current size.
#[derive(Clone, Debug)]
pub struct Live {
    bar: ProgressBar,
    picture: Arc<Mutex<Picture>>,
    /// Whether anything is animated.
    moves: bool,
    competition_games: Arc<Mutex<Option<CompetitionGames>>>,
    /// Held while drawing, so that nothing is drawn after the end.
    closed: Arc<RwLock<bool>>,
    /// The stream for finished games.
    lines: Terminal,
    lines_on: Stream,
    warnings: Terminal,
    finished: Arc<Mutex<FinishedLines>>,
}

/// The lines about finished work.
#[derive(Debug)]
pub enum FinishedLines {
    /// One for each game, and for each wrong answer.
    Games,
    /// One for each of these students.
    Students(StudentTallies),
    /// None, and no animation.
    Quiet,
}

/// How often the total time is redrawn without events.
const CLOCK_TICK: Duration = Duration::from_millis(500);

impl Live {
    /// A display for `all` things (`games`), of which `done` are already finished; `jobs` run at a time.
    ///
    /// Animation goes to standard error, and only if that is a terminal; the lines about finished work to `lines_on`.
    pub fn new(
        game: GameRef,
        things: &'static str,
        [done, all]: [usize; 2],
        jobs: usize,
        finished: FinishedLines,
        lines_on: Stream,
    ) -> Self {
        let terminal = Terminal::of(Stream::Stderr);
        let moves = terminal.moves() && !matches!(finished, FinishedLines::Quiet);
        let picture = Arc::new(Mutex::new(Picture {
            game,
            things,
            one_at_a_time: jobs == 1,
            running: BTreeMap::new(),
            remark: String::new(),
            is_under_way: false,
        }));
        let target = if moves { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(all as u64), target).with_position(done as u64);
        bar.set_style(style(Arc::clone(&picture), terminal.clone()));
        bar.reset_eta();
        if moves {
            bar.enable_steady_tick(CLOCK_TICK);
        }
        Self {
            bar,
            picture,
            moves,
            competition_games: Arc::default(),
            closed: Arc::default(),
            lines: Terminal::of(lines_on),
            lines_on,
            warnings: terminal,
            finished: Arc::new(Mutex::new(finished)),
        }
    }

    /// From now on, also shows the leaders of `competition`, the run of `manifest` with its finished games in `folder`.
    pub fn follow(&self, competition: &Competition, manifest: &Manifest, folder: &RunFolder) {
        if !self.moves {
            return;
        }
        let competition_games = CompetitionGames::of(competition, manifest, folder);
        if let Some(line) = competition_games.line() {
            self.remark(&line);
        }
        *self.competition_games.lock() = Some(competition_games);
    }

    /// From now on, shows `remark` beside the bar: the state of a sequential test.
    pub fn remark(&self, remark: &str) {
        self.picture.lock().remark = plain(remark);
        self.draw();
    }

    /// The leaders after `record`.
    fn leading(&self, record: &GameRecord) -> Option<String> {
        let mut competition_games = self.competition_games.lock();
        let competition_games = competition_games.as_mut()?;
        competition_games.add(&GameSummary::of(record));
        competition_games.line()
    }

    /// Shows one event.
    pub fn show(&self, event: RunEvent) {
        let closed = self.closed.read();
        if *closed {
            return;
        }
        match event {
            RunEvent::GameBegan(pairing) => {
                let id = pairing.id.clone();
                let mut picture = self.picture.lock();
                let game = RunningItem::game(picture.game, pairing);
                picture.running.insert(id, game);
            }
            RunEvent::PositionChanged(id, snapshot) => {
                if self.moves {
                    self.picture.lock().set_position(&id, snapshot);
                    self.draw();
                }
            }
            RunEvent::GameFinished(record) => {
                self.finish(&record.id);
                if let Some(leading) = self.leading(&record) {
                    self.remark(&leading);
                }
                self.print_game(&record);
            }
            RunEvent::Asked(asked) => {
                let question = RunningItem::question(&asked);
                self.picture.lock().running.insert(asked.id, question);
                self.draw();
            }
            RunEvent::Answered(record) => {
                self.finish(&record.id);
                self.print_answer(&record);
            }
            RunEvent::Superseded { id } => {
                self.finish(&id);
                self.warn(&format!("{id}  already finished by another process: this result is dropped"));
            }
            RunEvent::Voided { id, reason, retry } => {
                self.picture.lock().running.remove(&id);
                self.draw();
                let when = match retry {
                    VoidRetry::Now => "void, retrying",
                    VoidRetry::Later => "void again, will be retried last",
                    VoidRetry::WhenResumed => "void, set aside",
                    VoidRetry::Never => "void, not retried",
                };
                // The reason of a game that is void again was told at the first time, and is in the list at the end.
                self.warn(&match retry {
                    VoidRetry::Now | VoidRetry::Never => format!("{id}  {when}: {}", plain(&reason)),
                    VoidRetry::Later | VoidRetry::WhenResumed => format!("{id}  {when}"),
                });
            }
        }
    }

    fn print_game(&self, record: &GameRecord) {
        let lines = match &mut *self.finished.lock() {
            FinishedLines::Games => {
                let names = SideNames::of(record);
                let calls = record.close_calls.iter();
                let calls = calls.map(|call| format!("       close call: {}", close_call_sentence(call, &names)));
                std::iter::once(result_line(record)).chain(calls).collect()
            }
            FinishedLines::Students(tallies) => tallies.add_game(record),
            FinishedLines::Quiet => Vec::new(),
        };
        for line in lines {
            self.say(&line);
        }
    }

    fn print_answer(&self, record: &AnswerRecord) {
        let line = match &mut *self.finished.lock() {
            FinishedLines::Games => (!record.verdict.is_right()).then(|| answer_line(record)),
            FinishedLines::Students(tallies) => tallies.add_answer(record),
            FinishedLines::Quiet => None,
        };
        if let Some(line) = line {
            self.say(&line);
        }
    }

    fn finish(&self, id: &str) {
        let mut picture = self.picture.lock();
        picture.running.remove(id);
        picture.is_under_way = true;
        // Drawing locks the picture too.
        drop(picture);
        self.bar.inc(1);
        self.draw();
    }

    /// Ends the animation. Later events of running games are not shown.
    pub fn close(&self) {
        *self.closed.write() = true;
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
        // The bar outlives this and must not draw itself again.
        self.bar.set_draw_target(ProgressDrawTarget::hidden());
    }

    /// Draws the current picture, unless one was just drawn; the caller must not hold its lock.
    fn draw(&self) {
        if self.moves {
            // A bar with a ticker does not redraw on `tick`, only when its message changes.
            self.bar.set_message("");
        }
    }

    /// A closed pipe (`| head`) does not stop the games: their records count.
    fn say(&self, line: &str) {
        let lines = self.lines.look().fit(line).join("\n");
        self.bar.suspend(|| match self.lines_on {
            Stream::Stdout => drop(writeln!(io::stdout(), "{lines}")),
            Stream::Stderr => drop(writeln!(io::stderr(), "{lines}")),
        });
    }

    /// Prints `line`, which must be safe on a terminal, on standard error.
    pub fn warn(&self, line: &str) {
        let lines = self.warnings.look().fit(line).join("\n");
        self.bar.suspend(|| drop(writeln!(io::stderr(), "{lines}")));
    }
}

/// A bar whose text is the picture.
fn style(picture: Arc<Mutex<Picture>>, terminal: Terminal) -> ProgressStyle {
    drawn_style(move |state| {
        let progress = OverallProgress {
            done: state.pos(),
            all: state.len().unwrap_or_default(),
            elapsed: state.elapsed(),
            to_go: state.eta(),
        };
        let picture = picture.lock();
        picture.lines(progress, terminal.size(), terminal.look()).join("\n")
    })
}
