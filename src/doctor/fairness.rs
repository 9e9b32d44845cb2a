//! Checks what makes the same program cost different CPU times at different moments, or on another machine.
//! `cli/doctor` calls it; it changes nothing.

use std::fs;

use super::{CheckOutcome, DoctorCheck};
use referee_games::protocol::counted;
use referee_records::{Host, MachineNoise};
use referee_seat::{WaitAccounts, time_fixed_work};

/// Checks the frequency governor, hyper-threads, load and noise, and whether seats see the load, by their `accounts`.
pub fn fairness(accounts: WaitAccounts) -> Vec<DoctorCheck> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let load = load(&read("/proc/loadavg"), &read("/proc/stat"));
    let always = [governor(), simultaneous_threads(), load, waits(accounts), noise()];
    always.into_iter().chain(windows_subsystem(&read("/proc/sys/kernel/osrelease"))).collect()
}

/// What WSL is fit for, by the release of its kernel: `6.6.87.2-microsoft-standard-WSL2`, or `4.4.0-19041-Microsoft` of
/// WSL 1, which only imitates a kernel.
fn windows_subsystem(release: &str) -> Option<DoctorCheck> {
    let release = release.trim().to_lowercase();
    let (finding, detail) = if !release.contains("microsoft") {
        return None;
    } else if release.starts_with("4.4.") {
        (CheckOutcome::Bad, "WSL 1 has no Linux kernel: convert it with `wsl --set-version NAME 2`")
    } else {
        let detail = "WSL 2: verdicts are those of any Linux, times are for practice only, because the load of Windows \
                      is not seen here; keep files in the Linux home directory, not below `/mnt`";
        (CheckOutcome::Doubtful, detail)
    };
    Some(DoctorCheck { name: "Windows".to_owned(), finding, detail: detail.to_owned() })
}

fn governor() -> DoctorCheck {
    let (finding, detail) = match Host::this().governor {
        None => (CheckOutcome::Good, "no frequency scaling visible".to_owned()),
        Some(one) if one == "performance" => (CheckOutcome::Good, one),
        Some(others) => (
            CheckOutcome::Doubtful,
            format!("{others}: programs starting at a low frequency use more CPU time; set the governor `performance`"),
        ),
    };
    DoctorCheck { name: "frequency governor".to_owned(), finding, detail }
}

fn simultaneous_threads() -> DoctorCheck {
    let active = fs::read_to_string("/sys/devices/system/cpu/smt/active").is_ok_and(|text| text.trim() == "1");
    let (finding, detail) = if active {
        let detail = "two games on one core slow each other down: play at most one per physical core";
        (CheckOutcome::Doubtful, detail.to_owned())
    } else {
        (CheckOutcome::Good, "off".to_owned())
    };
    DoctorCheck { name: "simultaneous multithreading".to_owned(), finding, detail }
}

/// A sentence about this machine, if programs wait for a processor already, before a run begins.
pub fn busy_now() -> Option<String> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let (share, load) = load_share(&read("/proc/loadavg"), &read("/proc/stat"))?;
    (share > BUSY_LOAD).then(|| {
        format!(
            "this machine is busy: a load of {load} in the last minute; nobody loses by waiting for a processor, \
             but games take longer and CPU times vary more"
        )
    })
}

/// More programs than this wait or run for each processor: more than what this program has just done itself leaves in
/// the mean of a minute.
const BUSY_LOAD: f64 = 2.0;

/// The load for each processor of the machine, and the load in words.
fn load_share(loadavg: &str, stat: &str) -> Option<(f64, String)> {
    let load = loadavg.split(' ').next()?.parse::<f64>().ok()?;
    let is_processor =
        |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let processors = stat.lines().filter(is_processor).count();
    #[expect(clippy::cast_precision_loss, reason = "a number of processors")]
    let share = load / processors.max(1) as f64;
    Some((share, format!("{load:.2} on {}", counted(processors, "processor"))))
}

/// The load of the machine, from the texts of `/proc/loadavg` and `/proc/stat` (proc(5)). The load covers the whole
/// machine, so it is compared with all online processors, not only ours.
fn load(loadavg: &str, stat: &str) -> DoctorCheck {
    let (finding, detail) = match load_share(loadavg, stat) {
        None => (CheckOutcome::Doubtful, "cannot read `/proc/loadavg`".to_owned()),
        Some((share, load)) => {
            let (finding, remedy) = if share > 1.0 {
                (
                    CheckOutcome::Bad,
                    "; CPU time is unreliable with more than one process per processor: stop other work, wait a \
                     minute and rerun",
                )
            } else if share > 0.5 {
                (CheckOutcome::Doubtful, "; leave processors free for the games with fewer `--jobs`")
            } else {
                (CheckOutcome::Good, "")
            };
            (finding, format!("{load} in the last minute{remedy}"))
        }
    };
    DoctorCheck { name: "load".to_owned(), finding, detail }
}

