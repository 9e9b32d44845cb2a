//! The control group around a keeper as a witness, like that of a container.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use referee_seat::{Concurrency, Meter, SeatOptions};
use referee_time::CpuTime;

use crate::living;
use crate::skips::{ROOT, skip};
use crate::{BURNED_MILLISECONDS, burned, charged, hold, options, run_freely, seat, soon, tolerance, undisturbed};

/// A keeper that enters a control group of its own, like that of a container, with others whom the test puts there.
struct Container {
    group: PathBuf,
    folder: tempfile::TempDir,
}

impl Container {
    /// `None` if no group can be made. Each test has a name of its own: two in one group would count each other.
    fn new(test: &str) -> Option<Self> {
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("`/proc` is mounted");
        let accounts = |line: &&str| line.contains(" - cgroup2 ") || line.ends_with("cpuacct");
        let mut points = mounts.lines().filter(accounts).filter_map(|line| line.split(' ').nth(4));
        let name = format!("referee-test-meter-{}-{test}", std::process::id());
        let group = points.find_map(|point| {
            let group = Path::new(point).join(&name);
            std::fs::create_dir(&group).map(|()| group).ok()
        })?;
        let folder = tempfile::tempdir().expect("it can be made");
        Some(Self { group, folder })
    }

    /// An executable that enters the group and does `work`.
    fn script(&self, name: &str, work: &str) -> PathBuf {
        let (draft, script) = (self.folder.path().join("draft"), self.folder.path().join(name));
        let text = format!("#!/bin/sh\necho $$ >'{}/cgroup.procs'\n{work}\n", self.group.display());
        std::fs::write(&draft, text).expect("it can be written");
        // Written by this process, it could not be executed while a process of another test inherits its descriptor.
        let installed = Command::new("install").arg(draft).arg(&script).status();
        assert!(installed.is_ok_and(|status| status.success()), "it can be copied");
        script
    }

    fn options(&self, concurrency: Concurrency) -> SeatOptions {
        SeatOptions {
            concurrency,
            keeper: Some(self.script("keeper", concat!("exec '", env!("CARGO_BIN_EXE_referee"), "' \"$@\""))),
            ..options(Some(Meter::Rusage))
        }
    }

    /// A shell in the group that does `work` over and over, and has begun.
    fn shell(&self, work: &str) -> Shell {
        let mut shell = Command::new("/bin/sh")
            .arg(self.script("other", &format!("echo; while :; do {work}; done")))
            .stdout(Stdio::piped())
            .spawn()
            .map(Shell)
            .expect("there is a shell");
        let began = shell.0.stdout.as_mut().expect("a pipe").read_exact(&mut [0]);
        began.expect("it says so");
        shell
    }
}

/// A process that is killed when it is dropped, also by a test that fails.
struct Shell(Child);

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        soon(|| std::fs::remove_dir(&self.group).is_ok());
    }
}

/// Nobody pays for others, whom the group counts too: those who are there all the time are not even taken for hidden
/// time, and those who come and go make no more than a doubt.
#[test]
#[ignore = "long: every trick"]
fn what_is_hidden_from_rusage_is_in_doubt_where_one_seat_plays_alone() {
    let Some(container) = Container::new("short") else {
        return skip(&ROOT, "no control group can be made");
    };
    let hides = |trick: &str| trick.starts_with("ignored");
    let look = |trick: &str, concurrency, doubted: bool| {
        let Some(mut seat) = seat(trick, BURNED_MILLISECONDS, &container.options(concurrency)) else {
            return;
        };
        undisturbed(|| {
            let run = run_freely(&mut seat);
            let (burned, charged, in_doubt) = (burned(&run), charged(&run), run.in_doubt.as_secs_f64());
            println!(
                "{trick:20} {concurrency:?} {burned:.4} s burned, {charged:.4} s charged, {in_doubt:.4} s in doubt"
            );
            let about = |time: f64| time >= burned - 0.001 && time <= burned + tolerance(burned, 16);
            let is_good = if hides(trick) {
                charged < burned * 0.8 && about(charged + in_doubt) == doubted
            } else {
                about(charged) && run.discrepancy.is_none()
            };
            hold(is_good && (in_doubt > 0.0) == doubted, || format!("{concurrency:?}, {trick}: {run:?}"))
        });
    };
    let busy = container.shell(":");
    for trick in ["spin", "threads", "fork-and-wait", "double-fork", "ignored-one-by-one"] {
        look(trick, Concurrency::Alone, hides(trick));
    }
    look("ignored-one-by-one", Concurrency::Others, false);
    drop(busy);
    let _come_and_go = container.shell("/bin/true");
    look("spin", Concurrency::Alone, true);
}

/// The same for a program that lives for a whole game; what others use between its turns is not even a doubt.
#[test]
#[ignore = "long: every trick"]
fn what_a_living_program_hides_from_rusage_is_in_doubt_in_its_own_turns() {
    let Some(container) = Container::new("living") else {
        return skip(&ROOT, "no control group can be made");
    };
    let _busy = container.shell(":");
    // Far more than the ticks in which the time of children is told.
    let opponent = container.script("opponent", "turn=0; while [ $turn -lt 300000 ]; do turn=$((turn + 1)); done");
    for trick in ["spin", "threads", "double-fork", "ignored-one-by-one"] {
        undisturbed(|| {
            let Some(mut seat) = living::seat(trick, &container.options(Concurrency::Alone)) else {
                return Ok(());
            };
            for _ in 0..living::TURNS {
                let ended = Command::new(&opponent).status().expect("there is a shell");
                assert!(ended.success());
                let run = living::run_turn(&mut seat);
                let (burned, charged) = (living::burned(&run), charged(&run));
                let in_doubt = run.in_doubt.as_secs_f64();
                println!("{trick:20} {burned:.4} s burned, {charged:.4} s charged, {in_doubt:.4} s in doubt");
                // Children that are waited for are told in ticks.
                let about = |time: f64| time >= burned - 0.02 && time <= burned + tolerance(burned, 16) + 0.02;
                let is_good = if trick == "ignored-one-by-one" {
                    charged < burned * 0.8 && about(charged + in_doubt)
                } else {
                    about(charged) && run.in_doubt == CpuTime::ZERO && run.discrepancy.is_none()
                };
                hold(is_good, || format!("{trick}: {run:?}"))?;
            }
            Ok(())
        });
    }
}
