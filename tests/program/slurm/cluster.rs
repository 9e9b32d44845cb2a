//! A Slurm cluster of virtual nodes on loopback, started by a test and gone with it.
//!
//! It needs no rights, no systemd and no control groups, and neither reads nor writes anything outside its own
//! temporary folder. Its nodes advertise more cores than there are, because each wave of free ones costs Slurm a
//! second.
//!
//! What it starts it ends, by process id, also when the test panics. Everything that a daemon of it has started, at
//! whatever distance, has the variable `SLURM_CONF` with this cluster's own path in its environment: nothing else on
//! the machine has.

use std::fmt::Write;
use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, getuid};
use tempfile::TempDir;

use crate::invocation;
use crate::skips::{SLURM, skip};

/// The nodes, `n1` to `n4`.
const NODES: u32 = 4;

/// The cores that each advertises.
const CPUS: u32 = 2;

/// How long anything may take that has to come in the end. Nothing waits that long unless something is broken.
const TIMEOUT: Duration = Duration::from_mins(10);

/// The programs that a cluster is made of.
const PROGRAMS: [&str; 7] = ["munged", "munge", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"];

/// A cluster that is up.
pub(crate) struct Cluster {
    folder: TempDir,
    daemons: Vec<(String, Child)>,
}

/// Waits until `condition` gives something; says what for, and what is known, where it never does.
pub(crate) fn wait_for<T>(what: &str, mut condition: impl FnMut() -> Option<T>, known: impl Fn() -> String) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(begin.elapsed() < TIMEOUT, "waited in vain for {what}\n{}", known());
        sleep(Duration::from_millis(50));
    }
}

/// The programs that are missing here.
fn missing() -> Vec<&'static str> {
    let is_there = |program: &&str| search_path().split(':').any(|folder| Path::new(folder).join(program).exists());
    PROGRAMS.into_iter().filter(|program| !is_there(program)).collect()
}

/// Where tests look for programs, and where daemons lie.
fn search_path() -> String {
    invocation::path().to_string_lossy().into_owned() + ":/usr/sbin:/sbin"
}

