//! Attacks by programs that live for a whole game: each comes as far as it does when it is started for a move, and the
//! opponent plays meanwhile.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use referee_seat::{Isolation, IsolationRange, Program, Protocol, Run, Seat, SeatOptions, Termination};

use crate::attack_game::{
    AttackGame, among_others, attacker, by_name, content, job, marked, options, own_folder, unique,
};
use crate::compile::compiled;
use crate::levels::levels;

/// What is tried of everything else on the machine. What reaches for the parent process would find the program's own,
/// and what reads about itself in `/proc` may not where it is a child.
const ATTACKS: [&[&str]; 4] = [&["forbidden"], &["machine-files"], &["open-files"], &["sockets"]];

/// The program that runs another one for each question.
fn living() -> Option<&'static PathBuf> {
    static LIVING: OnceLock<Option<PathBuf>> = OnceLock::new();
    LIVING.get_or_init(|| compiled(&["living.c"])).as_ref()
}

fn attempts(run: &Run) -> BTreeMap<String, String> {
    let digits = content(run);
    let bytes = digits.trim().as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16));
    by_name(&String::from_utf8(bytes.collect::<Result<_, _>>().unwrap()).unwrap())
}

/// The results of each turn of a living attacker; an opponent moves after each.
fn turns_of(level: Isolation, words: &[&str]) -> Option<Vec<BTreeMap<String, String>>> {
    let _machine = among_others();
    let folder = own_folder(attacker()?);
    std::fs::copy(living()?, folder.path().join("living")).unwrap();
    let mark = format!("mark-{}-{}", std::process::id(), unique());
    let options = SeatOptions { isolation: IsolationRange::exactly(level), ..options() };
    let open = |command: Vec<OsString>, protocol| {
        let program = Program { command, folder: Some(folder.path().to_owned()), ..Program::default() };
        Seat::open(&program, &SeatOptions { protocol, ..options.clone() }).unwrap()
    };
    let own = |name: &str| folder.path().join(name).into_os_string();
    let command = [own("living"), own("attacks")].into_iter().chain(words.iter().map(OsString::from));
    let mut seat = open(command.chain([mark.clone().into()]).collect(), Protocol::Stdio);
    let mut opponent = open(vec![own("attacks"), "who".into()], Protocol::Files);
    let turns = (0..2).map(|_| {
        let run = seat.run(&job("GAME\n")).unwrap();
        assert_eq!(run.ended, Termination::Answered, "{words:?}: {}", run.stderr);
        let answer = opponent.run(&job("GAME\n")).unwrap();
        assert_eq!((&answer.ended, content(&answer).as_str()), (&Termination::Exited { status: 0 }, "changed 0\n"));
        attempts(&run)
    });
    let turns = turns.collect();
    drop((seat, opponent));
    assert_eq!(marked(&mark), [0; 0]);
    Some(turns)
}

fn comes_no_further(level: Isolation, words: &[&str]) {
    let (Some(mut game), Some(turns)) = (AttackGame::new(level, words), turns_of(level, words)) else {
        return;
    };
    let once = game.attempts();
    assert!(!once.is_empty());
    for turn in turns {
        assert_eq!(turn, once, "{level}, {words:?}");
    }
    game.end();
}

#[test]
fn a_living_program_gets_no_forbidden_call_that_a_short_one_does_not() {
    for level in levels() {
        comes_no_further(*level, &["forbidden"]);
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_living_program_comes_no_further_than_a_short_one() {
    for (level, words) in levels().iter().flat_map(|level| ATTACKS.map(|words| (*level, words))) {
        comes_no_further(level, words);
    }
}
