//! Hints on wrong answers: the probable intention of the agent.

use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::DuoOthello;
use referee_games::protocol::{Refusal, Texts, Tolerance};
use referee_games::{Position, Side};

const AUTOMATIC: &str = "passes are automatic: an agent only runs when its side has a legal move";

/// The hint on `text`, which has to be refused; empty where there is none.
fn hint<P: Texts>(position: &P, text: &str) -> String {
    match position.read_output(text.as_bytes(), Tolerance::Tolerant) {
        Err(Refusal::Format(finding) | Refusal::Illegal(finding)) => finding.hint.unwrap_or_default(),
        other => panic!("expected {text:?} to be refused with a finding, got {other:?}"),
    }
}

fn assert_hints<P: Texts>(position: &P, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(hint(position, text), *expected, "{text:?}");
    }
}

#[test]
fn hints_on_checkers_answers() {
    let write = "write `E b6 a5` and nothing else";
    let form = "expected a letter, a square, a square, with one blank between them";
    assert_hints(
        &Checkers::start(()),
        &[
            ("['E', 'b6', 'a5']", write),
            ("E b6-a5", write),
            ("E b6 a5 # best", write),
            ("('E', ('b6', 'a5'))", write),
            ("{\"move\": [\"b6\", \"a5\"]}", write),
            ("e,B6,A5", write),
            ("E b6 a5 0.25", write),
            ("step b6 -> a5", write),
            ("(b6,a5)", "write `E b6 a5` for a step, `J b6 a5` for a jump"),
            ("J d2 f4 d6", "one jump per line: `J d2 f4`, then `J f4 d6`"),
            ("J d2 f4; J f4 d6", "one jump per line: `J d2 f4`, then `J f4 d6`"),
            ("d2xf4xd6", ""),
            ("E a1 b2 c3", form),
            ("b6 a5", "write `E b6 a5` for a step, `J b6 a5` for a jump"),
            ("E 6b a5", "`b6`? the column comes first, then the row"),
            ("E 1,2 0,3", "columns are letters: `1,2`, counted from 0 at the top left, is `b6`"),
            ("E 1,9 0,3", ""),
            ("PASS", AUTOMATIC),
            ("No Move", AUTOMATIC),
            ("no_moves", AUTOMATIC),
            ("[None]", AUTOMATIC),
            ("null\r", AUTOMATIC),
            ("passing", ""),
            ("E b6", form),
            ("E b6 a5 6 4", write),
            ("E a3 b4", "this is a move of `WHITE`: line 2 of `input.txt` says `BLACK`"),
            ("E b3 a4", "`E b6 a5` would be legal: row 1 is at the bottom, row 8 at the top"),
            ("E f2 e1", "`E b6 a5` would be legal: columns and rows swapped?"),
            ("E b6 a5\nE a5 b4", "jumps use the letter `J`, one jump per line, and a step ends the play"),
        ],
    );
}

#[test]
fn hints_on_halma_answers() {
    let write = "write `E 4,0 5,0` and nothing else";
    assert_hints(
        &Halma::start(Rules::Addendum),
        &[
            ("E (4,0) (5,0)", write),
            ("E 4, 0 5, 0", write),
            ("E 4 0 5 0", write),
            ("['E', (4, 0), (5, 0)]", write),
            ("E [4,0],[5,0]", write),
            ("E 4,0 5,0 3", write),
            ("E 4,0-5,0", write),
            ("J 1,1 3,3 5,5", "one jump per line: `J 1,1 3,3`, then `J 3,3 5,5`"),
            ("E 4 0 5", "expected a letter, a square, a square, with one blank between them"),
            ("E 4.0,0.0 5,0", "`4.0` is a decimal number: write `4`"),
            ("E -1,3 0,3", ""),
            ("E 99,99 10,15", ""),
            ("E 1111111111111,2 3,4", ""),
            ("[\"E\", [4, 0], [5, 0]]", write),
            ("4,0 5,0", "write `E 4,0 5,0` for a step, `J 4,0 5,0` for a jump"),
            ("E c3 d4", "squares have no letters: they are `x,y`, counted from 0, with `0,0` at the top left"),
            ("pass", AUTOMATIC),
            ("E 11,15 10,15", "this is a move of `WHITE`: line 2 of `input.txt` says `BLACK`"),
        ],
    );
}

#[test]
fn hints_on_othello_answers() {
    assert_hints(
        &DuoOthello::start(()),
        &[
            ("['c2']", "write `c2` and nothing else"),
            ("(c2)", "write `c2` and nothing else"),
            ("O c2", "write `c2` and nothing else"),
            ("c 2", "an answer is one square on one line, column and row without a blank between them"),
            ("2c", "the column comes first: `c2`"),
            ("No Move", AUTOMATIC),
            ("none", AUTOMATIC),
        ],
    );
}

#[test]
fn hints_on_heirs_answers() {
    let write = "write `c2 c4` and nothing else";
    assert_hints(
        &Heirs::start(()),
        &[
            ("c2-c4", write),
            ("c2c4", write),
            ("E c2 c4", write),
            ("2c 4c", "the column comes first: `c2`"),
            ("i2 i4", "there is no column `i`: column 9 from the left is `j2`"),
            ("a2 l4", "there is no column `l`: column 12 from the left is `n4`"),
            ("c2", "an answer is two squares on one line, such as `c2 c4`"),
            ("PASS", "there is no pass: an agent only runs when its side has a legal move"),
            (
                "c11 c9",
                "this is a move of `BLACK`: line 1 of `input.txt` says `WHITE`; row 1 is at the bottom; counted from \
                 the top it would be `c2 c4`, which is legal",
            ),
            ("c2 c5", "from `c2` it can go to `c4`, `c3`"),
            ("c3 c5", ""),
        ],
    );
}

#[test]
fn hints_on_little_go_answers() {
    let write = "write `2,3` and nothing else";
    assert_hints(
        &LittleGo::start(()),
        &[
            ("(2, 3)", write),
            ("[2,3]", write),
            ("2 3", write),
            ("2,3 # the best there is", write),
            ("pass", "a pass is written `PASS`, in capitals, and nothing else"),
            ("No Move", "a pass is written `PASS`, in capitals, and nothing else"),
            ("c3", "an answer is row and column, both from 0, with a comma between them"),
            ("5,0", "rows and columns are counted from 0 to 4"),
            ("200,0", "rows and columns are counted from 0 to 4"),
        ],
    );
}

#[test]
fn a_proposal_is_read_without_a_fault_of_format() {
    let start = Checkers::start(());
    let propositions = ["['E', 'b6', 'a5']", "E b6-a5", "e,B6,A5", "step b6 to a5"];
    for text in propositions {
        let hint = hint(&start, text);
        let proposed = hint.split('`').nth(1).expect("the proposal is in backticks");
        assert!(start.read_output(proposed.as_bytes(), Tolerance::Exact).is_ok(), "{text}: {proposed}");
    }
    let white = Checkers::start(()).with_side_to_move(Side::White);
    assert!(hint(&white, "E b6 a5").starts_with("this is a move of `BLACK`"));
}
