//! Examines what this machine can enforce and measure; each claim is tested.
//!
//! After a few seconds it tells whether results from this machine can be defended. It fixes nothing and trusts no
//! system call: a program in an ordinary seat ([`probe_main`]) attacks the protections and tries tricks against the
//! meter. `cli/doctor` calls it. [`judge`] must be a pure function of the findings. Tests must leave no trace.

mod fairness;
mod meters;
mod probe;
mod protections;
mod tools;

pub use fairness::{busy_now, fairness};
pub use meters::{MeterTrial, TrickTrial, try_meter};
pub use probe::{PROBE_COMMAND, probe_main};
pub use protections::try_protections;
pub use tools::{ToolTrial, try_tools};

use serde::Serialize;

use referee_seat::{Isolation, Meter, Protection};

/// All findings about this machine.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorReport {
    /// The level of isolation in force.
    pub isolation: Isolation,
    /// Why higher levels are unavailable.
    pub missing: Vec<Protection>,
    /// The forbidden actions, each tested.
    pub protections: Vec<DoctorCheck>,
    /// The available meters, the best first, and why others are unavailable.
    pub meters: Vec<AvailableMeter>,
    /// The accuracy of CPU times.
    pub meter: MeterTrial,
    /// The available languages, and the cost of an empty start in each.
    pub tools: Vec<ToolTrial>,
    /// The reasons why clocks on this machine may differ.
    pub fairness: Vec<DoctorCheck>,
}

/// A meter, and whether it is available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AvailableMeter {
    /// The meter.
    pub meter: Meter,
    /// Why it is unavailable, and a remedy; `None` if it is available.
    pub missing: Option<String>,
}

/// A finding or test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorCheck {
    /// Its name.
    pub name: String,
    /// The outcome.
    pub finding: CheckOutcome,
    /// The evidence, or the remedy.
    pub detail: String,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckOutcome {
    /// Good.
    Good,
    /// Good enough for practice, but not when points depend on it.
    Doubtful,
    /// Bad.
    Bad,
}

/// The fitness of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// Results from here can be defended.
    FitToGrade,
    /// Good enough for trying agents.
    FitToPractise,
    /// Agents cannot be run or measured here.
    NotFit,
}

/// The verdict on the machine. Grading requires that every protection works, the meter has a witness and sees every
/// trick, and nothing makes the clocks unfair; practice requires that honest agents are measured correctly.
pub fn judge(examination: &DoctorReport) -> Fitness {
    let protected = examination.protections.iter().all(|check| check.finding == CheckOutcome::Good);
    let fair = examination.fairness.iter().all(|check| check.finding != CheckOutcome::Bad);
    if !examination.meter.honest_is_exact() {
        Fitness::NotFit
    } else if protected && fair && examination.meter.meter.has_witness() && examination.meter.all_exact() {
        Fitness::FitToGrade
    } else {
        Fitness::FitToPractise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_time::CpuTime;

    /// Nothing is graded without a witness, even if the tricks failed by chance, nor on a machine with more work than
    /// processors; and where an honest agent is measured wrong, nothing is worth anything.
    #[test]
    fn to_grade_everything_has_to_hold() {
        use CheckOutcome::{Bad, Doubtful, Good};
        let check = |finding| vec![DoctorCheck { name: String::new(), finding, detail: String::new() }];
        for (protection, load, meter, charged, fitness) in [
            (Good, Good, Meter::Perf, [100, 101], Fitness::FitToGrade),
            (Good, Doubtful, Meter::Perf, [100, 101], Fitness::FitToGrade),
            (Good, Bad, Meter::Perf, [100, 101], Fitness::FitToPractise),
            (Doubtful, Good, Meter::Perf, [100, 101], Fitness::FitToPractise),
            (Good, Good, Meter::Rusage, [100, 101], Fitness::FitToPractise),
            (Good, Good, Meter::Perf, [100, 0], Fitness::FitToPractise),
            (Good, Good, Meter::Perf, [80, 100], Fitness::NotFit),
        ] {
            let tricks = charged.map(|millis| TrickTrial {
                name: String::new(),
                burned: CpuTime::from_millis(100),
                charged: CpuTime::from_millis(millis),
                in_doubt: CpuTime::ZERO,
                processes: 1,
            });
            let examination = DoctorReport {
                isolation: Isolation::Sealed,
                missing: Vec::new(),
                meters: Vec::new(),
                protections: check(protection),
                meter: MeterTrial { meter, tricks: tricks.to_vec() },
                tools: Vec::new(),
                fairness: check(load),
            };
            assert_eq!(judge(&examination), fitness, "{protection:?} {load:?} {meter} {charged:?}");
        }
    }
}
