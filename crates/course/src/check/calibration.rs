//! Judges the run of `calibrate`. A pure function of the run; `examine` makes it.

use super::report::CheckItem;
use referee_games::protocol::plain;
use referee_messages::clock;
use referee_seat::{PreparationLimit, Run};
use referee_submissions::agents::calibration_oddities;
use referee_time::CpuTime;

const NAME: &str = "calibrate";

/// The handout's limit (RULES.md, section 1: "should take no more than 5 seconds").
const ASKED_FOR: CpuTime = CpuTime::from_secs(5);

/// Judges `run` of `calibrate`, if there is such a program, which is killed at `limit`.
///
/// Nothing is a fault: the agent plays anyway.
pub(super) fn judge_calibration(run: Option<&Run>, limit: PreparationLimit) -> CheckItem {
    let Some(run) = run else {
        return CheckItem::ok(NAME, "not provided; it is optional");
    };
    let used = run.usage.user + run.usage.system;
    let [ending, odd_file] = calibration_oddities(run, limit);
    let bytes = run.output.content().unwrap_or_default().len();
    let file = odd_file.clone().unwrap_or_else(|| format!("wrote a `calibration.txt` of {bytes} bytes"));
    let ended = ending.as_ref().map(|ending| format!(", {ending}")).unwrap_or_default();
    let found = plain(&format!("ran for {} s of CPU time{ended}, and {file}", clock(used)));
    let most = ASKED_FOR.min(limit.cpu);
    if ending.is_some() {
        let remedy = "measure less and exit; the agent still plays, with the file as it is";
        CheckItem::warning(NAME, found, remedy).with(last_line(run))
    } else if odd_file.is_some() {
        CheckItem::warning(NAME, found, "write `calibration.txt` to the current directory, or hand in no `calibrate`")
    } else if used > most {
        let remedy = format!("measure less: it should take at most {most} s, and is killed after {} s", limit.cpu);
        CheckItem::warning(NAME, found, remedy)
    } else {
        CheckItem::ok(NAME, found)
    }
}

fn last_line(run: &Run) -> Vec<String> {
    let last = run.stderr.lines().rev().find(|line| !line.trim().is_empty());
    last.map(plain).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_seat::{Bytes, OutputFile, Termination, Usage};

    const LIMIT: PreparationLimit = PreparationLimit::of_cpu_time(CpuTime::from_secs(10));

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
                "ran for 10.00 s of CPU time, was killed after 10 s of CPU time (`calibrate_time`), and wrote no \
                 `calibration.txt`",
            ),
            (exited(0), 1, missing(), "warning", "ran for 1.00 s of CPU time, and wrote no `calibration.txt`"),
            (
                exited(1),
                1,
                missing(),
                "warning",
                "ran for 1.00 s of CPU time, exited with status 1, and wrote no `calibration.txt`",
            ),
        ];
        for (ended, seconds, output, word, found) in cases {
            let item = judge_calibration(Some(&run(ended, seconds, output)), LIMIT);
            assert_eq!((item.light.word(), item.found.as_str()), (word, found));
        }
        let crashed = judge_calibration(Some(&run(exited(1), 1, missing())), LIMIT);
        assert_eq!(crashed.details, ["ValueError: no"]);
    }
}
