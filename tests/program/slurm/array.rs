//! A round robin as one array, and all that can happen to its tasks.

use nix::sys::signal::Signal;

use super::cluster::{Cluster, Process};
use super::submitted::{RUN, assert_same, live, on, plan, submit, when_idle};
use crate::competition::arena::{Arena, assignment, done, small_agents};
use crate::invocation::assert_starts;

#[test]
#[ignore = "long: runs a cluster"]
fn a_round_robin_survives_what_happens_to_its_tasks() {
    let Some(mut cluster) = Cluster::start() else { return };
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(10)));
    plan(&arena);
    let job = submit(&cluster, &arena, &["--shards", "8", "--once"]);
    // Those that have begun are frozen, so that they cannot play everything before the others begin.
    cluster.until("8 tasks with games finished", |cluster| {
        let tasks = cluster.tasks();
        if arena.recorded(RUN) > 0 {
            for task in &tasks {
                task.signal(Signal::SIGSTOP);
            }
        }
        tasks.len() == 8 && arena.recorded(RUN) > 0
    });
    hurt(&mut cluster, job);
    cluster.until("many games", |_| arena.recorded(RUN) >= 30);

    // Whoever has had enough cancels everything; what the lost node's scripts did without Slurm's knowledge ends, too.
    cluster.tasks().iter().for_each(|task| task.signal(Signal::SIGSTOP));
    cluster.slurm("scancel", &[&job.to_string()]);
    for task in cluster.tasks().iter().filter(|task| task.node() == Some("n4")) {
        task.signal(Signal::SIGKILL);
    }
    let (left, exit) = when_idle(&cluster, &arena);
    assert_eq!((exit, &left["games"]), (1, &90.into()), "{left:#}");
    assert!(left["finished"].as_u64().unwrap() < 90, "{left:#}");

    // The same command again; a job behind the array sees that nothing follows.
    let again = submit(&cluster, &arena, &["--shards", "8"]);
    assert!(again > job);
    assert!(!live(&cluster).is_empty());
    let (complete, exit) = when_idle(&cluster, &arena);
    assert_eq!((exit, &complete["finished"]), (0, &90.into()), "{complete:#}");
    let nothing = done(on(&cluster, &arena, &["slurm", "submit", RUN]));
    assert_starts(&nothing, "nothing to submit: the competition is over ");

    done(arena.compete("local", &[]));
    assert_same(&arena, "local");
}

/// One task is cancelled, one is requeued and one node is cut off, each in the middle of a game. All tasks are frozen
/// before; the others go on.
fn hurt(cluster: &mut Cluster, job: u64) {
    let is_victim = |task: &Process| matches!(task.task(), Some(0 | 1)) || task.node() == Some("n4");
    let (victims, others): (Vec<Process>, Vec<Process>) = cluster.tasks().into_iter().partition(is_victim);
    assert_eq!(victims.len(), 4, "two tasks, and the two of a node");
    cluster.slurm("scancel", &[&format!("{job}_0")]);
    cluster.slurm("scontrol", &["requeue", &format!("{job}_1")]);
    cluster.kill_daemons_of("n4");
    // The scripts there live on, and nobody can tell them to stop.
    for living in victims.iter().filter(|victim| victim.node() == Some("n4")).chain(&others) {
        living.signal(Signal::SIGCONT);
    }
}
