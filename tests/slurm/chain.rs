//! Rounds that follow each other without anybody's hand.

use std::fs;

use super::arena::{Arena, assignment, done, said, small_agents};
use super::cluster::Cluster;
use super::submitted::{RUN, assert_same, logs, on, plan, submit, when_idle};

#[test]
fn an_elimination_goes_on_by_itself_to_its_end() {
    let Some(cluster) = Cluster::start() else { return };
    let arena = Arena::new(&assignment("\"elimination\"\nround_limit = 3", &small_agents(8)));
    plan(&arena);
    submit(&cluster, &arena, &["--throttle", "3", "--mem", "100M"]);
    let twice = said(on(&cluster, &arena, &["slurm", "submit", RUN]));
    assert_eq!(twice.status, Some(2), "{twice:#?}");
    assert_eq!(
        twice.err,
        "referee: this run is in the queue already, as job 1 and 2: let it go on, cancel it with `scancel 1 2`, or add tasks \
         with `--beside`\n"
    );
    // Whatever becomes of an array, the job behind it goes on.
    cluster.slurm("scancel", &["1"]);
    let (view, exit) = when_idle(&cluster, &arena);
    assert_eq!((exit, &view["round"], &view["more_rounds"]), (0, &3.into(), &false.into()), "{view:#}");
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
