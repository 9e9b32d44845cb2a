//! Writes the two job scripts, for readers who administer the cluster. It submits nothing; `commands` does.
//!
//! A script contains its own requests, so that it can be understood and submitted again by hand. Paths and the user's
//! own options are arguments of `sbatch`, because `#SBATCH` lines have Slurm's own quoting.

use std::fmt::{Display, Write};

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
    let notice = Notice::of(request.limit(cluster));
    let mut text = head(
        "Plays games of the run below: an array of `referee shard` tasks. Each plays its share of the missing games, \
         then\n\
         # games that no other task has claimed, and exits.",
        "Safe to cancel, hold, requeue, preempt, kill or resubmit at any time, and nodes may fail: a finished game is \
         a file\n\
         # in games/ and is never played again; a running game is played again by another task.\n\
         #\n\
         # Costs: the CPUs below, no network, one small file per game in the run directory, and temporary files on \
         the node.",
        &arguments,
    );
    let last = shards.saturating_sub(1);
    let throttle = request.throttle.map_or(String::new(), |most| format!("%{most}"));
    option(&mut text, "job-name", &location.array_name());
    option(&mut text, "array", &format!("0-{last}{throttle}"));
    option(&mut text, "nodes", "1");
    option(&mut text, "ntasks", "1");
    option(&mut text, "cpus-per-task", &request.cpus.to_string());
    wish(&mut text, "time", request.time.as_ref());
    wish(&mut text, "mem", request.mem.as_ref());
    whose(&mut text, request);
    text += "# A task that is preempted or whose node fails is requeued and appends to the same log.\n";
    text += "#SBATCH --requeue\n";
    option(&mut text, "open-mode", "append");
    let _ = writeln!(
        text,
        "# Before the time limit a task gets a signal (B: only this shell, which the program has replaced by then): \
         it\n\
         # finishes the running game, if that takes at most {} seconds, and starts no other.",
        notice.grace_s
    );
    option(&mut text, "signal", &format!("B:USR1@{}", notice.before_s));
    environment(&mut text);
    paths(&mut text, location);
    let _ = write!(
        text,
        "# exec: the program takes this shell's place, so that Slurm's signals (USR1 as above, TERM when a task is \
         cancelled)\n\
         # reach it and not a shell that waits for it.\n\
         exec \"$program\" shard \"$run\" --index \"$SLURM_ARRAY_TASK_ID\" --of {shards} --jobs {} --grace {}\n",
        request.cpus, notice.grace_s
    );
    JobSubmission { script, text, arguments, overridden: overridden(request) }
}

/// The job that waits for the end of the arrays `after`, successful or not, and then plans the next round.
pub fn next(location: &RunLocation, request: &SlurmRequest, after: &[impl Display]) -> JobSubmission {
    let script = "next.sh";
    let after: Vec<String> = after.iter().map(ToString::to_string).collect();
    let dependency = format!("afterany:{}", after.join(":"));
    let arguments = arguments(location, script, "next-%j.txt", Some(dependency), &request.options);
    let mut text = head(
        "Runs for seconds after an array of the run below: resubmits missing games, or plans and submits the next \
         round,\n\
         # followed by a job like this one. Submits nothing if the competition is over, if the round has no retries \
         left,\n\
         # or if two submissions in a row finished no game.",
        "Safe to cancel: then nothing is submitted until the next `referee slurm submit`.",
        &arguments,
    );
    option(&mut text, "job-name", &location.next_name());
    option(&mut text, "nodes", "1");
    option(&mut text, "ntasks", "1");
    option(&mut text, "time", &PLANNING_MINUTES.to_string());
    whose(&mut text, request);
    text += "#SBATCH --requeue\n";
    option(&mut text, "open-mode", "append");
    environment(&mut text);
    paths(&mut text, location);
    text += "exec \"$program\" slurm advance \"$run\"\n";
    JobSubmission { script, text, arguments, overridden: overridden(request) }
}

fn head(what: &str, harm: &str, arguments: &[String]) -> String {
    format!(
        "#!/bin/bash\n#\n# {what}\n#\n# {harm}\n#\n# Written by `referee slurm submit`, anew for each submission, and \
         submitted by\n#   {}\n#\n",
        command(arguments)
    )
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

/// The options for partition and account.
fn whose(text: &mut String, request: &SlurmRequest) {
    wish(text, "partition", request.partition.as_ref());
    wish(text, "account", request.account.as_ref());
}

fn wish(text: &mut String, name: &str, value: Option<&impl Display>) {
    if let Some(value) = value {
        option(text, name, &value.to_string());
    }
}

fn option(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "#SBATCH --{name}={value}");
}

fn environment(text: &mut String) {
    *text += "# Only what finds the agents' interpreters, and nothing else from the submitter's environment.\n";
    option(text, "export", ENVIRONMENT);
}

fn paths(text: &mut String, location: &RunLocation) {
    let _ = write!(
        text,
        "\n# Both must be valid on every node.\nprogram={}\nrun={}\n\n",
        shell_word(location.program()),
        shell_word(location.run())
    );
}

fn overridden(request: &SlurmRequest) -> Vec<&'static str> {
    let mut overridden = vec![];
    if request.partition.is_some() {
        overridden.push("SBATCH_PARTITION");
    }
    if request.account.is_some() {
        overridden.push("SBATCH_ACCOUNT");
    }
    if request.time.is_some() {
        overridden.push("SBATCH_TIMELIMIT");
    }
    if request.mem.is_some() {
        overridden.extend(["SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU", "SBATCH_MEM_PER_NODE"]);
    }
    overridden
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
