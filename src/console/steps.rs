//! A progress bar for preparatory work. It does no work itself; gradings and competitions advance it.

use std::fmt;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::clocks::bar;
use super::terminal::{Stream, Terminal};

/// A progress bar on standard error, if that is a terminal. Dropping it removes it.
#[derive(Debug)]
pub struct StepProgress(ProgressBar);

/// The maximum width.
const LONGEST_BAR: usize = 30;

impl StepProgress {
    /// Work in `all` steps; `words` describe finished steps (`submissions made ready`).
    pub fn new(words: &'static str, all: usize) -> Self {
        let terminal = Terminal::of(Stream::Stderr);
        let moves = terminal.moves();
        let target = if moves { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let steps = ProgressBar::with_draw_target(Some(all as u64), target);
        steps.set_style(style(words, terminal));
        if moves {
            steps.tick();
            steps.enable_steady_tick(Duration::from_millis(500));
        }
        Self(steps)
    }

    /// Advances by one step.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// The number of finished steps.
    pub fn done(&self) -> u64 {
        self.0.position()
    }

    /// Removes the bar, whoever else still holds it.
    pub fn close(&self) {
        self.0.finish_and_clear();
    }
}

fn style(words: &'static str, terminal: Terminal) -> ProgressStyle {
    drawn_style(move |state| {
        let look = terminal.look();
        let look = look.with_columns(look.columns.saturating_sub(1).max(1));
        let bar = bar(f64::from(state.fraction()), (look.columns / 4).min(LONGEST_BAR), look.characters);
        let (done, all) = (state.pos(), state.len().unwrap_or_default());
        let elapsed = HumanDuration(state.elapsed());
        look.cut(&format!("{bar} {done}/{all} {words}, {elapsed:#} elapsed"))
    })
}

/// The style of a bar that shows what `draw` returns.
pub(super) fn drawn_style(draw: impl Fn(&ProgressState) -> String + Clone + Send + Sync + 'static) -> ProgressStyle {
    // Writing to a string cannot fail.
    let write = move |state: &ProgressState, text: &mut dyn fmt::Write| _ = text.write_str(&draw(state));
    // The template is a constant; if it is invalid, the default style appears.
    let style = ProgressStyle::with_template("{drawn}").unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("drawn", write)
}

impl Drop for StepProgress {
    fn drop(&mut self) {
        self.close();
    }
}
