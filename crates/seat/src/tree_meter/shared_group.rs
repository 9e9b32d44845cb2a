//! The control group in which the referee itself runs, read as a witness: a container's own, where no other can be had.
//!
//! Reading `cpuacct.usage` or `cpu.stat` needs no rights. The account covers everything in the group, so the exact
//! clocks of all other processes in it are subtracted: the referee's, the keepers', a shell's. What is left is the
//! program's, or that of a process that came and went during the run, of which nobody knows whose it was. So the
//! surplus is never charged: it is time in doubt. The account and the clocks have the same source, and are read in the
//! order that finds too little rather than too much.
//!
//! It cannot tell:
//! - between two seats with programs at the same time, so it serves only a seat that plays
//!   [alone](super::super::Concurrency::Alone), and looks away while a program that lives on waits for its next turn;
//! - anything where others count in the group whom nobody here can see or ask: in another PID namespace (as in a sealed
//!   seat), in groups inside of it, or too many to ask at each run.

use std::collections::HashMap;
use std::fs::File;
use std::num::ParseIntError;
use std::path::PathBuf;

use nix::unistd::Pid;

use super::super::cgroup::{ControlGroup, Place, own_place};
use super::super::fault::HostError;
use super::super::processes::{cpu_clock, descendants};
use super::Counter;
use super::cgroup::CgroupVersion;
use referee_time::CpuTime;

/// More processes beside the program take too long to ask.
const MAX_OTHERS: usize = 100;

/// A process that this namespace does not see, in the list of a group's processes.
const UNSEEN: Pid = Pid::from_raw(0);

/// The account of the group around the keeper.
pub(super) struct SharedGroup {
    group: PathBuf,
    version: CgroupVersion,
    account: File,
    launcher: Pid,
    /// What was left for the program in earlier turns, and until the last reading.
    earlier: CpuTime,
    latest: CpuTime,
    before: CpuTime,
    others_before: HashMap<Pid, CpuTime>,
}

impl SharedGroup {
    /// `None` if nothing can be learned from it. The programs are in the version 2 group `outer`, if any.
    pub(super) fn open(outer: Option<&ControlGroup>) -> Option<Self> {
        let second = outer.is_none().then_some(CgroupVersion::Second);
        second
            .into_iter()
            .chain([CgroupVersion::First])
            .find_map(|version| Self::at(version, own_place(version.hierarchy()).ok()?))
    }

    fn at(version: CgroupVersion, Place { group, .. }: Place) -> Option<Self> {
        let has_groups =
            std::fs::read_dir(&group).ok()?.flatten().any(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let account = File::open(group.join(version.account().to_str().ok()?)).ok()?;
        let shared = Self {
            group,
            version,
            account,
            launcher: Pid::this(),
            earlier: CpuTime::ZERO,
            latest: CpuTime::ZERO,
            before: CpuTime::ZERO,
            others_before: HashMap::new(),
        };
        let inside = shared.processes().ok()?;
        let is_clear = !has_groups && inside.len() <= MAX_OTHERS && !inside.contains(&UNSEEN);
        (is_clear && inside.contains(&Pid::this())).then_some(shared)
    }

    fn processes(&self) -> Result<Vec<Pid>, HostError> {
        let doing = "list the processes of the control group";
        // Version 1 answers an open file from its memory for a second.
        let list = std::fs::read_to_string(self.group.join("cgroup.procs")).map_err(HostError::when(doing))?;
        let pids: Result<_, _> = list.lines().map(|line| line.parse().map(Pid::from_raw)).collect();
        pids.map_err(|_: ParseIntError| HostError::when(doing)("it has another form than expected"))
    }

    /// The clocks of all processes that are not the program's.
    fn others(&self) -> Result<HashMap<Pid, CpuTime>, HostError> {
        let listed = self.processes()?;
        let own = descendants(MAX_OTHERS);
        let others = listed.into_iter().filter(|pid| *pid != self.launcher && !own.contains(pid));
        Ok(others.filter_map(|pid| Some((pid, cpu_clock(pid).ok()?))).collect())
    }

    /// Counts from now on.
    fn look(&mut self) -> Result<(), HostError> {
        // Asking a running process for its clock also brings the account up to date.
        self.others_before = self.others()?;
        self.before = self.version.on_account(&self.account)?;
        Ok(())
    }
}

impl Counter for SharedGroup {
    fn adopt(&mut self, launcher: Pid) -> Result<(), HostError> {
        self.launcher = launcher;
        Ok(())
    }

