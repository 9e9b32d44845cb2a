//! Fills in the two job scripts, `shards.sh` and `next.sh`, for readers who administer the cluster. It submits nothing;
//! `commands` does.
//!
//! A script contains its own requests, so that it can be understood and submitted again by hand. Paths and the user's
//! own options are arguments of `sbatch`, because `#SBATCH` lines have Slurm's own quoting.

use std::fmt::Display;

use super::cluster::Cluster;
use super::location::RunLocation;
use super::request::SlurmRequest;
use super::time_limit::Notice;
use crate::shell::shell_word;

/// The environment variables that a task inherits from the submitter, besides those that Slurm always passes: what is
/// needed to find agents' interpreters. Nothing specific to the submitting machine, such as `TMPDIR` or `DISPLAY`.
const ENVIRONMENT: &str = "PATH,LD_LIBRARY_PATH,HOME,USER,LOGNAME,LANG,LC_ALL";

/// The time limit in minutes of the job that plans the next round; it reads every game's result.
const PLANNING_MINUTES: u32 = 15;

/// A job ready for submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSubmission {
    /// The name of the script below `slurm/`.
    pub script: &'static str,
    /// The script.
    pub text: String,
    /// The arguments of `sbatch`.
    pub arguments: Vec<String>,
    /// Environment variables for `sbatch` that would override the request.
    pub overridden: Vec<&'static str>,
}

fn command(arguments: &[String]) -> String {
    let words: Vec<_> = arguments.iter().map(|argument| shell_word(argument)).collect();
    format!("sbatch {}", words.join(" "))
}

/// The array of `shards` tasks that plays the missing games.
pub fn array(location: &RunLocation, request: &SlurmRequest, cluster: &Cluster, shards: u32) -> JobSubmission {
    let script = "shards.sh";
    let arguments = arguments(location, script, "%A_%a.txt", None, &request.options);
    let Notice { before_s, grace_s } = Notice::of(request.limit(cluster));
    let mut requests = line("time", request.time.as_ref()) + &line("mem", request.mem.as_ref());
    requests += &account_lines(request);
    let text = format!(
        include_str!("shards.sh"),
        command = command(&arguments),
        name = location.array_name(),
        last = shards.saturating_sub(1),
        throttle = request.throttle.map_or(String::new(), |most| format!("%{most}")),
        cpus = request.cpus,
        requests = requests,
        before_s = before_s,
        grace_s = grace_s,
        environment = ENVIRONMENT,
        program = shell_word(location.program()),
        run = shell_word(location.run()),
        shards = shards,
    );
    JobSubmission { script, text, arguments, overridden: overridden(request) }
}

/// The job that waits for the end of the arrays `after`, successful or not, and then plans the next round.
pub fn next(location: &RunLocation, request: &SlurmRequest, after: &[impl Display]) -> JobSubmission {
    let script = "next.sh";
    let after: Vec<String> = after.iter().map(ToString::to_string).collect();
    let dependency = format!("afterany:{}", after.join(":"));
    let arguments = arguments(location, script, "next-%j.txt", Some(dependency), &request.options);
    let text = format!(
        include_str!("next.sh"),
        command = command(&arguments),
        name = location.next_name(),
        minutes = PLANNING_MINUTES,
        requests = account_lines(request),
        environment = ENVIRONMENT,
        program = shell_word(location.program()),
        run = shell_word(location.run()),
    );
    JobSubmission { script, text, arguments, overridden: overridden(request) }
}

fn arguments(
    location: &RunLocation,
    script: &str,
    log: &str,
    dependency: Option<String>,
    options: &[String],
) -> Vec<String> {
    let below = |name: &str| location.below(name).to_string_lossy().into_owned();
    let mut arguments = vec![
        "--parsable".to_owned(),
        format!("--chdir={}", location.run()),
        // A pattern (sbatch(1), "filename pattern"): 22.05 expands even the working directory before a relative one, so
        // a `%` in any parent folder must be doubled.
        format!("--output={}/{log}", below("logs").replace('%', "%%")),
    ];
    arguments.extend(dependency.map(|dependency| format!("--dependency={dependency}")));
    arguments.extend(options.iter().cloned());
    arguments.push(below(script));
    arguments
}

/// The lines for partition and account.
fn account_lines(request: &SlurmRequest) -> String {
    line("partition", request.partition.as_ref()) + &line("account", request.account.as_ref())
}

/// The line of an option, after the one before; nothing without a value.
fn line(name: &str, value: Option<&impl Display>) -> String {
    value.map_or_else(String::new, |value| format!("\n#SBATCH --{name}={value}"))
}

fn overridden(request: &SlurmRequest) -> Vec<&'static str> {
    let SlurmRequest { partition, account, time, mem, .. } = request;
    let requested: [(bool, &[&str]); 4] = [
        (partition.is_some(), &["SBATCH_PARTITION"]),
        (account.is_some(), &["SBATCH_ACCOUNT"]),
        (time.is_some(), &["SBATCH_TIMELIMIT"]),
        (mem.is_some(), &["SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU", "SBATCH_MEM_PER_NODE"]),
    ];
    requested.into_iter().filter(|(is_given, _)| *is_given).flat_map(|(_, variables)| variables).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::path::Path;
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    fn request() -> SlurmRequest {
        SlurmRequest {
            throttle: NonZeroU32::new(4),
            partition: "main".parse().ok(),
            mem: "2G".parse().ok(),
            time: "2:00:00".parse().ok(),
            options: vec!["--comment=a class's games".to_owned()],
            ..SlurmRequest::plain()
        }
    }

    fn location(run: &str) -> RunLocation {
        RunLocation::new(Path::new(run), Path::new("/bin/echo")).unwrap()
    }

    /// The script as run by `sh`, with its program replaced by one that prints its arguments.
    fn carried_out(submission: &JobSubmission) -> String {
        let output = Command::new("/bin/bash").args(["-c", &submission.text]).env("SLURM_ARRAY_TASK_ID", "3").output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn any_path_reaches_the_program_as_it_is(name in "[^\\x00-\\x1f\\x7f-\\x9f\\\\/]{1,24}") {
            let run = format!("/data/{name}");
            let location = location(&run);
            prop_assert_eq!(
                carried_out(&array(&location, &request(), &Cluster::default(), 8)),
                format!("shard {run} --index 3 --of 8 --jobs 1 --grace 300\n")
            );
            prop_assert_eq!(carried_out(&next(&location, &request(), &[7])), format!("slurm advance {run}\n"));
        }
    }

    #[test]
    fn what_is_asked_for_cannot_be_overridden() {
        let submission = array(&location("/data/run"), &request(), &Cluster::default(), 8);
        assert!(submission.overridden.contains(&"SBATCH_TIMELIMIT"));
        assert!(!submission.overridden.contains(&"SBATCH_ACCOUNT"));
    }

    #[test]
    fn the_command_can_be_typed() {
        let location = location("/data/100 %");
        assert_eq!(
            command(&next(&location, &request(), &[7, 9]).arguments),
            "sbatch --parsable '--chdir=/data/100 %' '--output=/data/100 %%/slurm/logs/next-%j.txt' \
             '--dependency=afterany:7:9' \"--comment=a class's games\" '/data/100 %/slurm/next.sh'"
        );
    }
}