impl Cluster {
    /// A cluster with all nodes idle; `None` where the packages are absent and the test is said to be skipped.
    pub(crate) fn start() -> Option<Self> {
        let missing = missing();
        if !missing.is_empty() {
            skip(&SLURM, format!("no Slurm here, {missing:?} missing"));
            return None;
        }
        let mut cluster = Self {
            // Not in `TMPDIR`: the path of a socket has at most 107 bytes.
            folder: tempfile::Builder::new().prefix("slurm-").tempdir_in("/tmp").unwrap(),
            daemons: vec![],
        };
        cluster.configure();
        cluster.start_daemons();
        Some(cluster)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configure(&self) {
        fs::set_permissions(self.folder.path(), Permissions::from_mode(0o755)).unwrap();
        for folder in ["key", "socket", "state", "spool", "log"] {
            fs::create_dir(self.path(folder)).unwrap();
        }
        fs::set_permissions(self.path("key"), Permissions::from_mode(0o700)).unwrap();
        let mut key = vec![0; 1024];
        std::io::Read::read_exact(&mut File::open("/dev/urandom").unwrap(), &mut key).unwrap();
        fs::write(self.path("key/munge.key"), key).unwrap();
        fs::set_permissions(self.path("key/munge.key"), Permissions::from_mode(0o600)).unwrap();
        fs::write(self.path("plugstack.conf"), "").unwrap();
        fs::write(self.path("slurm.conf"), self.configuration()).unwrap();
    }

    /// `slurm.conf`. `cred_expire` is how long a requeued job waits, which is two minutes otherwise.
    fn configuration(&self) -> String {
        let folder = self.folder.path().display();
        let user = User::from_uid(getuid()).unwrap().unwrap().name;
        let ports = free_ports(NODES + 1);
        let mut text = format!(
            "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={port}\nSlurmUser={user}\n\
             SlurmdUser={user}\n\
             AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={folder}/socket/munge,cred_expire=5\n\
             CommunicationParameters=NoCtldInAddrAny,NoInAddrAny\nStateSaveLocation={folder}/state\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmctldLogFile={folder}/log/slurmctld.log\n\
             SlurmdSpoolDir={folder}/spool/%n\nSlurmdPidFile={folder}/spool/%n.pid\nSlurmdLogFile={folder}/log/%n.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
             MpiDefault=none\nSwitchType=switch/none\nMailProg=/bin/true\nPlugStackConfig={folder}/plugstack.conf\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\n\
             SchedulerParameters=batch_sched_delay=0,bf_interval=2,sched_interval=2\nMaxArraySize=1001\n\
             SlurmdParameters=config_overrides\nReturnToService=2\nJobRequeue=1\nKillWait=5\nMinJobAge=300\n\
             SlurmctldTimeout=30\nSlurmdTimeout=10\nInactiveLimit=0\nBatchStartTimeout=20\nUnkillableStepTimeout=20\n\
             AccountingStorageType=accounting_storage/none\nJobCompType=jobcomp/none\n",
            port = ports[0],
        );
        for (number, port) in (1..=NODES).zip(&ports[1..]) {
            writeln!(
                text,
                "NodeName=n{number} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs={CPUS} Boards=1 \
                 SocketsPerBoard=1 CoresPerSocket={CPUS} ThreadsPerCore=1 RealMemory=1000 State=UNKNOWN"
            )
            .unwrap();
        }
        text + &format!("PartitionName=main Nodes=n[1-{NODES}] Default=YES MaxTime=INFINITE DefaultTime=30 State=UP\n")
    }

    fn start_daemons(&mut self) {
        let of = |name: &str, path: PathBuf| format!("--{name}={}", path.display());
        let munged = [
            "--foreground".to_owned(),
            of("key-file", self.path("key/munge.key")),
            of("socket", self.path("socket/munge")),
            of("pid-file", self.path("key/munged.pid")),
            of("log-file", self.path("key/munged.log")),
            of("seed-file", self.path("key/munged.seed")),
        ];
        self.daemon("munged", "munged", &munged);
        let socket = self.path("socket/munge").display().to_string();
        self.until("munged", |cluster| {
            let answer = cluster.command("munge").args(["-n", "-S", &socket]).output().unwrap();
            answer.status.success()
        });
        let conf = self.path("slurm.conf").display().to_string();
        self.daemon("slurmctld", "slurmctld", &["-D", "-i", "-f", &conf].map(ToOwned::to_owned));
        for node in 1..=NODES {
            let node = format!("n{node}");
            fs::create_dir(self.path("spool").join(&node)).unwrap();
            let arguments = ["-D", "-N", &node, "-f", &conf].map(ToOwned::to_owned);
            self.daemon(&node, "slurmd", &arguments);
        }
        self.until("all nodes to be idle", |cluster| {
            let answer = cluster.command("sinfo").args(["-h", "-N", "-o", "%T"]).output().unwrap();
            let states = String::from_utf8_lossy(&answer.stdout).into_owned();
            states.lines().filter(|state| *state == "idle").count() == NODES as usize
        });
    }

    fn daemon(&mut self, name: &str, program: &str, arguments: &[String]) {
        let log = File::create(self.path("log").join(format!("{name}.out"))).unwrap();
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null()).process_group(0);
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.daemons.push((name.to_owned(), command.spawn().unwrap()));
    }

    /// A program that belongs to this cluster.
    pub(crate) fn command(&self, program: &str) -> Command {
        self.joined(Command::new(program))
    }

    /// `command` as given on a machine of this cluster.
    pub(crate) fn joined(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", self.path("slurm.conf")).env("PATH", search_path());
        command
    }

