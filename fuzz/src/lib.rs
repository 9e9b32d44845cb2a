//! What must hold of everything that strangers can write: agents, students, whoever hands a folder of records on.
//!
//! Each law takes any bytes and panics where it is broken. The fuzzer goes by them (`fuzz/README.md`), and so does
//! `tests/library/fuzz_laws.rs`, which has them hold for the seeds and what is close to them at every `cargo test`.

mod intake;
mod rules;

use std::fmt::Debug;
use std::path::Path;

use referee_course::assignment::Assignment;
use referee_games::protocol::{Finding, Refusal, TimeLeft, Tolerance};
use referee_games::star_circle::{compare_solution, read_question, write_question};
use referee_games::{GameId, GameRef, KnownGames, State, Status};
use referee_matches::referee::{explain, snapshots, verify};
use referee_messages::{OutputStyle, SideNames, explained, explained_in_short};
use referee_records::{GameRecord, GameSummary};

pub use intake::{archives, downloads};
pub use rules::positions;

/// The most bytes that an answer adds to a record beside itself, however long it is.
const MAX_TOLD_BYTES: usize = 4096;

/// No position further from the start is looked for.
const MAX_PLIES: usize = 200;

/// An `output.txt` is a legal move of the position or refused with a reason; what an exact reading accepts is what a
/// tolerant one has nothing to say of; and the move is read again from what the referee itself writes for it.
///
/// The first byte is the game's place in [`GameRef::all_variants`], the second how many plies are played from its
/// start, one byte each; the rest is the text.
pub fn answers(bytes: &[u8]) {
    let Some((&[game, plies], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let plies = usize::from(plies).min(MAX_PLIES).min(rest.len());
    let (choices, text) = rest.split_at(plies);
    let games: Vec<GameRef> = GameRef::all_variants().collect();
    answered(games[usize::from(game) % games.len()], choices, text);
}

fn answered(game: GameRef, choices: &[u8], text: &[u8]) {
    let position = reached(game, choices);
    let moves = position.moves();
    let exact = position.judge(text, Tolerance::Exact);
    match position.judge(text, Tolerance::Tolerant) {
        Ok(judged) => {
            // A chain of Halma that ends where it began is legal, and only remarked on.
            let mut codes = judged.warnings.iter().map(|found| &*found.code);
            let in_a_circle = codes.any(|code| code == "returns-to-start");
            let boards: Vec<String> = position.successors().iter().map(|next| next.board()).collect();
            assert!(in_a_circle || boards.contains(&judged.next.board()), "{:?}", judged.mv);
            assert!(!moves.is_empty());
            let tolerated = judged.warnings.len() - usize::from(in_a_circle);
            assert_eq!(exact.is_ok(), tolerated == 0, "{:?}", judged.warnings);
            assert_brief(serde_json::to_vec(&(&judged.mv, &judged.warnings)));
            let again = position.judge(judged.mv.as_bytes(), Tolerance::Exact);
            let again = again.map(|again| (again.mv, again.next));
            assert_eq!(again, Ok((judged.mv.clone(), judged.next.clone())));
            judged.warnings.iter().for_each(assert_harmless);
        }
        Err(refusal) => {
            assert!(exact.is_err(), "an exact reading accepts what a tolerant one refuses: {refusal:?}");
            match refusal {
                Refusal::Empty => {}
                Refusal::Format(finding) | Refusal::Illegal(finding) => assert_harmless(&finding),
            }
        }
    }
}

/// The position after the moves that `choices` name by their places among the legal ones.
fn reached(game: GameRef, choices: &[u8]) -> State {
    let mut position = game.start();
    for &choice in choices {
        match position.status() {
            Status::ToMove => {
                let mut next = position.successors();
                position = next.swap_remove(usize::from(choice) % next.len());
            }
            Status::MustPass => position = position.pass(),
            Status::Over(_) => break,
        }
    }
    position
}

/// What is told of a text does not grow with it.
fn assert_brief(told: serde_json::Result<Vec<u8>>) {
    let bytes = expect(told).len();
    assert!(bytes <= MAX_TOLD_BYTES, "{bytes} bytes are told of an answer");
}

/// What is told of a text can be shown anywhere, and names a place as texts have them.
fn assert_harmless(finding: &Finding) {
    assert_brief(serde_json::to_vec(finding));
    assert_printable(&finding.to_string());
    assert!(!finding.message.is_empty() && !finding.code.is_empty());
    assert!(finding.place.is_none_or(|place| place.line > 0 && place.column > 0));
}

fn assert_printable(text: &str) {
    assert!(text.chars().all(|shown| shown == '\n' || !shown.is_control()), "{text:?}");
}

/// An `input.txt` is refused with its line, or read; and what is read is written so that it is read as the same.
pub fn inputs(bytes: &[u8]) {
    for game in GameRef::all_variants() {
        asked(game, bytes);
    }
    let _ = GameRef::detect(bytes);
    if let Ok(question) = read_question(bytes) {
        let written = write_question(&question);
        let again = read_question(written.as_bytes());
        assert_eq!(again.map(|again| write_question(&again)), Ok(written));
    }
}

fn asked(game: GameRef, text: &[u8]) {
    match game.read_input(text) {
        Ok(input) => {
            let opponent = input.opponent.unwrap_or(input.own);
            let time = TimeLeft { own: input.own, opponent };
            let written = input.position.write_input(input.purpose, time);
            assert_eq!(game.read_input(written.as_bytes()).as_ref(), Ok(&input), "{written}");
        }
        Err(fault) => {
            assert!(fault.line > 0 && !fault.message.is_empty());
            assert_printable(&fault.to_string());
        }
    }
}

/// The record in a file with these bytes.
pub fn record(bytes: &[u8]) -> Option<GameRecord> {
    let written: GameRecord<GameId> = serde_json::from_slice(bytes).ok()?;
    let game = KnownGames::builtin().recorded(&written.game, Path::new("run")).ok()?;
    Some(written.with_game(game))
}

/// A record that somebody hands on breaks nothing: it is confirmed or a difference is told, and one that is confirmed
/// can be explained and shown.
pub fn records(bytes: &[u8]) {
    let Some(record) = record(bytes) else {
        return;
    };
    drop(GameSummary::of(&record));
    let verified = verify(&record);
    let explanation = explain(&record);
    if let Err(difference) = &verified {
        assert_printable(&difference.to_string());
        return;
    }
    let shown = explanation.as_ref().map(|explanation| {
        let mut lines = explained(explanation, &SideNames::of(&record), OutputStyle::PLAIN);
        lines.extend(explained_in_short(explanation, OutputStyle::PLAIN));
        lines
    });
    for line in expect(shown) {
        assert_printable(&line);
    }
    assert_eq!(expect(snapshots(&record)).len(), record.turns.len() + 1);
}

fn expect<T, E: Debug>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("a record that is confirmed: {error:?}"),
    }
}

