//! What works, and what is refused, where there is no Slurm.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::competition::arena::{Arena, Said, assignment, done, said, small_agents};
use crate::invocation::{assert_ends, assert_starts, words};

/// An arena with a planned run, and a folder for programs that is all of `PATH`.
fn planned() -> Arena {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(4)));
    done(arena.referee(&["plan", "small.toml", "--out", "my run"]));
    fs::create_dir(arena.path("programs")).unwrap();
    arena
}

fn alone(arena: &Arena, words: &[&str]) -> Command {
    let mut command = arena.referee(words);
    command.env("PATH", arena.path("programs"));
    command
}

fn program(arena: &Arena, name: &str, text: &str) {
    let path = arena.path("programs").join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn refused(said: &Said, status: i32, text: &str) {
    assert_eq!((said.status, said.err.as_str()), (Some(status), text), "{said:#?}");
}

#[test]
fn the_scripts_can_be_read_before_anything_is_submitted() {
    let arena = planned();
    let options = words(
        "slurm submit {} --dry-run --partition=long --time=4:00:00 --throttle=4 --cpus=2 \
         --mem=4G --account=csci561 --sbatch-option=--qos=low",
        &["my run"],
    );
    let said = said(alone(&arena, &options));
    assert_eq!(
        (said.status, said.err.as_str()),
        (Some(0), "Slurm is not installed here: assuming a cluster with Slurm's defaults\n")
    );
    let run = arena.path("my run").canonicalize().unwrap();
    let digest = said.out.split("--job-name=referee-my-run-").nth(1).unwrap()[..8].to_owned();
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_referee")).unwrap();
    let shown = said
        .out
        .replace(run.to_str().unwrap(), "/data/my run")
        .replace(program.to_str().unwrap(), "/opt/referee")
        .replace(&digest, "01234567");
    snapbox::assert_data_eq!(shown, snapbox::file!["snapshots/submission_scripts.txt"].raw());
    assert!(!arena.path("my run/slurm").exists());
}

#[test]
fn without_slurm_nothing_can_be_submitted() {
    let arena = planned();
    refused(
        &said(alone(&arena, &["slurm", "submit", "my run"])),
        4,
        "referee: `scontrol` is not installed: run this command on a machine of a Slurm cluster, such as its login \
         node (`--dry-run` works anywhere)\n",
    );
    program(&arena, "scontrol", "echo 'MaxArraySize = 1001'");
    program(&arena, "squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
    refused(
        &said(alone(&arena, &["slurm", "submit", "my run"])),
        4,
        "referee: `squeue` refused: Unable to contact slurm controller\n",
    );
}

#[test]
fn a_chain_gives_up_what_does_not_get_on() {
    let arena = planned();
    program(&arena, "squeue", "");
    program(&arena, "scontrol", "echo 'MaxArraySize = 1001'");
    // A cluster that takes jobs and never runs them; their numbers ascend.
    program(
        &arena,
        "sbatch",
        "read -r last < \"$0.last\" 2>/dev/null\necho $((last + 1)) > \"$0.last\"\necho \"$((last + 1));cluster\"",
    );
    let first = done(alone(&arena, &["slurm", "submit", "my run", "--shards=2"]));
    assert!(
        first.starts_with(
            "submitted job 1: 2 shards for 12 missing games of round 3\nsubmitted job 2: runs after job 1 and submits \
             missing games or the next round\nresults: referee status "
        ),
        "{first}"
    );
    assert!(first.ends_with("\nqueue: squeue --jobs 2,1\nstop it: scancel 2 1\n"), "{first}");
    let second = done(alone(&arena, &["slurm", "advance", "my run"]));
    assert_starts(&second, "submitted job 3: 2 shards for 12 missing games of round 3\n");
    let third = said(alone(&arena, &["slurm", "advance", "my run"]));
    assert_eq!(third.status, Some(1), "{third:#?}");
    assert_starts(&third.out, "12 games missing, and the last 2 submissions finished no game: not submitted again\n");
    // Whoever has mended it begins anew.
    done(alone(&arena, &["slurm", "submit", "my run"]));
    done(alone(&arena, &["slurm", "advance", "my run"]));
}

#[test]
fn what_cannot_be_submitted_is_refused_with_a_reason() {
    let arena = planned();
    refused(
        &said(alone(&arena, &["slurm", "submit", "programs"])),
        3,
        "referee: `programs`: it is not a run directory: make one with `referee plan ASSIGNMENT AGENT... --out RUN`\n",
    );
    refused(
        &said(alone(&arena, &["slurm", "advance", "my run"])),
        2,
        &format!(
            "referee: this run was never submitted: use `referee slurm submit '{}'`\n",
            arena.path("my run").canonicalize().unwrap().display()
        ),
    );
    for option in ["--array", "--array=0-3", "-a0-3", "--time=1:00", "-t 5", "--wrap=true"] {
        let said = said(alone(&arena, &["slurm", "submit", "my run", "--dry-run", "--sbatch-option", option]));
        assert_eq!(said.status, Some(2), "{option}: {said:#?}");
        assert!(said.err.contains("` is set by the scripts of the run"), "{option}: {said:#?}");
    }
    fs::rename(arena.path("my run"), arena.path("my\nrun")).unwrap();
    let said = said(alone(&arena, &["slurm", "submit", "my\nrun"]));
    assert_eq!(said.status, Some(2));
    assert_ends(&said.err, "my\\nrun` contains a control character, which job scripts cannot contain: rename it\n");
}
