//! Runs and records of games that nobody has played.

use referee_games::checkers::Checkers;
use referee_games::{Builtin, DrawRules, Position, Side};
use referee_matches::referee::OngoingGame;
use referee_records::{Conditions, GameRecord, PerSide, PlayerKind, PlayerRecord, SCHEMA};
use referee_seat::{Isolation, Meter, OutputFile, Protocol, Run, Termination, Usage};
use referee_time::{CpuTime, WallTime};

/// Four kings that can walk about for ever without meeting, and how they do.
pub(crate) const KINGS: [&str; 8] =
    [".B.B....", "........", "........", "........", "........", "........", "........", "....W.W."];
pub(crate) const SHUFFLE: [&str; 4] = ["E b8 a7", "E e1 f2", "E a7 b8", "E f2 e1"];

pub(crate) fn checkers(rows: [&str; 8], side: Side) -> Checkers {
    Checkers::from_rows(&rows.map(str::as_bytes), side, ()).expect("the board is drawn as it should be")
}

pub(crate) fn conditions<P: Builtin>(seconds: u64) -> Conditions {
    Conditions::usual(P::id(P::Rules::default()), CpuTime::from_secs(seconds))
}

/// The usual conditions of checkers, but with these rules for draws.
pub(crate) fn with_draws(seconds: u64, change: impl FnOnce(&mut DrawRules)) -> Conditions {
    let mut conditions = conditions::<Checkers>(seconds);
    change(&mut conditions.draws);
    conditions
}

/// A run that returned after 0.1 s of user time and 0.02 s of system time, with these bytes in `output.txt`.
pub(crate) fn wrote(bytes: &[u8]) -> Run {
    let usage = Usage {
        user: CpuTime::from_millis(100),
        system: CpuTime::from_millis(20),
        wall: WallTime::from_millis(150),
        peak_rss_bytes: 1 << 20,
    };
    Run::wrote(bytes.to_vec(), usage)
}

pub(crate) fn said(text: &str) -> Run {
    wrote(text.as_bytes())
}

pub(crate) fn left(output: OutputFile) -> Run {
    Run { output, ..said("") }
}

pub(crate) fn ended(ended: Termination) -> Run {
    let output = OutputFile::Missing { lookalike: None };
    Run { ended, ..left(output) }
}

/// The run with other times of user, system and clock.
pub(crate) fn took(run: Run, user_millis: u64, system_millis: u64, wall_millis: u64) -> Run {
    let usage = Usage {
        user: CpuTime::from_millis(user_millis),
        system: CpuTime::from_millis(system_millis),
        wall: WallTime::from_millis(wall_millis),
        ..run.usage
    };
    Run { usage, ..run }
}

/// The record of the game, which is over, between programs of these names.
pub(crate) fn record_of<P: Builtin>(
    ongoing_game: OngoingGame,
    start: &P,
    conditions: Conditions,
    [black, white]: [&str; 2],
    uncertainty: CpuTime,
) -> GameRecord {
    let player = |name: &str| PlayerRecord {
        name: name.to_owned(),
        digest: String::new(),
        seated: PlayerKind::Program {
            meter: Meter::Rusage,
            uncertainty,
            isolation: Isolation::Bare,
            protocol: Protocol::Files,
            pace: None,
        },
    };
    GameRecord {
        schema: SCHEMA,
        id: "g0001".to_owned(),
        game: P::id(start.rules()),
        players: PerSide { black: player(black), white: player(white) },
        conditions,
        began_unix_s: 0,
        start: start.setup(),
        first: start.side_to_move(),
        verdict: ongoing_game.verdict().expect("the game is over").clone(),
        close_calls: ongoing_game.close_calls(PerSide::from_fn(|_| uncertainty), None),
        turns: ongoing_game.into_turns(),
        noise: None,
        host: None,
    }
}
