//! What this machine can enforce and measure, each claim tried.
//!
//! For: a run of a few seconds after which it is known whether results from this machine can be defended. Deliberately
//! not here: making anything better; and trusting what a system call promises: every protection is attacked, every
//! trick against the meter is played, by a program in an ordinary seat ([`probe_main`]).
//!
//! What must always hold: [`judge`] is a pure function of what was found; nothing that was tried leaves a trace.

mod fairness;
mod meters;
mod probe;
mod protections;
mod tools;

pub use fairness::fairness;
pub use meters::{MeterTrial, TrickTrial, try_meter};
pub use probe::{PROBE_COMMAND, probe_main};
pub use protections::try_protections;
pub use tools::{ToolTrial, try_tools};

use serde::Serialize;

use crate::seat::{Isolation, Meter, Protection};

/// Everything that was found out about this machine.
#[derive(Clone, Debug, Serialize)]
pub struct Examination {
    /// The level of isolation in force.
    pub isolation: Isolation,
    /// What keeps the levels above it from being had.
    pub missing: Vec<Protection>,
    /// What an agent could do that it should not, each tried.
    pub protections: Vec<DoctorCheck>,
    /// The meters that can be had, the best first, and of the others why not.
    pub meters: Vec<(Meter, Result<(), String>)>,
    /// How well CPU time is measured.
    pub meter: MeterTrial,
    /// Which languages agents can be written in, and what one empty start of each costs.
    pub tools: Vec<ToolTrial>,
    /// What makes two clocks on this machine differ.
    pub fairness: Vec<DoctorCheck>,
}

/// One thing that was looked at or tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorCheck {
    /// What, in a few words.
    pub name: String,
    /// What was found.
    pub finding: CheckOutcome,
    /// The evidence, or the remedy.
    pub detail: String,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckOutcome {
    /// As it should be.
    Good,
    /// Good enough to practise, not to be relied on when points depend on it.
    Doubtful,
    /// Not as it should be.
    Bad,
}

/// What this machine is fit for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// Results from here can be defended.
    FitToGrade,
    /// Good enough to try agents out.
    FitToPractise,
    /// Agents cannot be run or measured here.
    NotFit,
}

/// The verdict on the machine: to grade, every protection has to hold, every trick against the meter has to be seen,
/// and nothing may make the clocks unfair just now; to practise, honest agents have to be measured right.
pub fn judge(examination: &Examination) -> Fitness {
    let protected = examination
        .protections
        .iter()
        .all(|check| check.finding == CheckOutcome::Good);
    let fair = examination
        .fairness
        .iter()
        .all(|check| check.finding != CheckOutcome::Bad);
    if !examination.meter.honest_is_exact() {
        Fitness::NotFit
    } else if protected && fair && examination.meter.all_exact() {
        Fitness::FitToGrade
    } else {
        Fitness::FitToPractise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::CpuTime;

    fn examination(protection: CheckOutcome, tricks: [(&'static str, u64); 2]) -> Examination {
        let burned = CpuTime::from_millis(100);
        let tricks = tricks.map(|(name, charged)| TrickTrial {
            name,
            burned,
            charged: CpuTime::from_millis(charged),
        });
        Examination {
            isolation: Isolation::Sealed,
            missing: Vec::new(),
            meters: Vec::new(),
            protections: vec![DoctorCheck {
                name: String::new(),
                finding: protection,
                detail: String::new(),
            }],
            meter: MeterTrial {
                meter: Meter::Rusage,
                tricks: tricks.to_vec(),
            },
            tools: Vec::new(),
            fairness: Vec::new(),
        }
    }

    #[test]
    fn to_grade_everything_has_to_hold() {
        let tricks = [("honest", 100), ("orphan", 101)];
        assert_eq!(judge(&examination(CheckOutcome::Good, tricks)), Fitness::FitToGrade);
        assert_eq!(
            judge(&examination(CheckOutcome::Doubtful, tricks)),
            Fitness::FitToPractise
        );
        assert_eq!(
            judge(&examination(CheckOutcome::Good, [("honest", 100), ("orphan", 0)])),
            Fitness::FitToPractise
        );
    }

    #[test]
    fn nothing_is_graded_on_a_machine_with_more_work_than_processors() {
        let tricks = [("honest", 100), ("orphan", 101)];
        for (finding, fitness) in [
            (CheckOutcome::Good, Fitness::FitToGrade),
            (CheckOutcome::Doubtful, Fitness::FitToGrade),
            (CheckOutcome::Bad, Fitness::FitToPractise),
        ] {
            let mut examination = examination(CheckOutcome::Good, tricks);
            examination.fairness = vec![DoctorCheck {
                name: "load".to_owned(),
                finding,
                detail: String::new(),
            }];
            assert_eq!(judge(&examination), fitness, "{finding:?}");
        }
    }

    #[test]
    fn where_an_honest_agent_is_measured_wrong_nothing_is_worth_anything() {
        assert_eq!(
            judge(&examination(CheckOutcome::Good, [("honest", 80), ("orphan", 100)])),
            Fitness::NotFit
        );
    }
}
