//! A run as it goes on: a bar for the whole, a line or a board for each game in hand, a line for each finished game and
//! for each answer that was wrong.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::games::{GameId, Side};
use crate::records::{Asked, GameRecord, GameSummary, Manifest, Pairing, RunFolder};
use crate::referee::Scene;
use crate::tournament::{Crosstable, Event};
use crate::wording::{Names, answer_line, board_words, clock, close_call_sentence, draw_board, plain, result_line};

/// Shows the events of a run: moving pictures on a terminal, a line for each finished game otherwise.
#[derive(Clone, Debug)]
pub struct Live {
    game: GameId,
    look: Look,
    bars: MultiProgress,
    whole: ProgressBar,
    things: &'static str,
    table: Arc<Mutex<Option<Crosstable>>>,
    in_hand: Arc<Mutex<BTreeMap<String, ProgressBar>>>,
    /// Held while something is drawn, so that nothing is drawn after the end.
    closed: Arc<RwLock<bool>>,
    lines: Lines,
}

/// Where finished games are told.
#[derive(Clone, Copy, Debug)]
enum Lines {
    Stdout,
    Stderr,
}

/// How often the clocks of the whole are redrawn when nothing else happens.
const CLOCK_TICK: Duration = Duration::from_millis(500);

/// How many of the leading agents are named.
const LEADERS: usize = 3;

/// How much of the games in hand is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Nothing,
    Line,
    Board,
}

impl Live {
    /// A display of so many `all` things (`games`), of which `finished` were finished before; `jobs` are in hand at a time.
    ///
    /// The moving part goes to standard error, and only if that is a terminal; finished games go to standard output.
    pub fn new(game: GameId, things: &'static str, all: usize, finished: usize, jobs: usize) -> Self {
        let on_terminal = console::user_attended_stderr();
        let look = match (on_terminal, jobs) {
            (false, _) => Look::Nothing,
            (true, 1) => Look::Board,
            (true, _) => Look::Line,
        };
        let target = if on_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bars = MultiProgress::with_draw_target(target);
        let whole = bars.add(ProgressBar::new(all as u64).with_position(finished as u64));
        whole.set_style(style(&format!(
            "{{bar:30}} {{pos}}/{{len}} {things}, {{elapsed}} gone  {{msg}}"
        )));
        whole.reset_eta();
        whole.enable_steady_tick(CLOCK_TICK);
        Self {
            game,
            look,
            bars,
            whole,
            things,
            table: Arc::default(),
            in_hand: Arc::default(),
            closed: Arc::default(),
            lines: Lines::Stdout,
        }
    }

    /// This, with finished games told on standard error, for the other one is wanted for something else.
    #[must_use]
    pub fn with_lines_on_stderr(self) -> Self {
        Self {
            lines: Lines::Stderr,
            ..self
        }
    }

