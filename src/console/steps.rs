//! A bar for work that has to be done before there is something to look at.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how far some work is, on standard error and only if that is a terminal. Gone when it is dropped.
#[derive(Debug)]
pub struct Steps(ProgressBar);

impl Steps {
    /// Work of so many steps; `words` say what has been done by each (`submissions made ready`).
    pub fn new(words: &str, all: usize) -> Self {
        let target = if console::user_attended_stderr() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(all as u64), target);
        let template = format!("{{bar:30}} {{pos}}/{{len}} {words}, {{elapsed}} gone");
        bar.set_style(ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.tick();
        bar.enable_steady_tick(std::time::Duration::from_millis(500));
        Self(bar)
    }

    /// One more step is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
