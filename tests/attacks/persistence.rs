//! Storing data between moves or seats, elsewhere than in `playdata.txt`.

use referee::seat::{Isolation, Termination};

use crate::levels::levels;
use crate::scene::{Scene, content, unique};

/// Places outside the seat where `bare` lets a program of this user write.
const BARE: [&str; 14] = [
    "/tmp",
    "/var/tmp",
    "/run",
    "/dev/shm",
    "own folder",
    "times of own folder",
    "mode of own folder",
    "attribute of own folder",
    "hint on own folder",
    "shared memory",
    "message queue",
    "semaphore",
    "POSIX message queue",
    "keyring",
];

/// What is found again, except what `bare` allows.
fn found(level: Isolation, scene: &mut Scene) -> Vec<String> {
    let run = scene.run_on("recall\n");
    assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
    let allowed = |place: &str| level == Isolation::Bare && BARE.contains(&place);
    content(&run)
        .lines()
        .filter(|place| !allowed(place))
        .map(str::to_owned)
        .collect()
}

#[test]
fn nothing_but_playdata_lives_from_move_to_move() {
    for level in levels() {
        let token = format!("referee-test-{}-{}", std::process::id(), unique());
        let Some(mut scene) = Scene::new(*level, &["smuggle", "FOLDER", &token]) else {
            return;
        };
        let run = scene.run_on("stash\n");
        assert_eq!(
            (run.ended, run.survivors),
            (Termination::Exited { status: 0 }, 1),
            "{level}: {}",
            run.stderr
        );
        assert_eq!(found(*level, &mut scene), [""; 0], "{level}");
        scene.end();
    }
}

#[test]
fn nothing_lives_from_seat_to_seat() {
    for level in levels() {
        let token = format!("referee-test-{}-{}", std::process::id(), unique());
        let words = ["smuggle", "FOLDER", &token];
        let (Some(mut one), Some(mut other)) = (Scene::new(*level, &words), Scene::new(*level, &words)) else {
            return;
        };
        let run = one.run_on("stash\n");
        assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
        assert_eq!(found(*level, &mut other), [""; 0], "{level}");
        one.run_on("recall\n");
        one.end();
        other.end();
    }
}

/// The test above would pass if nothing was ever stored or found.
#[test]
fn what_is_kept_within_a_run_is_found() {
    if !levels().contains(&Isolation::Bare) {
        return;
    }
    let token = format!("referee-test-{}-{}", std::process::id(), unique());
    let Some(mut scene) = Scene::new(Isolation::Bare, &["smuggle", "FOLDER", &token]) else {
        return;
    };
    scene.run_on("stash\n");
    let run = scene.run_on("recall\n");
    let text = content(&run);
    for place in ["/tmp", "own folder", "shared memory", "message queue"] {
        assert!(text.lines().any(|line| line == place), "{place}: {text}");
    }
    scene.end();
}
