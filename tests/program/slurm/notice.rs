//! What tasks do when they are told that their time is nearly over, and what Slurm refuses.

use std::fs;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::cluster::{Cluster, wait_for};
use super::submitted::{RUN, live, logs, on, plan, submit, when_idle};
use crate::competition::arena::{Arena, assignment, below, said};

/// An agent that thinks for some seconds without using any CPU time, and then says nothing, which loses.
const SLOW: &str = "#!/bin/sh\nsleep 3\n";

fn slow_competition() -> Arena {
    let names = || (0..6).map(|index| format!("slow{index}=slow{index}"));
    let arena = Arena::new(&assignment("\"round-robin\"", &names().collect::<Vec<_>>()));
    for index in 0..6 {
        let path = arena.path(&format!("slow{index}"));
        fs::write(&path, format!("{SLOW}# {index}\n")).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    arena
}

#[test]
#[ignore = "long: runs a cluster"]
fn a_task_that_is_asked_to_end_finishes_its_game_and_loses_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    let arena = slow_competition();
    plan(&arena);
    refused_by_slurm(&cluster, &arena);

    let job = submit(&cluster, &arena, &["--shards", "2", "--time", "5", "--once"]);
    cluster.until("2 tasks with games finished", |cluster| cluster.tasks().len() == 2 && arena.recorded(RUN) >= 2);
    // One as Slurm itself does it, which looks at time limits every half minute; one by hand.
    cluster.slurm("scontrol", &["update", &format!("JobId={job}_0"), "TimeLimit=1"]);
    cluster.slurm("scancel", &["--signal=USR1", "--batch", &format!("{job}_1")]);
    let (view, exit) = when_idle(&cluster, &arena);

    assert_eq!((exit, &view["games"]), (1, &30.into()), "{view:#}");
    let logs = logs(&arena);
    for shard in 0..2 {
        let log = &logs[&format!("{job}_{shard}.txt")];
        let told = format!("referee: shard {shard} of 2: told to stop, ");
        assert!(log.contains(&told), "{log}");
        assert!(!log.contains("dropped"), "{log}");
    }
    // The games in hand were finished, and nobody has to wait for what would be claimed still.
    let finished = view["finished"].as_u64().unwrap();
    let told =
        logs.values().flat_map(|log| log.lines()).filter(|line| line.contains(" turn, ") || line.contains(" turns, "));
    assert_eq!(finished, told.count() as u64, "{logs:#?}");
    assert_eq!(fs::read_dir(arena.path(RUN).join("claims")).unwrap().count(), 0);
    let jobs = cluster.slurm("scontrol", &["show", "job", "--oneliner"]);
    assert_eq!(jobs.matches(" ExitCode=75:0 ").count(), 2, "{jobs}");
}

/// Slurm cancels a task by sending SIGTERM to each of its processes, in any order: agents die of it before their
/// referee knows, as if by their own fault. It is stopped meanwhile, so that the order does not depend on the machine.
#[test]
fn an_agent_that_dies_with_its_task_has_not_lost() {
    let arena = slow_competition();
    plan(&arena);
    let shard = arena.referee(&["shard", RUN, "--jobs", "2"]).stdout(Stdio::null()).spawn().unwrap();
    let agents = || below(&shard, "sleep");
    let first = wait_for("two agents", || Some(agents()).filter(|agents| agents.len() == 2), String::new);
    let send = |signal| kill(Pid::from_raw(shard.id().cast_signed()), signal).unwrap();
    send(Signal::SIGSTOP);
    for agent in first {
        let _ = kill(agent, Signal::SIGTERM);
    }
    wait_for("the end of both", || agents().is_empty().then_some(()), String::new);
    send(Signal::SIGTERM);
    send(Signal::SIGCONT);
    assert_eq!(shard.wait_with_output().unwrap().status.code(), Some(75));
    assert_eq!(arena.recorded(RUN), 0);
}

fn refused_by_slurm(cluster: &Cluster, arena: &Arena) {
    let refused = said(on(cluster, arena, &["slurm", "submit", RUN, "--partition", "nowhere"]));
    assert_eq!(
        (refused.status, refused.err.as_str()),
        (
            Some(4),
            "referee: `sbatch` refused: invalid partition specified: nowhere; Batch job submission failed: Invalid \
             partition \
             name specified\n"
        )
    );
    let too_many = said(on(cluster, arena, &["slurm", "submit", RUN, "--shards", "1002"]));
    assert_eq!(
        (too_many.status, too_many.err.as_str()),
        (
            Some(2),
            "referee: this cluster allows at most 1001 tasks in an array (`MaxArraySize`), not 1002: use fewer \
             `--shards` with more `--cpus`\n"
        )
    );
    assert_eq!(live(cluster), [""; 0]);
}
