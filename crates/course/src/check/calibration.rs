//! Judges the run of `calibrate`. A pure function of the run; `examine` makes it.

use super::report::CheckItem;
use referee_games::protocol::{plain, quote};
use referee_messages::clock;
use referee_seat::{OutputFile, Run, Termination};
use referee_time::CpuTime;

const NAME: &str = "calibrate";

/// The handout's limit (RULES.md, section 1: "should take no more than 5 seconds").
const ASKED_FOR: CpuTime = CpuTime::from_secs(5);

/// Judges `run` of `calibrate`, if there is such a program, which is killed at `limit`.
///
/// Nothing is a fault: the agent plays anyway.
pub(super) fn judge_calibration(run: Option<&Run>, limit: CpuTime) -> CheckItem {
    let Some(run) = run else {
        return CheckItem::ok(NAME, "not provided; it is optional");
    };
    let used = run.usage.user + run.usage.system;
    let file = match &run.output {
        OutputFile::Content { bytes } => Ok(format!("wrote a `calibration.txt` of {} bytes", bytes.0.len())),
        OutputFile::Missing { .. } | OutputFile::Unfinished { .. } | OutputFile::Unasked { .. } => {
            Err(match run.misspelled("calibration.txt") {
                Some(name) => format!("wrote {} instead of `calibration.txt`", quote(name.as_bytes())),
                None => "wrote no `calibration.txt`".to_owned(),
            })
        }
        OutputFile::NotAFile { found } => Err(format!("wrote {} as `calibration.txt`", plain(found))),
        OutputFile::TooLarge { bytes } => {
            Err(format!("wrote a `calibration.txt` of {bytes} bytes, which is too large"))
        }
        OutputFile::Unreadable { error } => Err(format!("wrote an unreadable `calibration.txt`: {}", plain(error))),
    };
    let left = match &file {
        Ok(left) | Err(left) => left,
    };
    let used_in_words = format!("{} s of CPU time", clock(used));
    if let Some(ending) = ending(run) {
        let remedy = "measure less and exit; the agent still plays, with the file as it is";
        return CheckItem::warning(NAME, format!("{ending} after {used_in_words}, and {left}"), remedy)
            .with(last_line(run));
    }
    let found = format!("ran for {used_in_words}, and {left}");
    if file.is_err() {
        let remedy = "write `calibration.txt` to the current directory, or hand in no `calibrate`";
        return CheckItem::warning(NAME, found, remedy);
    }
    if used > ASKED_FOR.min(limit) {
        let remedy =
            format!("measure less: it should take at most {} s, and is killed after {limit} s", ASKED_FOR.min(limit));
        return CheckItem::warning(NAME, found, remedy);
    }
    CheckItem::ok(NAME, found)
}

/// How it ended, if not normally.
fn ending(run: &Run) -> Option<String> {
    match &run.ended {
        Termination::Answered | Termination::Exited { status: 0 } => None,
        Termination::Exited { status } => Some(format!("exited with status {status}")),
        Termination::Signalled { name, .. } => Some(format!("was terminated by {}", plain(name))),
        Termination::OutOfCpu => Some("was killed at its limit (`calibrate_time`)".to_owned()),
        Termination::Guarded => Some(format!(
            "was killed because it waited, after {:.0} s of wall-clock time,",
            run.usage.wall.as_secs_f64()
        )),
        Termination::Exceeded { .. } => Some("was killed for exceeding a limit".to_owned()),
        Termination::NotStarted { error } => Some(format!("could not be started ({})", plain(error))),
    }
}

fn last_line(run: &Run) -> Vec<String> {
    let last = run.stderr.lines().rev().find(|line| !line.trim().is_empty());
    last.map(plain).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_seat::{Bytes, Usage};
    use referee_time::WallTime;

    const LIMIT: CpuTime = CpuTime::from_secs(10);

    fn run(ended: Termination, seconds: u64, output: OutputFile) -> Run {
        let usage = Usage { user: CpuTime::from_secs(seconds), ..Usage::default() };
        let stderr = "Traceback\nValueError: no\n".to_owned();
        Run { ended, output, stderr, ..Run::wrote(Vec::new(), usage) }
    }

    #[test]
    fn each_way_of_a_calibration_has_its_words() {
        let file = || OutputFile::Content { bytes: Bytes(b"17\n".to_vec()) };
        let missing = || OutputFile::Missing { lookalike: None };
        let exited = |status| Termination::Exited { status };
        let cases = [
            (exited(0), 1, file(), "ok", "ran for 1.00 s of CPU time, and wrote a `calibration.txt` of 3 bytes"),
            (exited(0), 5, file(), "ok", "ran for 5.00 s of CPU time, and wrote a `calibration.txt` of 3 bytes"),
            (exited(0), 6, file(), "warning", "ran for 6.00 s of CPU time, and wrote a `calibration.txt` of 3 bytes"),
            (
                Termination::OutOfCpu,
                10,
                missing(),
                "warning",
                "was killed at its limit (`calibrate_time`) after 10.00 s of CPU time, and wrote no `calibration.txt`",
            ),
            (exited(0), 1, missing(), "warning", "ran for 1.00 s of CPU time, and wrote no `calibration.txt`"),
            (
                exited(1),
                1,
                missing(),
                "warning",
                "exited with status 1 after 1.00 s of CPU time, and wrote no `calibration.txt`",
            ),
        ];
        for (ended, seconds, output, word, found) in cases {
            let item = judge_calibration(Some(&run(ended, seconds, output)), LIMIT);
            assert_eq!((item.light.word(), item.found.as_str()), (word, found));
        }
        let misspelled = Run { removed: vec!["calibrate.txt".to_owned()], ..run(exited(0), 1, missing()) };
        assert_eq!(
            judge_calibration(Some(&misspelled), LIMIT).found,
            "ran for 1.00 s of CPU time, and wrote `calibrate.txt` instead of `calibration.txt`"
        );
        let asleep = Run {
            ended: Termination::Guarded,
            usage: Usage { wall: WallTime::from_secs(40), ..Usage::default() },
            ..run(exited(0), 0, missing())
        };
        assert_eq!(
            judge_calibration(Some(&asleep), LIMIT).found,
            "was killed because it waited, after 40 s of wall-clock time, after 0.00 s of CPU time, and wrote \
             no `calibration.txt`"
        );
        let crashed = judge_calibration(Some(&run(exited(1), 1, missing())), LIMIT);
        assert_eq!(crashed.details, ["ValueError: no"]);
    }
}
