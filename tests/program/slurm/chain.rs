//! Rounds that follow each other without anybody's hand.

use std::fs;

use super::cluster::Cluster;
use super::submitted::{RUN, assert_same, live, logs, on, plan, submit, when_idle};
use crate::competition::arena::{Arena, assignment, done, said, small_agents};

#[test]
#[ignore = "long: runs a cluster"]
fn an_elimination_goes_on_by_itself_to_its_end() {
    let Some(cluster) = Cluster::start() else { return };
    let arena = Arena::new(&assignment("\"elimination\"\nround_limit = 3", &small_agents(8)));
    plan(&arena);
    // So that the first array cannot be done before it is cancelled.
    cluster.slurm("scontrol", &["update", "NodeName=n[1-4]", "State=DRAIN", "Reason=test"]);
    let job = submit(&cluster, &arena, &["--throttle", "3", "--mem", "100M"]);
    // Not always the number after it: each task that has started has one of its own, too.
    let queue = live(&cluster);
    let next = queue.iter().find_map(|line| line.split_once('|').filter(|(_, name)| name.ends_with("-next")));
    let (next, _) = next.unwrap_or_else(|| panic!("{queue:?}"));
    let twice = said(on(&cluster, &arena, &["slurm", "submit", RUN]));
    assert_eq!(twice.status, Some(2), "{twice:#?}");
    assert_eq!(
        twice.err,
        format!(
            "referee: this run is already in the queue, as job {job} and {next}: wait for it, cancel it with `scancel \
             {job} \
             {next}`, or add tasks with `--beside`\n"
        )
    );
    // Whatever becomes of an array, the job behind it goes on.
    cluster.slurm("scancel", &[&job.to_string()]);
    cluster.slurm("scontrol", &["update", "NodeName=n[1-4]", "State=RESUME"]);
    let (view, exit) = when_idle(&cluster, &arena);
    assert_eq!((exit, &view["more_rounds"]), (0, &false.into()), "{view:#}");
    assert_eq!(arena.manifest(RUN).rounds.len(), 3);
    let logs = logs(&arena);
    let ends: Vec<_> = logs.values().filter(|log| log.starts_with("over: the winner")).collect();
    assert_eq!(ends.len(), 1, "{logs:#?}");
    // The round that was cancelled, the same again, and two more; behind each array a job.
    let arrays = fs::read_dir(arena.path(RUN).join("slurm/jobs")).unwrap().count();
    assert_eq!(arrays, 8, "{logs:#?}");

    done(arena.compete("local", &[]));
    assert_same(&arena, "local");
}
