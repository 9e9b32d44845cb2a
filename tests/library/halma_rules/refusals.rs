//! Wrong answers similar to right ones, each refused for its own reason, with exact texts.

use referee_games::Side;
use referee_games::halma::Rules;
use referee_games::protocol::{Finding, Refusal, Texts, Tolerance};

use crate::cases::cases;
use crate::halma_rules::BOTH_RULES;
use crate::halma_rules::boards::{BLACK_CHAINS, Rows, START, WHITE_JUMPS, WHITE_STEPS, position};

/// Black can leave its camp from `1,4` and move within it from `0,1`.
const ONE_CAN_LEAVE: Rows = [
    "................",
    "B...............",
    "................",
    "................",
    ".B..............",
    "................",
    "................",
    "................",
    "........B.......",
    "........W.......",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

/// Black cannot leave its camp, but go further from the corner in it.
const ONE_CAN_GO_FURTHER: Rows = [
    "................",
    "B...............",
    "B...............",
    "................",
    "..B.............",
    "................",
    "................",
    "................",
    "........B.......",
    "........W.......",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

/// The black piece at `1,4` can jump there and back over `1,3`, but neither leave its camp nor go further.
const ONE_IS_HELD: Rows = [
    "................",
    "................",
    "................",
    ".W..............",
    ".BWW............",
    "WWW.............",
    ".W.W............",
    "................",
    "........B.......",
    "........W.......",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

fn illegal(rows: &Rows, side: Side, rules: Rules, output: &str) -> Finding {
    match position(rows, side, rules).read_output(output.as_bytes(), Tolerance::Exact) {
        Err(Refusal::Illegal(finding)) => finding,
        other => panic!("{output:?} is to be refused as illegal by {rules:?}, not {other:?}"),
    }
}

/// Expects the wrong answers of the table of this name to be refused as it says.
fn expect_refusals(table: &str, rows: &Rows, side: Side, rules: Rules) {
    for (output, expected) in cases(include_str!("../data/halma-refusals.txt"), table) {
        let finding = illegal(rows, side, rules, &output);
        assert_eq!(format!("{}: {finding}", finding.code), expected, "{output:?}");
        if rules == Rules::Addendum && side == Side::Black && table.starts_with("one ") {
            let original = position(rows, side, Rules::Original);
            let read = original.read_output(output.as_bytes(), Tolerance::Exact);
            assert!(read.is_ok(), "{output:?}");
        }
    }
}

#[test]
fn what_both_rule_sets_forbid_is_refused_with_its_reason() {
    for rules in BOTH_RULES {
        expect_refusals("white at the start", &START, Side::White, rules);
        expect_refusals("black at the start", &START, Side::Black, rules);
        expect_refusals("white steps", &WHITE_STEPS, Side::White, rules);
        expect_refusals("white jumps", &WHITE_JUMPS, Side::White, rules);
        expect_refusals("black chains", &BLACK_CHAINS, Side::Black, rules);
    }
}

/// The original rules allow all of it.
#[test]
fn the_addendum_is_refused_by_its_letters() {
    let tables =
        [("one can leave", ONE_CAN_LEAVE), ("one can go further", ONE_CAN_GO_FURTHER), ("one is held", ONE_IS_HELD)];
    for (table, rows) in tables {
        expect_refusals(table, &rows, Side::Black, Rules::Addendum);
    }
}

#[test]
fn a_chain_that_returns_is_accepted_with_a_warning_where_the_camps_allow_it() {
    let returning = [
        (ONE_IS_HELD, Rules::Addendum, "J 8,8 8,10\nJ 8,10 8,8", "8,8"),
        (ONE_IS_HELD, Rules::Original, "J 1,4 1,2\nJ 1,2 1,4", "1,4"),
        (BLACK_CHAINS, Rules::Addendum, "J 9,9 11,9\nJ 11,9 9,9", "9,9"),
    ];
    for (rows, rules, output, square) in returning {
        for tolerance in [Tolerance::Exact, Tolerance::Tolerant] {
            let position = position(&rows, Side::Black, rules);
            let answer = position.read_output(output.as_bytes(), tolerance).expect("it is allowed");
            assert_eq!(answer.mv.from, answer.mv.to);
            let [warning] = answer.warnings.as_slice() else {
                panic!("expected one warning for {output:?}, got {:?}", answer.warnings);
            };
            assert_eq!(warning.code, "returns-to-start");
            let expected =
                format!("line 2, column 1: the chain ends on `{square}`, where it began: the board stays as it was");
            assert_eq!(warning.to_string(), expected);
            assert_eq!(position.write_move(answer.mv).lines().count(), 2);
            assert_eq!(position.read_output(position.write_move(answer.mv).as_bytes(), tolerance), Ok(answer));
        }
    }
}

#[test]
fn a_wrong_format_is_no_illegal_move() {
    let start = position(&START, Side::White, Rules::Addendum);
    let texts = [
        ("E 11,15 16,15", "line 1, column 9: expected a square from `0,0` to `15,15`, found `16,15`"),
        (
            "E 11,15 010,15",
            "line 1, column 9: expected a square from `0,0` to `15,15`, found `010,15` \
             (write `E 11,15 10,15` and nothing else)",
        ),
        (
            "J 12,15 10,13 8,11",
            "line 1, column 15: `8,11` is an extra word (one jump per line: `J 12,15 10,13`, then `J 10,13 8,11`)",
        ),
    ];
    for (text, message) in texts {
        match start.read_output(text.as_bytes(), Tolerance::Tolerant) {
            Err(Refusal::Format(finding)) => assert_eq!(finding.to_string(), message),
            other => panic!("{text:?} is in a wrong format, not {other:?}"),
        }
    }
    assert_eq!(start.read_output(b"\n", Tolerance::Tolerant), Err(Refusal::Empty));
}

#[test]
fn no_chain_at_all_is_refused() {
    use referee_games::Play;
    let start = position(&START, Side::White, Rules::Addendum);
    let refused = start.judge(&Play::Jumps(vec![])).unwrap_err();
    assert_eq!((refused.hop, refused.reason.code), (0, "no-jump"));
}
