//! Reaching other processes, and escaping from one's own group.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use referee_seat::{Isolation, Termination};

use crate::attack_game::AttackGame;
use crate::levels::levels;

/// An unrelated process.
pub(crate) struct Bystander(Child);

impl Bystander {
    pub(crate) fn new() -> Self {
        Self(Command::new("/bin/sleep").arg("600").process_group(0).spawn().unwrap())
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn nobody_else_can_be_killed() {
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let mut bystander = Bystander::new();
        let [victim, referee] = [bystander.id(), std::process::id()].map(|id| id.to_string());
        let words = ["kill-others", &victim, &referee];
        let Some(mut game) = AttackGame::new(*level, &words) else {
            return;
        };
        let told = game.attempts();
        assert!(told.values().all(|came| came != "done"), "{level}: {told:?}");
        assert!(bystander.is_alive(), "{level}");
        game.end();
    }
}

#[test]
fn a_program_that_kills_everything_is_alone() {
    if !levels().contains(&Isolation::Sealed) {
        return;
    }
    let mut bystander = Bystander::new();
    let Some(mut game) = AttackGame::new(Isolation::Sealed, &["kill-all"]) else {
        return;
    };
    assert_eq!(game.attempts()["kill"], "ESRCH");
    assert!(bystander.is_alive());
    game.end();
}

/// At `bare` a program of the same user can signal the keeper and change its limits, as with any process of its user.
/// It cannot inspect the keeper at any level.
#[test]
fn the_keeper_is_out_of_reach() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["reach-keeper"]) else {
            return;
        };
        let mut done = game.successful();
        if *level == Isolation::Bare {
            done.retain(|name| !["signal", "limits", "processors", "priority", "policy"].contains(&name.as_str()));
        }
        assert_eq!(done, [""; 0], "{level}");
        game.end();
    }
}

/// The next program inherits the keeper's changed priority, which only root could restore; it is the attacker's own
/// loss.
#[test]
fn a_keeper_that_was_made_to_come_last_keeps_on() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["reach-keeper"]) else {
            return;
        };
        for _ in 0..3 {
            assert_eq!(game.run().ended, Termination::Exited { status: 0 }, "{level}");
        }
        game.end();
    }
}

#[test]
fn the_keeper_cannot_be_stopped() {
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let Some(mut game) = AttackGame::new(*level, &["stop-keeper"]) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        game.end();
    }
}

#[test]
fn nobody_else_can_be_listed() {
    for level in levels().iter().filter(|level| **level >= Isolation::Confined) {
        let Some(mut game) = AttackGame::new(*level, &["count-others"]) else {
            return;
        };
        let expected = if *level == Isolation::Sealed { "0" } else { "-1" };
        assert_eq!(game.attempts()["others"], expected, "{level}");
        game.end();
    }
}

#[test]
fn a_daemon_does_not_live_into_the_opponents_turn() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["smuggle", "/nowhere", "daemon"]) else {
            return;
        };
        let run = game.run_on("stash\n");
        assert_eq!((run.ended, run.survivors), (Termination::Exited { status: 0 }, 1), "{level}");
        // What it has stashed at `bare` is removed by whoever finds it.
        game.run_on("recall\n");
        game.end();
    }
}
