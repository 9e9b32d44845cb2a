//! A competition that is played on a cluster.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::cluster::Cluster;
use crate::competition::arena::{Arena, done, said};

/// A name with all that a shell and Slurm could take for something else.
pub(crate) const RUN: &str = "it's 100 %j \"of\" $HOME";

/// A command of ours on a machine of the cluster.
pub(crate) fn on(cluster: &Cluster, arena: &Arena, words: &[&str]) -> Command {
    cluster.joined(arena.referee(words))
}

/// Plans the competition of the arena's assignment as [`RUN`].
pub(crate) fn plan(arena: &Arena) {
    let told = done(arena.referee(&["plan", "small.toml", "--out", RUN]));
    assert!(told.ends_with(" games\n"), "{told}");
}

/// Submits, and gives the number of the array.
pub(crate) fn submit(cluster: &Cluster, arena: &Arena, options: &[&str]) -> u64 {
    let mut words = vec!["slurm", "submit", RUN];
    words.extend(options);
    let told = done(on(cluster, arena, &words));
    let number = told.strip_prefix("submitted job ").and_then(|rest| rest.split(':').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{told}"))
}

/// What `status --json` says, and the exit status.
pub(crate) fn status(arena: &Arena) -> (Value, i32) {
    let said = said(arena.referee(&["status", RUN, "--json"]));
    let status = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:#?}"));
    (status, said.status.unwrap())
}

/// The jobs and tasks in the queue that may still do something: a line each, the job's number first.
pub(crate) fn live(cluster: &Cluster) -> Vec<String> {
    let lines =
        cluster.slurm("squeue", &["--noheader", "--states=PENDING,RUNNING,SUSPENDED,REQUEUED", "--format=%F|%j"]);
    lines.lines().map(ToOwned::to_owned).collect()
}

/// Waits until nothing of the run is in the queue any more; gives the status then.
pub(crate) fn when_idle(cluster: &Cluster, arena: &Arena) -> (Value, i32) {
    cluster.until("an empty queue", |cluster| {
        let is_idle = live(cluster).is_empty();
        if !is_idle {
            // The queue empties in seconds.
            sleep(Duration::from_millis(250));
        }
        is_idle
    });
    status(arena)
}

/// What each of the tasks and jobs has said, by the name of its log.
pub(crate) fn logs(arena: &Arena) -> BTreeMap<String, String> {
    let files = fs::read_dir(arena.path(RUN).join("slurm/logs")).unwrap().flatten();
    files
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

/// The run on the cluster came to the same as the run `local`, and each of its games was finished once.
pub(crate) fn assert_same(arena: &Arena, local: &str) {
    let (games, expected) = (arena.games(RUN), arena.games(local));
    assert_eq!(games.len(), expected.len());
    for (id, game) in &games {
        let verdict = arena.run(RUN).game(id).unwrap().verdict;
        assert_eq!(*game, expected[id], "{id}: {verdict:?}");
    }
    assert_eq!(arena.recorded(RUN), games.len());
    let logs = logs(arena);
    for id in games.keys() {
        let line = format!("{id}  ");
        let lines = logs.values().flat_map(|log| log.lines());
        let told = lines.filter(|told| told.starts_with(&line) && told.contains(" turns, ")).count();
        assert!(told <= 1, "{id} was told {told} times: {logs:#?}");
    }
    let standings = |run: &str| {
        let text = done(arena.referee(&["standings", run, "--json"]));
        let mut json: Value = serde_json::from_str(&text).unwrap();
        forget_times(&mut json);
        json
    };
    let (mut here, mut there) = (standings(RUN), standings(local));
    for run in [&mut here, &mut there] {
        run["run"] = Value::Null;
    }
    assert_eq!(here, there);
    done(arena.referee(&["verify", RUN]));
}

/// Times differ from run to run.
fn forget_times(json: &mut Value) {
    match json {
        Value::Object(pairs) => {
            pairs.retain(|key, _| !key.ends_with("_us") && !key.contains("_us_"));
            pairs.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}