    fn begin(&mut self) -> Result<(), HostError> {
        (self.earlier, self.latest) = (CpuTime::ZERO, CpuTime::ZERO);
        self.look()
    }

    fn resume(&mut self) -> Result<(), HostError> {
        self.earlier = self.latest;
        self.look()
    }

    fn used(&mut self) -> Result<CpuTime, HostError> {
        let all = self.version.on_account(&self.account)?.saturating_sub(self.before);
        let before = |pid| self.others_before.get(&pid).copied().unwrap_or_default();
        let others = self.others()?.into_iter().map(|(pid, now)| now.saturating_sub(before(pid)));
        self.latest = self.earlier + all.saturating_sub(others.sum());
        Ok(self.latest)
    }

    /// All of it.
    fn not_its_own(&self, _stolen: CpuTime, _known: CpuTime, _fresh_pages: u64) -> CpuTime {
        CpuTime::from_micros(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    const SECOND: CpuTime = CpuTime::from_secs(1);

    /// A folder in the place of a group, with these processes.
    fn group(processes: &[Pid]) -> (tempfile::TempDir, Place) {
        let folder = tempfile::tempdir().unwrap();
        let mut list = String::new();
        for pid in processes {
            writeln!(list, "{pid}").unwrap();
        }
        std::fs::write(folder.path().join("cgroup.procs"), list).unwrap();
        let place = Place { group: folder.path().to_owned(), top: folder.path().to_owned() };
        count(&place, CpuTime::ZERO);
        (folder, place)
    }

    fn count(place: &Place, used: CpuTime) {
        let usage = (used.micros() * 1000).to_string();
        std::fs::write(place.group.join("cpuacct.usage"), usage).unwrap();
    }

    fn at(place: &Place) -> Option<SharedGroup> {
        let (group, top) = (place.group.clone(), place.top.clone());
        SharedGroup::at(CgroupVersion::First, Place { group, top })
    }

    #[test]
    fn what_all_others_used_is_subtracted_and_nothing_of_the_program() {
        let (_folder, place) = group(&[Pid::this()]);
        let clock = || cpu_clock(Pid::this()).unwrap();
        let mut shared = at(&place).unwrap();
        shared.adopt(Pid::from_raw(i32::MAX)).unwrap();
        let before = clock();
        shared.begin().unwrap();
        let began = clock();
        std::hint::black_box((0..1_000_000_u64).map(std::hint::black_box).sum::<u64>());
        let meanwhile = clock();
        count(&place, SECOND);
        let used = shared.used().unwrap();
        assert!(used <= SECOND.saturating_sub(meanwhile.saturating_sub(began)), "{used}");
        assert!(used >= SECOND.saturating_sub(clock().saturating_sub(before)), "{used}");
        // The program itself.
        shared.adopt(Pid::this()).unwrap();
        shared.begin().unwrap();
        count(&place, SECOND + SECOND);
        assert_eq!(shared.used().unwrap(), SECOND);
    }

    #[test]
    fn what_a_living_child_of_the_program_uses_is_not_that_of_others() {
        let mut child = std::process::Command::new("/bin/sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let pid = Pid::from_raw(child.id().cast_signed());
        let (_folder, place) = group(&[Pid::this(), pid]);
        let clock = || cpu_clock(Pid::this()).unwrap();
        let mut shared = at(&place).unwrap();
        shared.adopt(Pid::from_raw(i32::MAX)).unwrap();
        let before = clock();
        shared.begin().unwrap();
        let began = cpu_clock(pid).unwrap();
        // So long that it cannot be taken for what this process uses meanwhile.
        while cpu_clock(pid).unwrap() <= began + clock().saturating_sub(before) + CpuTime::from_millis(10) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        count(&place, SECOND);
        let used = shared.used().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(used >= SECOND.saturating_sub(clock().saturating_sub(before)), "{used}");
    }

    #[test]
    fn a_group_in_which_others_cannot_be_asked_is_no_witness() {
        let this = Pid::this();
        let crowd = vec![this; MAX_OTHERS + 1];
        for (processes, is_one) in [(&[this][..], true), (&[this, UNSEEN], false), (&[], false), (&crowd, false)] {
            assert_eq!(at(&group(processes).1).is_some(), is_one, "{processes:?}");
        }
        let (folder, place) = group(&[this]);
        std::fs::create_dir(folder.path().join("inside")).unwrap();
        assert!(at(&place).is_none());
    }
}
