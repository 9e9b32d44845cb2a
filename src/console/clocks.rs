//! Draws clocks as figures and bars. It reads no time; live boards, `replay` and prompts show them.

use referee_messages::{Characters, clock};
use referee_time::CpuTime;

/// Stands before the side whose clock runs.
pub(super) const POINTER: &str = "▸";

/// A clock that counts down.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningClock {
    /// The time left ...
    pub(super) left: CpuTime,
    /// ... of this total.
    pub(super) of: CpuTime,
}

/// The clock as text, padded so that a column of clocks aligns.
pub(super) fn clock_figure(left: CpuTime) -> String {
    format!("{:>7} s", clock(left))
}

/// A bar of this many columns; its thick part is the time left.
pub(super) fn clock_bar(shown: RunningClock, columns: usize, characters: Characters) -> String {
    let share = if shown.of == CpuTime::ZERO { 0.0 } else { shown.left.as_secs_f64() / shown.of.as_secs_f64() };
    bar(share, columns, characters)
}

/// A bar of this many columns, with the share `share` (0 to 1) thick.
pub(super) fn bar(share: f64, columns: usize, characters: Characters) -> String {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a terminal has few columns, and the share is not negative"
    )]
    let thick = ((share.clamp(0.0, 1.0) * columns as f64).round() as usize).min(columns);
    let [full, empty] = match characters {
        Characters::Unicode => ["━", "─"],
        Characters::Ascii => ["=", "-"],
    };
    full.repeat(thick) + &empty.repeat(columns - thick)
}