    /// Carries out one of Slurm's programs, which has to succeed; gives what it printed.
    pub(crate) fn slurm(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}\n{}", self.known());
        String::from_utf8(output.stdout).unwrap()
    }

    /// Waits until something is so.
    pub(crate) fn until(&self, what: &str, mut condition: impl FnMut(&Self) -> bool) {
        wait_for(what, || condition(self).then_some(()), || self.known());
    }

    /// Kills the daemons of a node, as a machine does that is cut off: `slurmd`, and the `slurmstepd` of each of its
    /// jobs. The scripts themselves go on, as they may in truth.
    pub(crate) fn kill_daemons_of(&mut self, node: &str) {
        let (_, daemon) = self.daemons.iter_mut().find(|(name, _)| name == node).unwrap();
        daemon.kill().unwrap();
        daemon.wait().unwrap();
        let processes = self.processes();
        let scripts = processes.iter().filter(|process| process.node() == Some(node));
        let parents: Vec<Pid> = scripts.map(|script| script.parent).collect();
        for process in &processes {
            if process.name == "slurmstepd" && parents.contains(&process.pid) {
                process.signal(Signal::SIGKILL);
            }
        }
    }

    /// Every process that the cluster has started, and that has not ended.
    pub(crate) fn processes(&self) -> Vec<Process> {
        let mark = format!("SLURM_CONF={}", self.path("slurm.conf").display());
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let processes = pids.filter_map(Process::read);
        processes.filter(|process| process.variables.contains(&mark)).collect()
    }

    /// The scripts of tasks that are running, with or without Slurm's knowledge; a shard has taken its script's place.
    pub(crate) fn tasks(&self) -> Vec<Process> {
        let processes = self.processes();
        let is_keeper =
            |process: &Process| processes.iter().any(|other| other.pid == process.parent && other.task().is_some());
        let keepers: Vec<Pid> =
            processes.iter().filter(|process| is_keeper(process)).map(|process| process.pid).collect();
        let is_task = |process: &Process| process.task().is_some() && !keepers.contains(&process.pid);
        processes.into_iter().filter(is_task).collect()
    }

    /// What there is to know where something went wrong.
    pub(crate) fn known(&self) -> String {
        let said = |output: std::io::Result<Output>| {
            output.map_or_else(|error| error.to_string(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let mut known = said(self.command("squeue").args(["--array", "--states=all"]).output());
        known += &said(self.command("sinfo").args(["-N", "-l"]).output());
        for log in fs::read_dir(self.path("log")).unwrap().flatten() {
            let text = fs::read_to_string(log.path()).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let last = lines[lines.len().saturating_sub(15)..].join("\n");
            write!(known, "\n{}:\n{last}\n", log.path().display()).unwrap();
        }
        known
    }
}

/// A process that the cluster has started.
pub(crate) struct Process {
    pid: Pid,
    parent: Pid,
    /// The name of its program, cut to 15 bytes.
    name: String,
    /// `NAME=VALUE`.
    variables: Vec<String>,
}

impl Process {
    /// `None` where it has ended, or belongs to somebody else.
    fn read(pid: i32) -> Option<Self> {
        let file = |name: &str| fs::read(format!("/proc/{pid}/{name}")).ok();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let (environment, stat) = (text(file("environ")?), text(file("stat")?));
        // proc_pid_stat(5): after the name, which may hold anything but is in parentheses, the state and the parent.
        let (_, after_name) = stat.rsplit_once(") ")?;
        Some(Self {
            pid: Pid::from_raw(pid),
            parent: Pid::from_raw(after_name.split(' ').nth(1)?.parse().ok()?),
            name: text(file("comm")?).trim_end().to_owned(),
            variables: environment.split('\0').map(ToOwned::to_owned).collect(),
        })
    }

    /// The value of a variable of its environment.
    fn variable(&self, name: &str) -> Option<&str> {
        let mut pairs = self.variables.iter().filter_map(|variable| variable.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Which task of an array it belongs to.
    pub(crate) fn task(&self) -> Option<u32> {
        self.variable("SLURM_ARRAY_TASK_ID")?.parse().ok()
    }

    /// The virtual node that it runs on.
    pub(crate) fn node(&self) -> Option<&str> {
        self.variable("SLURMD_NODENAME")
    }

    /// Sends it a signal, if it is still there.
    pub(crate) fn signal(&self, signal: Signal) {
        // It may have ended since it was looked for.
        let _ = kill(self.pid, signal);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Slurm knows best what belongs to its jobs, agents with an environment of their own included.
        drop(self.command("timeout").args(["10", "scancel", "--quiet", "--me"]).output());
        let begin = Instant::now();
        let is_busy = || {
            let jobs = self.command("timeout").args(["5", "squeue", "--noheader", "--me"]).output();
            jobs.is_ok_and(|jobs| jobs.status.success() && !jobs.stdout.is_empty())
        };
        while is_busy() && begin.elapsed() < Duration::from_secs(5) {
            sleep(Duration::from_millis(100));
        }
        // The nodes first, so that their controller does not notice; each by the process id that it was started with.
        for (_, daemon) in self.daemons.iter_mut().rev() {
            drop(daemon.kill());
            drop(daemon.wait());
        }
        // What is left: the steps of a node whose daemons were killed, and their scripts.
        let begin = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() || begin.elapsed() > Duration::from_secs(10) {
                break;
            }
            for process in left {
                process.signal(Signal::SIGKILL);
            }
            sleep(Duration::from_millis(20));
        }
    }
}

/// Ports that nobody listens on, each another.
fn free_ports(count: u32) -> Vec<u16> {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}