/// An assignment is read, or all that is wrong with it is told, with its place in the text.
pub fn assignments(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let Err(faults) = Assignment::parse(text, Path::new("hw2.toml"), &KnownGames::builtin()) else {
        return;
    };
    assert!(!faults.all().is_empty());
    for fault in faults.all() {
        assert!(!fault.message.is_empty() && !fault.remedy.is_empty());
        let Some(place) = &fault.place else { panic!("nobody is told where it is: {fault:?}") };
        assert!(place.line <= text.matches('\n').count() + 1, "{fault:?}");
        assert!(place.column + place.length <= place.text.chars().count() + 2, "{fault:?}");
    }
    assert_printable(&faults.to_string());
}

/// An answer to a case of Star and Circle is compared or refused: an exact comparison takes what a tolerant one has
/// nothing to say of, and both find the same of it.
pub fn solutions(bytes: &[u8]) {
    let solution = "pass\n-3\n12\n345";
    let exact = compare_solution(solution, bytes, Tolerance::Exact);
    match compare_solution(solution, bytes, Tolerance::Tolerant) {
        Ok(comparison) => {
            comparison.warnings.iter().for_each(assert_harmless);
            let expected = comparison.warnings.is_empty().then_some(comparison);
            assert_eq!(exact.ok(), expected);
        }
        Err(_) => assert!(exact.is_err(), "an exact comparison takes what a tolerant one refuses"),
    }
}
