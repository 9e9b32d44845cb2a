//! `referee doctor`: runs [`crate::doctor`], and prints its findings and verdict.

use clap::Args;

use super::output::{print, say};
use super::{CommandOutcome, Failure};
use crate::agents::AgentBuilder;
use crate::doctor::{
    CheckOutcome, DoctorCheck, Examination, Fitness, fairness, judge, try_meter, try_protections, try_tools,
};
use crate::messages::plain;
use crate::seat::{
    Isolation, IsolationRange, Meter, Program, Seat, SeatError, SeatOptions, isolation_available, meters_available,
};

/// Tries every protection and every trick against the meter on this machine, in a few seconds, and says what it is fit
/// for: to grade (exit status 0), or not (1).
#[derive(Debug, Args)]
pub(super) struct DoctorCommand {
    /// The strongest isolation to examine: bare, confined or sealed
    #[arg(long, default_value = "sealed", value_name = "LEVEL")]
    isolation: Isolation,
    /// The meter to examine: perf, cgroup-v2, cgroup-v1 or rusage [default: the best that can be had]
    #[arg(long)]
    meter: Option<Meter>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl DoctorCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let options = SeatOptions {
            isolation: IsolationRange {
                at_least: Isolation::Bare,
                at_most: self.isolation,
            },
            meter: self.meter,
            ..SeatOptions::default()
        };
        let examination =
            examine(&options).map_err(|error| Failure::Machine(format!("no agent can be run here: {error}")))?;
        let fitness = judge(&examination);
        if self.json {
            let json = serde_json::json!({ "fitness": fitness, "examination": examination });
            print(&format!("{json}\n"))?;
        } else {
            say(&(lines(&examination, fitness).join("\n") + "\n"))?;
        }
        Ok(if fitness == Fitness::FitToGrade {
            CommandOutcome::Yes
        } else {
            CommandOutcome::No
        })
    }
}

fn examine(options: &SeatOptions) -> Result<Examination, SeatError> {
    let mut builder = AgentBuilder::new().map_err(|error| SeatError::Failed(error.to_string()))?;
    builder.seats = options.clone();
    let nothing = Program {
        command: vec!["/bin/true".into()],
        ..Program::default()
    };
    let isolation = Seat::open(&nothing, options)?.isolation();
    let protections = isolation_available(None)?;
    Ok(Examination {
        isolation,
        missing: protections
            .into_iter()
            .filter(|protection| protection.missing.is_some())
            .collect(),
        protections: try_protections(options)?,
        meters: meters_available(options),
        meter: try_meter(options)?,
        tools: try_tools(&builder, options)?,
        fairness: fairness(),
    })
}

fn lines(examination: &Examination, fitness: Fitness) -> Vec<String> {
    let mut lines = vec![format!(
        "isolation in force: {}; each protection attacked",
        examination.isolation
    )];
    lines.extend(examination.protections.iter().map(check_line));
    lines.extend(examination.missing.iter().map(|protection| {
        let why = protection.missing.as_deref().unwrap_or_default();
        format!(
            "  {}  {}: needed for `{}`: {}",
            sign(CheckOutcome::Bad),
            protection.name,
            protection.level,
            plain(why)
        )
    }));
    lines.push(String::new());
    let meter = examination.meter.meter;
    lines.push(format!("CPU time by the meter `{meter}`; each trick played"));
    lines.extend(examination.meters.iter().filter_map(|(meter, tried)| {
        let why = tried.as_ref().err()?;
        Some(format!(
            "  {}  meter `{meter}` cannot be had: {}",
            sign(CheckOutcome::Doubtful),
            plain(why)
        ))
    }));
    lines.extend(examination.meter.tricks.iter().map(|trick| {
        let sign = sign(if trick.is_exact() {
            CheckOutcome::Good
        } else {
            CheckOutcome::Bad
        });
        format!(
            "  {sign}  {}: {} s charged for {} s",
            trick.name, trick.charged, trick.burned
        )
    }));
    lines.extend(
        meter
            .blind_spots()
            .iter()
            .map(|spot| format!("  note: it does not see {spot}")),
    );
    lines.push(String::new());
    lines.push("languages, and the CPU time of one empty start".to_owned());
    lines.extend(examination.tools.iter().map(|tool| match tool.start {
        Some(start) => format!(
            "  {}  {}: {start} s, {}",
            sign(CheckOutcome::Good),
            tool.language,
            plain(&tool.detail)
        ),
        None => format!(
            "  {}  {}: {}",
            sign(CheckOutcome::Doubtful),
            tool.language,
            plain(&tool.detail)
        ),
    }));
    lines.push(String::new());
    lines.push("fairness of the clocks".to_owned());
    lines.extend(examination.fairness.iter().map(check_line));
    lines.push(String::new());
    lines.push(
        match fitness {
            Fitness::FitToGrade => "verdict: fit to grade",
            Fitness::FitToPractise => "verdict: fit to practise, not to grade: see what is marked `no` above",
            Fitness::NotFit => "verdict: not fit: CPU time is measured wrong even of an honest program",
        }
        .to_owned(),
    );
    lines
}

fn check_line(check: &DoctorCheck) -> String {
    format!("  {}  {}: {}", sign(check.finding), check.name, plain(&check.detail))
}

const fn sign(finding: CheckOutcome) -> &'static str {
    match finding {
        CheckOutcome::Good => "yes",
        CheckOutcome::Doubtful => "hm ",
        CheckOutcome::Bad => "no ",
    }
}
