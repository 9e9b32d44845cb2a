//! Programs that try to escape, to exceed their limits, or to leave something behind: at every isolation level of this
//! machine, each with the expected outcome. After each, an opponent seated all the time makes a normal move, and no
//! process or file may be left.
//!
//! Attacks that `bare` does not stop are not tried there; `crates/seat/src/isolation/mod.rs` has the table.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

mod attack_game;
#[path = "../toolbox/builder.rs"]
mod builder;
mod builds;
mod channels;
#[path = "../fixtures/compile.rs"]
mod compile;
mod directory;
mod files;
#[path = "../kernels/mod.rs"]
mod kernels;
mod known_attacks;
mod languages;
#[path = "../fixtures/levels.rs"]
mod levels;
mod libraries;
mod limits;
mod living;
mod network;
mod oldest_kernel;
mod persistence;
mod processes;
mod service;
#[path = "../skips/mod.rs"]
mod skips;
mod system_calls;

use std::path::Path;

use referee_seat::{Isolation, IsolationRange, Program, Seat, SeatError, SeatOptions, isolation_available};

use attack_game::{AttackGame, options};
use levels::levels;

#[test]
fn the_level_in_force_is_the_best_of_the_range() {
    for (index, level) in levels().iter().enumerate() {
        let program = Program { command: vec!["/bin/true".into()], ..Program::default() };
        let ranges =
            [IsolationRange::exactly(*level), IsolationRange { at_least: levels()[index / 2], at_most: *level }];
        for isolation in ranges {
            let seat = Seat::open(&program, &SeatOptions { isolation, ..options() }).unwrap();
            assert_eq!(seat.isolation(), *level, "{isolation:?}");
        }
    }
}

#[test]
fn a_level_that_cannot_be_had_is_refused_and_leaves_nothing() {
    let program = Program { command: vec!["/bin/true".into()], ..Program::default() };
    let isolation = IsolationRange { at_least: Isolation::Sealed, at_most: Isolation::Bare };
    let error = Seat::open(&program, &SeatOptions { isolation, ..options() }).unwrap_err();
    assert!(matches!(error, SeatError::TooWeak { available: Isolation::Bare, .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "isolation `sealed` was requested, but only `bare` is available: no better level was allowed"
    );
}

#[test]
fn every_protection_is_listed_with_the_level_that_needs_it() {
    let protections = isolation_available(Some(Path::new(env!("CARGO_BIN_EXE_referee")))).unwrap();
    for level in Isolation::ALL {
        assert!(protections.iter().any(|protection| protection.level == level), "{level}");
    }
    for protection in protections {
        assert_ne!(protection.missing.as_deref(), Some(""), "{}", protection.name);
    }
}

/// At any level, root's included.
#[test]
fn no_privileges_are_left() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["privileges"]) else {
            return;
        };
        let found = game.attempts();
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            assert_eq!(found[set], "0000000000000000", "{level}: {set}");
        }
        if nix::unistd::geteuid().is_root() || *level == Isolation::Sealed {
            assert_eq!(found["CapBnd:"], "0000000000000000", "{level}");
        }
        assert_eq!(found["NoNewPrivs:"], "1", "{level}");
        game.end();
    }
}