    /// Shows who leads, from now on, among the agents of `manifest`, whose games that are finished are in `folder`.
    pub fn follow(&self, folder: &RunFolder, manifest: &Manifest) {
        if self.look == Look::Nothing {
            return;
        }
        let mut table = Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str()));
        for summary in folder.summaries(manifest).flatten() {
            table.add(&summary);
        }
        if table.first_against_second().games() > 0 {
            self.whole.set_message(leaders(&table));
        }
        *self.table.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
    }

    /// Says `remark` beside the bar, from now on: how far the question is answered that is played for.
    pub fn remark(&self, remark: &str) {
        self.whole.set_message(plain(remark));
    }

    /// Who leads after `record`.
    fn leading(&self, record: &GameRecord) -> Option<String> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let table = table.as_mut()?;
        table.add(&GameSummary::of(record));
        Some(leaders(table))
    }

    /// Shows one event.
    pub fn show(&self, event: Event) {
        let closed = self.closed.read().unwrap_or_else(PoisonError::into_inner);
        if *closed {
            return;
        }
        match event {
            Event::Began(pairing) => self.begin(&pairing),
            Event::Stands(pairing, scene) => self.stand(&pairing, &scene),
            Event::Finished(record) => {
                self.finish(&record.id);
                if let Some(leading) = self.leading(&record) {
                    self.whole.set_message(leading);
                }
                self.say(&result_line(&record));
                let names = Names::of(&record);
                for call in &record.close_calls {
                    self.say(&format!("       close call: {}", close_call_sentence(call, &names)));
                }
            }
            Event::Asked(asked) => self.ask(&asked),
            Event::Answered(record) => {
                self.finish(&record.id);
                if !record.verdict.is_right() {
                    self.say(&answer_line(&record));
                }
            }
            Event::Superseded { id } => {
                self.finish(&id);
                self.warn(&format!(
                    "{id}  was finished by another process meanwhile: that result stays, this one is dropped"
                ));
            }
            Event::Voided { id, reason } => {
                self.end(&id);
                self.warn(&format!("{id}  void, it is done again: {}", plain(&reason)));
            }
        }
    }

    fn finish(&self, id: &str) {
        self.end(id);
        self.whole.set_style(style(&format!(
            "{{bar:30}} {{pos}}/{{len}} {}, {{elapsed}} gone, about {{eta}} to go  {{msg}}",
            self.things
        )));
        self.whole.inc(1);
    }

    /// Takes the moving part away. What happens in games that are still in hand is not shown any more.
    pub fn close(&self) {
        *self.closed.write().unwrap_or_else(PoisonError::into_inner) = true;
        self.whole.disable_steady_tick();
        // A bar that lives on must not draw itself again.
        drop(self.bars.clear());
        self.bars.set_draw_target(ProgressDrawTarget::hidden());
    }

    fn begin(&self, pairing: &Pairing) {
        self.take_in_hand(&pairing.id);
    }

    fn ask(&self, asked: &Asked) {
        if let Some(bar) = self.take_in_hand(&asked.id) {
            bar.set_message(format!("{}  {} answers", asked.id, plain(&asked.agent)));
            bar.tick();
        }
    }

    fn take_in_hand(&self, id: &str) -> Option<ProgressBar> {
        if self.look == Look::Nothing {
            return None;
        }
        let bar = self.bars.insert_before(&self.whole, ProgressBar::new_spinner());
        bar.set_style(style("{msg}"));
        self.in_hand().insert(id.to_owned(), bar.clone());
        Some(bar)
    }

    fn stand(&self, pairing: &Pairing, scene: &Scene) {
        let Some(bar) = self.in_hand().get(&pairing.id).cloned() else {
            return;
        };
        let names = Names::new(self.game, &pairing.black, &pairing.white);
        let line = clocks_line(pairing, scene, &names);
        bar.set_message(match self.look {
            Look::Nothing => return,
            Look::Line => line,
            Look::Board => format!(
                "{}\n{line}",
                draw_board(self.game, &scene.rows, console::colors_enabled_stderr()).join("\n")
            ),
        });
        bar.tick();
    }

    fn end(&self, id: &str) {
        if let Some(bar) = self.in_hand().remove(id) {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
    }

    fn in_hand(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, ProgressBar>> {
        self.in_hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reader that went away (`| head`) does not stop the games: their records are what counts.
    fn say(&self, line: &str) {
        match self.lines {
            Lines::Stdout => self.bars.suspend(|| drop(writeln!(io::stdout(), "{line}"))),
            Lines::Stderr => self.warn(line),
        }
    }

    /// Says `line` on standard error, which is fit for a terminal.
    pub fn warn(&self, line: &str) {
        self.bars.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }
}

/// Who has the most points.
fn leaders(table: &Crosstable) -> String {
    let mut order: Vec<usize> = (0..table.len()).collect();
    order.sort_by_key(|&index| Reverse(table.tally(index).half_points()));
    let leaders = order.iter().take(LEADERS).map(|&index| {
        let points = f64::from(table.tally(index).half_points()) / 2.0;
        format!("{} {points}", plain(&table.names()[index]))
    });
    format!("leading: {}", leaders.collect::<Vec<_>>().join(", "))
}

fn clocks_line(pairing: &Pairing, scene: &Scene, names: &Names) -> String {
    let side = |side| {
        let at_work = if scene.at_work == Some(side) { "▸" } else { " " };
        format!("{at_work}{} {} s", names.side(side), clock(*scene.clocks.of(side)))
    };
    let last = scene
        .last
        .as_ref()
        .map(|(_, mv)| mv.as_deref().map_or("pass".to_owned(), board_words));
    let turn = scene.turns;
    format!(
        "{} {} {}  turn {turn} {}",
        pairing.id,
        side(Side::Black),
        side(Side::White),
        last.unwrap_or_default()
    )
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants of this file; an error in one shows as the plain default.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
