//! Calls Slurm's own programs with timeouts. It decides nothing; the commands of `cli/slurm` call it.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt;

use super::queue::FORMAT;
use super::{Cluster, JobSubmission, Queue, RunLocation, SlurmRequest};
use referee_messages::plain;

/// The timeout for Slurm's programs. They wait for a busy controller themselves, and give up on a missing one only
/// after minutes.
const TIMEOUT: Duration = Duration::from_mins(1);

/// More than any of the programs prints about one run.
const LONGEST_OUTPUT_BYTES: u64 = 64 << 20;

/// Environment variables that change the programs' output or override a script's options (sbatch(1), "input environment
/// variables"). A site's defaults for account, partition, quality of service and the like stay, unless the user's
/// options differ.
const CLEARED_VARIABLES: [&str; 22] = [
    "SBATCH_ARRAY_INX",
    "SBATCH_ERROR",
    "SBATCH_EXPORT",
    "SBATCH_GET_USER_ENV",
    "SBATCH_INPUT",
    "SBATCH_JOB_NAME",
    "SBATCH_NO_REQUEUE",
    "SBATCH_OPEN_MODE",
    "SBATCH_OUTPUT",
    "SBATCH_REQUEUE",
    "SBATCH_SIGNAL",
    "SBATCH_WAIT",
    "SCONTROL_ALL",
    "SLURM_TIME_FORMAT",
    "SQUEUE_ACCOUNT",
    "SQUEUE_FORMAT",
    "SQUEUE_FORMAT2",
    "SQUEUE_PARTITION",
    "SQUEUE_SORT",
    "SQUEUE_STATES",
    "SQUEUE_USERS",
    "SQUEUE_NAMES",
];

/// The cluster of this machine, through the programs in `PATH`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slurm;

/// Why Slurm could not be asked, or refused.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// Slurm is not installed here.
    #[error(
        "`{0}` is not installed: run this command on a machine of a Slurm cluster, such as its login node \
         (`--dry-run` works anywhere)"
    )]
    Missing(&'static str),
    /// The program refused.
    #[error("`{program}` refused: {}", plain(said))]
    Refused {
        /// The program.
        program: &'static str,
        /// Its output, not escaped.
        said: String,
    },
    /// It did not answer in time.
    #[error(
        "`{0}` did not answer within {seconds} seconds: is the controller running? try `scontrol ping`",
        seconds = TIMEOUT.as_secs()
    )]
    Silent(&'static str),
    /// Its answer is unintelligible.
    #[error("unexpected output of `{program}`: `{}`", plain(said))]
    Strange {
        /// The program.
        program: &'static str,
        /// Its output, not escaped.
        said: String,
    },
    /// The system could not run it.
    #[error("cannot run `{program}`: {source}")]
    System {
        /// The program.
        program: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Slurm {
    /// The cluster's limits; Slurm's defaults if unknown, since submitting reports errors anyway.
    ///
    /// # Errors
    ///
    /// [`SlurmError`] if `scontrol` cannot be asked at all.
    pub fn cluster(self, request: &SlurmRequest) -> Result<Cluster, SlurmError> {
        let config = run("scontrol", &words(&["show", "config"]), &[])?;
        let partitions = run("scontrol", &words(&["show", "partition", "--oneliner"]), &[])?;
        let named = request.partition.as_ref().map(ToString::to_string);
        Ok(Cluster::read(&config, &partitions, named.as_deref()))
    }

    /// Submits a job; returns its number.
    ///
    /// # Errors
    ///
    /// [`SlurmError`].
    pub fn submit(self, submission: &JobSubmission) -> Result<u64, SlurmError> {
        let said = run("sbatch", &submission.arguments, &submission.overridden)?;
        // With a federation or `--clusters`, the cluster's name follows. A site's remarks may precede it.
        let last = said.trim_end().lines().last().unwrap_or_default();
        let number = last.split(';').next().unwrap_or_default().trim();
        number.parse().map_err(|_| SlurmError::Strange { program: "sbatch", said })
    }

    /// The live jobs of a run.
    ///
    /// # Errors
    ///
    /// [`SlurmError`].
    pub fn queue(self, location: &RunLocation) -> Result<Queue, SlurmError> {
        let names = format!("--name={},{}", location.array_name(), location.next_name());
        let format = format!("--format={FORMAT}");
        let arguments = words(&["--noheader", "--states=all", &names, &format]);
        Ok(Queue::read(&run("squeue", &arguments, &[])?, location))
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn run(program: &'static str, arguments: &[String], overridden: &[&str]) -> Result<String, SlurmError> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(Path::new("/"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for variable in CLEARED_VARIABLES.iter().chain(overridden) {
        command.env_remove(variable);
    }
    let system = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::NotFound => SlurmError::Missing(program),
        _ => SlurmError::System { program, source },
    };
    let mut child = command.spawn().map_err(system)?;
    let (out, err) = (listen(child.stdout.take()), listen(child.stderr.take()));
    let ended = ended(&mut child).map_err(|source| SlurmError::System { program, source })?;
    let text_of = |listener: thread::JoinHandle<String>| listener.join().unwrap_or_default();
    match ended {
        None => Err(SlurmError::Silent(program)),
        Some(true) => Ok(text_of(out)),
        Some(false) => Err(SlurmError::Refused { program, said: refusal(&text_of(err), &text_of(out)) }),
    }
}

/// Whether the program succeeded; `None` if it had to be killed.
fn ended(child: &mut Child) -> std::io::Result<Option<bool>> {
    if let Some(status) = child.wait_timeout(TIMEOUT)? {
        return Ok(Some(status.success()));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Reads a stream to its end in parallel, so that a verbose program does not block.
fn listen(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(stream) = stream {
            // Output read before a failure is the best information available.
            drop(stream.take(LONGEST_OUTPUT_BYTES).read_to_end(&mut said));
        }
        String::from_utf8_lossy(&said).into_owned()
    })
}

/// A program's error message in one line, without its prefix.
fn refusal(err: &str, out: &str) -> String {
    let said = if err.trim().is_empty() { out } else { err };
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.map(|line| line.split_once(" error: ").map_or(line, |(_, rest)| rest)).collect();
    if lines.is_empty() { "it gave no reason".to_owned() } else { lines.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_in_one_line() {
        let said = "sbatch: error: invalid partition specified: nowhere\nsbatch: error: Batch job submission failed: \
                    Invalid \
                    partition name specified\n";
        let error = SlurmError::Refused { program: "sbatch", said: refusal(said, "") };
        assert_eq!(
            error.to_string(),
            "`sbatch` refused: invalid partition specified: nowhere; Batch job submission failed: Invalid partition \
             name \
             specified"
        );
        assert_eq!(refusal(" \n", ""), "it gave no reason");
    }

    #[test]
    fn long_output_is_read_to_its_end() {
        let arguments = words(&["-c", "head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2"]);
        assert_eq!(run("sh", &arguments, &[]).unwrap().len(), 300_000);
    }
}
