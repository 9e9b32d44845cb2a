//! System calls that could bypass all other rules.

use referee_seat::Isolation;

use crate::attack_game::AttackGame;
use crate::levels::levels;

/// Calls that need privileges, or a terminal, which no level grants.
const PRIVILEGED: [&str; 11] = [
    "terminal",
    "type-into-terminal",
    "mount",
    "new-mount",
    "chroot",
    "reboot",
    "set-clock",
    "file-handle",
    "device",
    "raw-io",
    "setns",
];

/// Calls that runtimes probe, and do without if they do not exist.
const UNKNOWN: [&str; 4] = ["io_uring", "memfd", "clone3", "beyond-the-list"];

/// Those whose work no process is charged for.
const UNMETERED: [&str; 2] = ["io_uring", "beyond-the-list"];

/// Calls with arguments that the kernel accepts, so that only a rule or a lack of privileges refuses them.
const VALID: [&str; 4] = ["set-clock", "bpf", "name-of-file-handle", "file-handle"];

#[test]
fn no_way_round_is_open() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["forbidden"]) else {
            return;
        };
        let told = game.attempts();
        let done = told.iter().filter(|(_, came)| *came == "done").map(|(name, _)| name.as_str());
        if *level == Isolation::Bare {
            assert!(!done.into_iter().any(|name| PRIVILEGED.contains(&name)), "{told:?}");
            // The kernel does the work, and charges it to nobody.
            assert!(UNMETERED.iter().all(|name| told[*name] == "ENOSYS"), "{told:?}");
        } else {
            assert_eq!(done.collect::<Vec<_>>(), [""; 0], "{level}");
            assert!(VALID.iter().all(|name| told[*name] == "EPERM"), "{level}: {told:?}");
            assert!(UNKNOWN.iter().all(|name| told[*name] == "ENOSYS"), "{level}: {told:?}");
        }
        game.end();
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn other_lists_of_system_calls_are_deadly() {
    for level in levels() {
        for verb in ["old-call", "x32-call"] {
            let Some(mut game) = AttackGame::new(*level, &[verb]) else {
                return;
            };
            let expected = referee_seat::Termination::Signalled { signal: 31, name: "SIGSYS".to_owned() };
            assert_eq!(game.run().ended, expected, "{level}: {verb}");
            game.end();
        }
    }
}