/// What the wall-clock guard counts: RULES.md lets nobody lose by waiting for a processor.
fn waits(accounts: WaitAccounts) -> DoctorCheck {
    let seen_by = |sources: &str| (CheckOutcome::Good, format!("seen by {sources}, so nobody loses by them"));
    let (finding, detail) = match accounts {
        WaitAccounts { threads: true, group: true } => seen_by("`schedstat` and `cpu.pressure`"),
        WaitAccounts { threads: true, group: false } => seen_by("`schedstat`"),
        WaitAccounts { threads: false, group: true } => seen_by("`cpu.pressure`"),
        WaitAccounts { threads: false, group: false } => (
            CheckOutcome::Doubtful,
            "not seen, because the kernel has no `/proc/PID/schedstat` and seats have no group with `cpu.pressure`: \
             the wall-clock guard counts plain wall-clock time, so on a busy machine an agent that computes can lose \
             as one that never returned, and no game is void for that; keep the machine idle, or raise \
             `wall_limit_factor` and `wall_limit_extra`"
                .to_owned(),
        ),
    };
    DoctorCheck { name: "waits for a processor".to_owned(), finding, detail }
}

/// How often the fixed workload is repeated: 20 ms in all.
const REPETITIONS: usize = 40;

/// A quiet machine stays below this; above it, other programs take caches, memory or clock frequency.
const STEADY_PARTS_PER_THOUSAND: u64 = 50;

/// Times the same work repeatedly under the current load.
fn noise() -> DoctorCheck {
    let noise = MachineNoise { before: time_fixed_work(REPETITIONS, None), after: Vec::new() };
    let parts = noise.parts_per_thousand();
    let steady = parts <= STEADY_PARTS_PER_THOUSAND;
    DoctorCheck {
        name: "noise of CPU time".to_owned(),
        finding: if steady { CheckOutcome::Good } else { CheckOutcome::Doubtful },
        detail: format!(
            "the same work took up to {}.{} % more CPU time than at best; a draw decided by less is a close call",
            parts / 10,
            parts % 10
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wsl_is_named_by_its_kernel() {
        let finding = |release| windows_subsystem(release).map(|check| check.finding);
        assert_eq!(finding("6.1.0-32-amd64\n"), None);
        assert_eq!(finding("6.8.0-1021-azure\n"), None);
        assert_eq!(finding("6.6.87.2-microsoft-standard-WSL2\n"), Some(CheckOutcome::Doubtful));
        assert_eq!(finding("4.4.0-19041-Microsoft\n"), Some(CheckOutcome::Bad));
    }

    #[test]
    fn a_kernel_with_one_account_of_waits_is_enough_and_one_without_is_told_of() {
        let check = |threads, group| waits(WaitAccounts { threads, group });
        for (threads, group) in [(true, true), (true, false), (false, true)] {
            assert_eq!(check(threads, group).finding, CheckOutcome::Good, "{threads} {group}");
        }
        let missing = check(false, false);
        assert_eq!(missing.finding, CheckOutcome::Doubtful);
        assert!(missing.detail.contains("the wall-clock guard counts plain wall-clock time"), "{}", missing.detail);
    }

    #[test]
    fn a_load_above_the_processors_is_bad() {
        let stat = "cpu  1 2 3\ncpu0 1 2 3\ncpu1 1 2 3\nintr 5\n";
        for (loadavg, expected) in [
            ("0.40 5.00 9.00 1/99 1\n", CheckOutcome::Good),
            ("1.00 0.00 0.00 1/99 1\n", CheckOutcome::Good),
            ("1.80 0.00 0.00 1/99 1\n", CheckOutcome::Doubtful),
            ("2.01 0.00 0.00 1/99 1\n", CheckOutcome::Bad),
            ("19.23 8.00 3.00 20/99 1\n", CheckOutcome::Bad),
            ("", CheckOutcome::Doubtful),
        ] {
            assert_eq!(load(loadavg, stat).finding, expected, "{loadavg}");
        }
        assert_eq!(
            load("19.23 8.00 3.00 20/99 1\n", stat).detail,
            "19.23 on 2 processors in the last minute; CPU time is unreliable with more than one process per \
             processor: stop other work, wait a minute and rerun"
        );
    }
}
