//! Finds close calls: results that could differ with another way to measure time.
//!
//! A pure function of a game's turns. It changes no verdict and knows no other reason to doubt one. Called by
//! [`super::ongoing_game`] when a game ends; pages, gradebooks and the command line show the result.

use super::draw::{GameStart, decide_draw};
use referee_games::Side;
use referee_records::{
    CloseCall, Conditions, Draw, DrawAward, Fault, MachineNoise, OtherClockResult, PerSide, PersonClock, TurnRecord,
    Verdict, charged, paced,
};
use referee_seat::{Charge, Usage};
use referee_time::CpuTime;

/// How time was measured in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing<'a> {
    pub(super) conditions: &'a Conditions,
    /// The sides played by people, with their clocks.
    pub(super) people: PerSide<Option<PersonClock>>,
    /// The pace that each side states for every move.
    pub(super) paces: PerSide<Option<CpuTime>>,
    /// The meter's uncertainty for one run, per side.
    pub(super) uncertainty: PerSide<CpuTime>,
    /// How steady the machine was, if known.
    pub(super) noise: Option<&'a MachineNoise>,
}

/// The reasons to review `verdict`.
pub(super) fn close_calls(
    verdict: &Verdict,
    turns: &[TurnRecord],
    beginning: GameStart,
    timing: Timing<'_>,
) -> Vec<CloseCall> {
    [
        other_clock(verdict, turns, beginning, timing),
        within_uncertainty(verdict, turns, timing),
        within_noise(verdict, turns, timing),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn other_clock(verdict: &Verdict, turns: &[TurnRecord], beginning: GameStart, timing: Timing<'_>) -> Option<CloseCall> {
    let charge = timing.conditions.charge.other();
    let otherwise = match count_again(turns, charge, timing) {
        Recount::OutOfTime { loser, turn } => {
            let same = matches!(verdict, Verdict::Forfeit {
                loser: actual,
                fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. }
            } if *actual == loser && turn as usize == turns.len());
            (!same).then_some(OtherClockResult::OutOfTime { loser, turn })
        }
        Recount::InTime(clocks) => match verdict {
            Verdict::Forfeit { fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. }, .. } => {
                (!last_was_running(turns)).then_some(OtherClockResult::GoesOn)
            }
            Verdict::Drawn { by, decided } => draw_goes_to(by, *decided, clocks, beginning),
            Verdict::Won { .. } | Verdict::Forfeit { .. } => None,
        },
    };
    otherwise.map(|otherwise| CloseCall::OtherClock { charge, otherwise })
}

fn last_was_running(turns: &[TurnRecord]) -> bool {
    turns.last().and_then(TurnRecord::run).is_some_and(|run| run.ended.is_timeout())
}

fn draw_goes_to(
    by: &Draw,
    decided: DrawAward,
    clocks: PerSide<CpuTime>,
    beginning: GameStart,
) -> Option<OtherClockResult> {
    let winner = decide_draw(by, clocks, beginning).winner();
    (winner != decided.winner()).then_some(OtherClockResult::DrawGoesTo { winner })
}

enum Recount {
    OutOfTime { loser: Side, turn: u32 },
    InTime(PerSide<CpuTime>),
}

/// The clocks after all `turns`, recomputed with `charge`.
fn count_again(turns: &[TurnRecord], charge: Charge, timing: Timing<'_>) -> Recount {
    let mut clocks = timing.conditions.play_time;
    let mut overruns: PerSide<u32> = PerSide::default();
    for (turn, played) in (1..).zip(turns) {
        let side = played.side();
        let usage = played.run().map_or_else(Usage::default, |run| run.usage);
        let clock = clocks.of_mut(side);
        let used = charged(&usage, charge, *timing.people.of(side));
        let charged = paced(used, *timing.paces.of(side), *clock);
        let overruns = overruns.of_mut(side);
        if charged >= *clock || timing.conditions.move_limit(*overruns).is_some_and(|limit| charged > limit) {
            return Recount::OutOfTime { loser: side, turn };
        }
        *overruns += u32::from(timing.conditions.move_time.is_some_and(|limit| charged > limit));
        *clock = clock.saturating_sub(charged);
    }
    Recount::InTime(clocks)
}

/// Whether the meter's uncertainty decides the result. It counts in both directions; CPU time that the meter noticed
/// but could not attribute is only added. A program that was still running past its time is late by any meter: the
/// margin is only how late it was killed.
fn within_uncertainty(verdict: &Verdict, turns: &[TurnRecord], timing: Timing<'_>) -> Option<CloseCall> {
    let runs_of = |side: Side| turns.iter().filter(move |turn| turn.side() == side).filter_map(TurnRecord::run);
    let off_by = |side: Side| timing.uncertainty.of(side).saturating_mul(runs_of(side).count() as u64);
    let in_doubt = |side: Side| runs_of(side).map(|run| run.in_doubt).sum::<CpuTime>();
    let (margin, uncertainty) = match verdict {
        Verdict::Drawn { decided: DrawAward::Time { margin, winner }, .. } => {
            let both = off_by(Side::Black) + off_by(Side::White);
            (*margin, both + in_doubt(*winner))
        }
        Verdict::Forfeit { fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. }, .. }
            if last_was_running(turns) =>
        {
            return None;
        }
        Verdict::Forfeit { loser, fault: Fault::OutOfTime { left, charged, .. } } => {
            (charged.saturating_sub(*left), off_by(*loser))
        }
        Verdict::Forfeit { loser, fault: Fault::OutOfMoveTime { limit, charged, .. } } => {
            (charged.saturating_sub(*limit), *timing.uncertainty.of(*loser))
        }
        Verdict::Won { .. } | Verdict::Drawn { .. } | Verdict::Forfeit { .. } => {
            // With the unattributed time added, a side that stayed within its time might have exceeded it. The loser
            // would have lost anyway.
            let Recount::InTime(left) = count_again(turns, timing.conditions.charge, timing) else {
                return None;
            };
            let nearly = |side: &Side| {
                let may_lose = verdict.winner() != Some(side.other());
                may_lose && in_doubt(*side) > CpuTime::ZERO && *left.of(*side) <= in_doubt(*side)
            };
            let side = Side::BOTH.into_iter().find(nearly)?;
            (*left.of(side), in_doubt(side))
        }
    };
    (margin <= uncertainty).then_some(CloseCall::WithinUncertainty { margin, uncertainty })
}

/// Whether timing noise alone could give a replay of the game to the other side. A stated pace has no noise.
fn within_noise(verdict: &Verdict, turns: &[TurnRecord], timing: Timing<'_>) -> Option<CloseCall> {
    let Verdict::Drawn { decided: DrawAward::Time { margin, .. }, .. } = verdict else {
        return None;
    };
    let measured = turns.iter().filter(|turn| timing.paces.of(turn.side()).is_none());
    let noise = timing.noise?.noise_in(measured.map(TurnRecord::charged).sum());
    (*margin <= noise).then_some(CloseCall::WithinNoise { margin: *margin, noise })
}
