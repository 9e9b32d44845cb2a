//! The fifty shipped cases: they follow from their seed, vary, and have right answers.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use referee_games::positions::PositionsRequest;
use referee_games::star_circle::{Algorithm, CaseKind, ExactCase, ID, RowValues, StarCircle};
use referee_games::star_circle::{case, read_question, write_question};
use referee_games::{Position, Side, Status};
use referee_time::CpuTime;

use crate::star_circle::twin;

/// The year of the assignment.
const SEED: u64 = 2018;
const CASES: u32 = 50;

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tournaments/star-circle-2018/cases")
}

static MADE: LazyLock<Vec<ExactCase>> = LazyLock::new(|| (0..CASES).map(|number| case(SEED, number)).collect());

/// With `REFEREE_WRITE_CASES` in the environment the files are written anew; then look at what has changed, and why.
#[test]
fn the_files_are_what_the_seed_makes_byte_for_byte() {
    let writes = std::env::var_os("REFEREE_WRITE_CASES").is_some();
    let mut expected = Vec::new();
    for (number, case) in (1..).zip(&*MADE) {
        let name = format!("case-{number:02}");
        expected.push((format!("{name}.input.txt"), write_question(&case.question)));
        expected.push((format!("{name}.expected.txt"), format!("{}\n", case.solution)));
    }
    if writes {
        fs::create_dir_all(folder()).unwrap();
        for (name, text) in &expected {
            fs::write(folder().join(name), text).unwrap();
        }
    }
    for (name, text) in &expected {
        assert_eq!(fs::read_to_string(folder().join(name)).unwrap(), *text, "{name}");
    }
    assert_eq!(fs::read_dir(folder()).unwrap().count(), expected.len());
}

#[test]
fn cases_are_made_for_one_side_where_that_is_asked() {
    for side in Side::BOTH {
        let request = PositionsRequest {
            count: 6,
            seed: SEED,
            kinds: Vec::new(),
            side: Some(side),
            time: CpuTime::from_secs(30),
        };
        let made = ID.positions(&request).unwrap();
        let sides = made.iter().map(|made| read_question(made.input.as_bytes()).unwrap().position().side_to_move());
        assert_eq!(sides.collect::<Vec<_>>(), [side; 6]);
    }
}

#[test]
fn values_of_rows_must_increase() {
    assert!(RowValues::new([1, 2, 3, 4, 5, 6, 7, 8]).is_some());
    assert!(RowValues::new([1, 2, 3, 4, 4, 6, 7, 8]).is_none());
}

#[test]
fn the_cases_are_varied() {
    let cases = &*MADE;
    let count = |holds: &dyn Fn(&ExactCase) -> bool| cases.iter().filter(|case| holds(case)).count();
    for kind in CaseKind::ALL {
        assert!(count(&|case| case.kind == kind) >= 5, "{kind:?}");
    }
    for plies in 1..=10 {
        assert_eq!(count(&|case| case.question.depth().plies() == plies), 5, "depth {plies}");
    }
    for (side, algorithm) in Side::BOTH.into_iter().flat_map(|side| Algorithm::BOTH.map(|algorithm| (side, algorithm)))
    {
        let both = |case: &ExactCase| {
            case.question.position().side_to_move() == side && case.question.algorithm() == algorithm
        };
        assert!(count(&both) >= 8, "{side:?} {algorithm:?}");
    }
    let position = |case: &ExactCase| case.question.position().clone();
    assert!(count(&|case| position(case).status() == Status::MustPass) >= 5);
    assert!(count(&|case| case.solution.next_move.is_some_and(|mv| mv.jumped().is_some())) >= 8);
    assert!(count(&|case| position(case).count_moves() == 1) >= 5);
    assert!(count(&|case| *case.question.values() != RowValues::STANDARD) >= 10);
    assert!(count(&|case| has_stack(&position(case))) >= 8);
    assert!(count(&|case| case.solution.nodes > 10_000) >= 5);
    assert!(cases.iter().all(|case| case.solution.nodes <= ExactCase::MAX_NODES));
}

fn has_stack(position: &StarCircle) -> bool {
    position.rows().iter().any(|row| row.contains(['2', '3', '4']))
}

#[test]
fn the_twin_gives_the_same_answers() {
    for (number, case) in (1..).zip(&*MADE).filter(|(_, case)| case.solution.nodes <= 20_000) {
        assert_eq!(twin::solve(&case.question), case.solution.to_string(), "case {number}");
    }
}
