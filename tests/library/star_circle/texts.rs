//! The texts of free play: what is accepted, and what a refusal says.

use proptest::prelude::*;
use referee_games::protocol::{InputPurpose, Refusal, Texts, TimeLeft, Tolerance};
use referee_games::star_circle::StarCircle;
use referee_games::{Position, Side};
use referee_time::CpuTime;

use crate::cases::cases;
use crate::invocation::assert_starts;
use crate::star_circle::{any_position, drawn};

const TIME: TimeLeft = TimeLeft { own: CpuTime::from_secs(100), opponent: CpuTime::from_secs(100) };

#[test]
fn an_agent_is_asked_in_the_words_of_the_assignment() {
    assert_eq!(
        StarCircle::start(()).write_input(InputPurpose::Game, TIME),
        "Star
ALPHABETA
4
0,C1,0,C1,0,C1,0,C1
C1,0,C1,0,C1,0,C1,0
0,0,0,0,0,0,0,0
0,0,0,0,0,0,0,0
0,0,0,0,0,0,0,0
0,0,0,0,0,0,0,0
0,S1,0,S1,0,S1,0,S1
S1,0,S1,0,S1,0,S1,0
10,20,30,40,50,60,70,80
"
    );
}

proptest! {
    #[test]
    fn the_input_is_read_as_it_was_written(position in any_position(4)) {
        let text = position.write_input(InputPurpose::Game, TIME);
        prop_assert_eq!(StarCircle::read_input(text.as_bytes(), ()).unwrap().position, position);
    }

    #[test]
    fn every_legal_move_is_read_as_it_was_written(position in any_position(4)) {
        for mv in position.moves() {
            for text in [position.write_move(mv), format!("{mv}\n"), format!("{mv}\n-10\n0\n123\n")] {
                let answer = position.read_output(text.as_bytes(), Tolerance::Exact).unwrap();
                prop_assert_eq!((answer.mv, answer.warnings.len()), (mv, 0));
            }
        }
    }

    #[test]
    fn no_text_is_too_strange(
        position in any_position(4),
        text in prop::collection::vec(prop::sample::select(b"ABHF4-58 pas\n\r\t,0S\xff".as_slice()), 0..40),
    ) {
        for tolerance in [Tolerance::Tolerant, Tolerance::Exact] {
            if let Ok(answer) = position.read_output(&text, tolerance) {
                prop_assert!(position.is_legal(answer.mv));
            }
        }
        prop_assert!(StarCircle::read_input(&text, ()).is_err());
    }
}

const REFUSALS: &str = include_str!("../data/star-circle-refusals.txt");

fn refusal(position: &StarCircle, text: &str) -> String {
    match position.read_output(text.as_bytes(), Tolerance::Tolerant) {
        Ok(answer) => panic!("expected a refusal of {text:?}, got {answer:?}"),
        Err(Refusal::Empty) => "empty".to_owned(),
        Err(Refusal::Format(found)) => format!("format {}: {found}", found.code),
        Err(Refusal::Illegal(found)) => format!("illegal {}: {found}", found.code),
    }
}

#[test]
fn a_wrong_format_says_where_and_what_was_expected() {
    for (text, expected) in cases(REFUSALS, "format") {
        assert_eq!(refusal(&StarCircle::start(()), &text), expected);
    }
    assert_eq!(refusal(&StarCircle::start(()), " \n"), "empty");
}

#[test]
fn an_illegal_move_says_why() {
    let rows = [
        "0,S2,0,0,0,0,0,C1",
        "0,0,0,0,0,0,C1,0",
        "0,0,0,0,0,0,0,0",
        "S1,0,C1,0,0,0,0,0",
        "0,S1,0,S1,0,0,0,0",
        "S1,0,0,0,0,0,0,0",
    ];
    let position = drawn(&rows, Side::White);
    for (text, expected) in cases(REFUSALS, "illegal") {
        let said = refusal(&position, &text);
        let said = said.strip_prefix("illegal ").unwrap_or(&said);
        assert_starts(said, &expected);
        let legal = said.ends_with("(legal here: `E1-F2`, `D2-F4`, `D4-F2`, `D4-E5`)");
        assert!(legal || expected.ends_with(')'), "{text}: {said}");
    }
}

#[test]
fn small_letters_are_read_with_a_warning_and_refused_in_an_exact_reading() {
    let start = StarCircle::start(());
    let answer = start.read_output(b"b2-c3\n", Tolerance::Tolerant).unwrap();
    assert_eq!(answer.mv.to_string(), "B2-C3");
    let warnings: Vec<String> = answer.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["line 1, column 1: `b2-c3` is not written in capitals (rows are capitals, `A` to `H`)"]);
    assert!(matches!(start.read_output(b"b2-c3\n", Tolerance::Exact), Err(Refusal::Format(_))));
}
