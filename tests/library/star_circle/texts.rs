//! The texts of free play: what is accepted, and what a refusal says.

use proptest::prelude::*;
use referee::games::star_circle::StarCircle;
use referee::games::{Position, Side};
use referee::protocol::{InputPurpose, Refusal, Texts, TimeLeft, Tolerance};
use referee::time::CpuTime;

use crate::star_circle::{any_position, drawn};

const TIME: TimeLeft = TimeLeft {
    own: CpuTime::from_secs(100),
    opponent: CpuTime::from_secs(100),
};

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
    let form = "an answer is one move, optionally followed by both utilities and the number of nodes, one per line";
    let table = [
        (" \n", "empty".to_owned()),
        (
            "B2 C3",
            "format extra-word: line 1, column 4: `C3` is an extra word \
             (write `B2-C3` and nothing else on the line)"
                .to_owned(),
        ),
        (
            "B2:C3",
            "format not-a-move: line 1, column 1: expected a move such as `F4-H2`, found `B2:C3` \
             (write `B2-C3` and nothing else on the line)"
                .to_owned(),
        ),
        (
            "2B-3C",
            "format not-a-move: line 1, column 1: expected a move such as `F4-H2`, found `2B-3C` \
             (the row comes first: `B2-C3`)"
                .to_owned(),
        ),
        (
            "I1-H2",
            "format not-a-move: line 1, column 1: expected a move such as `F4-H2`, found `I1-H2` \
             (a move is two squares with `-` between them, rows `A` to `H`, columns `1` to `8`)"
                .to_owned(),
        ),
        (
            "None",
            "format not-a-move: line 1, column 1: expected a move such as `F4-H2`, found `None` \
             (passes are automatic: an agent only runs when its side has a legal move)"
                .to_owned(),
        ),
        (
            "B2-C3\n10\n20",
            format!(
                "format missing-lines: line 3, column 1: 3 lines: expected 1 (the move) or 4 (the whole answer) \
                 ({form})"
            ),
        ),
        (
            "B2-C3\n10\n20\n5\n6",
            format!("format extra-line: line 5, column 1: `6` is an extra line ({form})"),
        ),
        (
            "B2-C3\n10\n2.0\n5",
            format!("format not-a-number: line 3, column 1: expected a whole number, found `2.0` ({form})"),
        ),
        (
            "B2-C3\n10 20\n5\n6",
            format!("format extra-word: line 2, column 4: `20` is an extra word ({form})"),
        ),
    ];
    for (text, expected) in table {
        assert_eq!(refusal(&StarCircle::start(()), text), expected);
    }
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
    let table = [
        (
            "pass",
            "must-not-pass: line 1, column 1: a side can only pass when none of its pieces can move",
        ),
        (
            "D4-C3",
            "backward: line 1, column 1: no backward movement: `C3` is not on a row in front of `D4`",
        ),
        (
            "D4-D6",
            "backward: line 1, column 1: no backward movement: `D6` is not on a row in front of `D4`",
        ),
        ("D4-D4", "motionless: line 1, column 1: the piece on `D4` must leave it"),
        (
            "D4-E4",
            "light-square: line 1, column 1: `E4` is a light square: pieces stand on dark squares only",
        ),
        (
            "D4-F4",
            "not-diagonal: line 1, column 1: `D4` and `F4` are not on one diagonal",
        ),
        (
            "D4-G1",
            "too-far: line 1, column 1: `G1` is too far from `D4`: a step goes one row, a jump two",
        ),
        ("D2-E1", "occupied: line 1, column 1: `E1` is occupied"),
        ("D2-E3", "occupied: line 1, column 1: `E3` is occupied"),
        (
            "D4-F6",
            "nothing-to-jump: line 1, column 1: nothing to jump over: there is no piece on `E5`",
        ),
        (
            "C1-E3",
            "own-piece-jumped: line 1, column 1: the piece on `D2` is your own and cannot be jumped over",
        ),
        ("F4-G5", "empty-origin: line 1, column 1: `F4` is empty"),
        (
            "H2-G1",
            "arrived: line 1, column 1: `H2` is on the last row: pieces there cannot move",
        ),
        (
            "G7-F6",
            "opponents-piece: line 1, column 1: the piece on `G7` is the opponent's \
             (this is a move of `Circle`: line 1 of `input.txt` says `Star`)",
        ),
        (
            "E4-D5",
            "light-square: line 1, column 1: `E4` is a light square: pieces stand on dark squares only \
             (`D4-E5` would be legal: row `A` is at the bottom, row `H` at the top)",
        ),
    ];
    for (text, expected) in table {
        let said = refusal(&position, text);
        let said = said.strip_prefix("illegal ").unwrap_or(&said);
        assert!(said.starts_with(expected), "{text}: {said}");
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
    assert_eq!(
        warnings,
        ["line 1, column 1: `b2-c3` is not written in capitals (rows are capitals, `A` to `H`)"]
    );
    assert!(matches!(
        start.read_output(b"b2-c3\n", Tolerance::Exact),
        Err(Refusal::Format(_))
    ));
}
