//! A ladder that is played by jobs on several nodes, as `docs/ladders.md` says, while versions come and participants
//! go.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;
use referee_records::{LadderGame, LadderPair};

use super::cluster::Cluster;
use crate::competition::arena::{Arena, done};
use crate::invocation::{assert_contains, path};
use crate::ladder::{agent, games, hand_in, ladder, pairs, standings, update};
use crate::toolbox::{PYTHON3, require};

#[test]
#[ignore = "long: runs a cluster"]
fn a_ladder_survives_what_happens_to_its_jobs_and_participants() {
    require!(PYTHON3);
    let Some(cluster) = Cluster::start() else { return };
    let arena = ladder(&["ada", "bob", "cyd", "dan"]);
    update(&arena);
    let job = submit(&cluster, &arena);
    cluster.until("games of tasks on four nodes", |cluster| {
        let tasks = cluster.tasks();
        let nodes: BTreeSet<_> = tasks.iter().filter_map(|task| task.node()).collect();
        nodes.len() == 4 && games(&arena).len() >= 8
    });

    // One task is cancelled, one is requeued, and one dies without a word.
    cluster.slurm("scancel", &[&format!("{job}_1")]);
    cluster.slurm("scontrol", &["requeue", &format!("{job}_2")]);
    cluster.tasks().iter().filter(|task| task.task() == Some(3)).for_each(|task| task.signal(Signal::SIGKILL));
    let begun = claims(&arena);
    hand_in(&arena, "bob", "version 2");
    assert_contains(update(&arena), "bob  version 2 plays");
    let (newest, gone) = (agent(&arena, "bob v2"), agent(&arena, "cyd v1"));
    done(arena.referee(&["ladder", "withdraw", "lad", "cyd"]));
    let again = submit(&cluster, &arena);
    // A new task on the node of the dead one sees that it is dead.
    cluster.until("the end of all pairs that had begun, and games of the new version", |_| {
        claims(&arena).is_disjoint(&begun) && pairs(&arena).keys().any(|pair| pair.has(newest))
    });
    cluster.slurm("scancel", &[&job.to_string(), &again.to_string()]);
    // Also of those that are completing: they finish their games.
    cluster.until("the end of all tasks", |cluster| cluster.slurm("squeue", &["--noheader"]).is_empty());

    // Nobody else is alive, so that what is left half played comes first; then come pairs that are new.
    let (recorded, left) = (pairs(&arena), claims(&arena));
    let enough = recorded.values().filter(|games| **games == 1).count() + left.len() + 4;
    done(arena.referee(&["ladder", "play", "lad", "--pairs", &enough.to_string(), "--jobs", "2", "--stale", "0.1"]));
    let pairs = pairs(&arena);
    assert!(pairs.values().all(|games| *games == 2), "{pairs:?}");
    assert_eq!(claims(&arena), BTreeSet::new());
    let mut new = pairs.keys().filter(|pair| !recorded.contains_key(pair) && !left.contains(pair)).peekable();
    assert!(new.peek().is_some() && new.all(|pair| !pair.has(gone)), "{pairs:?}");
    assert_played_once(&arena);
    assert_contains(done(arena.referee(&["verify", "lad"])), "0 different");
    assert_eq!(standings(&arena, &[])["games"], 2 * pairs.len());
}

/// Submits the job of the page, with the ladder of `arena`; gives its number. However busy the machine is, no task
/// takes one that is alive for dead.
fn submit(cluster: &Cluster, arena: &Arena) -> u64 {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ladders.md")).unwrap();
    let line = page.lines().find(|line| line.starts_with("sbatch ")).unwrap();
    let line = line.replace("/shared/ladder", "lad --stale 86400");
    let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), path().display());
    let mut shell = cluster.command("sh");
    shell.args(["-c", &line]).current_dir(arena.path("")).env("PATH", path);
    let told = done(shell);
    let number = told.trim_end().strip_prefix("Submitted batch job ").and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{told}"))
}

/// The pairs that are claimed.
fn claims(arena: &Arena) -> BTreeSet<LadderPair> {
    let names = fs::read_dir(arena.path("lad/claims")).unwrap().map(|claim| claim.unwrap().file_name());
    names.filter_map(|name| Some(name.to_str()?.parse::<LadderGame>().ok()?.pair)).collect()
}

/// Each game that a job has told has a record, and was played once.
fn assert_played_once(arena: &Arena) {
    let files = fs::read_dir(arena.path("")).unwrap().map(|file| file.unwrap().path());
    let logs = files.filter(|file| file.extension().is_some_and(|extension| extension == "out"));
    let recorded: BTreeSet<String> = games(arena).iter().map(ToString::to_string).collect();
    let mut told = BTreeSet::new();
    for log in logs.map(|log| fs::read_to_string(log).unwrap()) {
        assert!(!log.contains("also played by another process"), "{log}");
        for line in log.lines().filter(|line| line.contains(" turns, ")) {
            let (game, _) = line.split_once("  ").unwrap();
            assert!(recorded.contains(game), "lost: {line}");
            assert!(told.insert(game.to_owned()), "doubled: {line}");
        }
    }
    assert!(!told.is_empty());
}
