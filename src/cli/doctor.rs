//! `referee doctor`: runs [`crate::doctor`], and prints its findings and verdict.

use clap::Args;

use super::output::{print, say};
use super::{CommandOutcome, Failure};
use crate::doctor::{
    AvailableMeter, CheckOutcome, DoctorCheck, DoctorReport, Fitness, fairness, judge, try_meter, try_protections,
    try_tools,
};
use referee_messages::plain;
use referee_seat::{
    Isolation, IsolationRange, Meter, Program, Seat, SeatError, SeatOptions, isolation_available, meters_available,
};
use referee_submissions::agents::AgentBuilder;
use referee_time::CpuTime;

/// Test what this machine can enforce and measure
///
/// Attacks the protections and plays tricks against the meter, in a few seconds. Exits with 0 if the machine is fit
/// for grading, 1 otherwise.
#[derive(Debug, Args)]
pub(super) struct DoctorCommand {
    /// Strongest isolation level to test: bare, confined or sealed
    #[arg(long, default_value = "sealed", value_name = "LEVEL")]
    isolation: Isolation,
    /// CPU time meter to test: perf, cgroup-v2, cgroup-v1 or rusage [default: the best available]
    #[arg(long)]
    meter: Option<Meter>,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl DoctorCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let options = SeatOptions {
            isolation: IsolationRange { at_least: Isolation::Bare, at_most: self.isolation },
            meter: self.meter,
            ..SeatOptions::default()
        };
        let examination = examine(&options)
            .map_err(|error| Failure::Machine(format!("cannot run agents on this machine: {error}")))?;
        let fitness = judge(&examination);
        if self.json {
            let json = serde_json::json!({ "fitness": fitness, "examination": examination });
            print(&format!("{json}\n"))?;
        } else {
            say(&(lines(&examination, fitness).join("\n") + "\n"))?;
        }
        Ok((fitness == Fitness::FitToGrade).into())
    }
}

fn examine(options: &SeatOptions) -> Result<DoctorReport, SeatError> {
    let mut builder = AgentBuilder::new().map_err(|error| SeatError::Failed(error.to_string()))?;
    builder.seats = options.clone();
    let nothing = Program { command: vec!["/bin/true".into()], ..Program::default() };
    let seat = Seat::open(&nothing, options)?;
    let (isolation, wait_accounts) = (seat.isolation(), seat.wait_accounts());
    drop(seat);
    let protections = isolation_available(None)?;
    Ok(DoctorReport {
        isolation,
        missing: protections.into_iter().filter(|protection| protection.missing.is_some()).collect(),
        protections: try_protections(options)?,
        meters: meters_available(options)
            .into_iter()
            .map(|(meter, tried)| AvailableMeter { meter, missing: tried.err() })
            .collect(),
        meter: try_meter(options)?,
        tools: try_tools(&builder, options)?,
        fairness: fairness(wait_accounts),
    })
}

fn lines(examination: &DoctorReport, fitness: Fitness) -> Vec<String> {
    let mut lines = vec![format!(
        "isolation level: {}; {} protections were attacked",
        examination.isolation,
        examination.protections.len()
    )];
    lines.extend(examination.protections.iter().map(check_line));
    lines.extend(examination.missing.iter().map(|protection| {
        let why = protection.missing.as_deref().unwrap_or_default();
        format!("  {}  {}: needed for `{}`: {}", sign(CheckOutcome::Bad), protection.name, protection.level, plain(why))
    }));
    lines.push(String::new());
    let meter = examination.meter.meter;
    let tricks = examination.meter.tricks.len();
    lines.push(format!("CPU time meter: `{meter}`; {tricks} tricks were tried"));
    lines.extend(examination.meters.iter().filter_map(|AvailableMeter { meter, missing }| {
        let why = missing.as_ref()?;
        Some(format!("  {}  meter `{meter}` is not available: {}", sign(CheckOutcome::Doubtful), plain(why)))
    }));
    lines.extend(examination.meter.tricks.iter().map(|trick| {
        let sign = sign(if trick.is_exact() { CheckOutcome::Good } else { CheckOutcome::Bad });
        let in_doubt = match trick.in_doubt {
            CpuTime::ZERO => String::new(),
            time => format!(", and {time} s recorded as time in doubt"),
        };
        format!("  {sign}  {}: {} s charged for {} s{in_doubt}", trick.name, trick.charged, trick.burned)
    }));
    let missed = if meter.has_witness() { "note:" } else { "no  " };
    lines.extend(meter.blind_spots().iter().map(|spot| format!("  {missed} it misses {spot}")));
    lines.push(String::new());
    lines.push("languages, with the CPU time of starting an empty program".to_owned());
    lines.extend(examination.tools.iter().map(|tool| match tool.start {
        Some(start) => format!("  {}  {}: {start} s, {}", sign(CheckOutcome::Good), tool.language, plain(&tool.detail)),
        None => format!("  {}  {}: {}", sign(CheckOutcome::Doubtful), tool.language, plain(&tool.detail)),
    }));
    lines.push(String::new());
    lines.push("clock accuracy".to_owned());
    lines.extend(examination.fairness.iter().map(check_line));
    lines.push(String::new());
    lines.push(
        match fitness {
            Fitness::FitToGrade => "verdict: fit for grading",
            Fitness::FitToPractise => "verdict: fit for practice, not for grading: see the lines marked `no`",
            Fitness::NotFit => "verdict: unfit: CPU time is wrong even for an honest program",
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
