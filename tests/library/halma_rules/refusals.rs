//! Wrong answers similar to right ones, each refused for its own reason, with exact texts.

use referee::games::Side;
use referee::games::halma::Rules;
use referee::protocol::{Finding, Refusal, Texts, Tolerance};

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

/// Who is to move where, a wrong answer, the code of its refusal, and what it says.
const FORBIDDEN_BY_BOTH: [(Side, Rows, &str, &str, &str); 20] = [
    (
        Side::White,
        START,
        "E 8,8 8,9",
        "empty-start",
        "line 1, column 1: `8,8` is empty",
    ),
    (
        Side::White,
        START,
        "E 0,0 0,1",
        "opponents-piece",
        "line 1, column 1: `0,0` is the opponent's",
    ),
    (
        Side::White,
        START,
        "E 11,15 11,14",
        "occupied",
        "line 1, column 1: `11,14` is occupied",
    ),
    (
        Side::White,
        START,
        "J 13,15 11,15",
        "occupied",
        "line 1, column 1: `11,15` is occupied (counted from 1? squares count from 0: `J 12,14 10,14` would be legal)",
    ),
    (
        Side::White,
        START,
        "E 12,15 10,13",
        "step-is-jump",
        "line 1, column 1: `E` is for a step to an adjacent square, this is a jump (from `12,15` to `10,13` is `J \
         12,15 10,13`)",
    ),
    (
        Side::White,
        START,
        "J 11,15 10,15",
        "jump-is-step",
        "line 1, column 1: `J` is for a jump over a piece, this is a step to an adjacent square (from `11,15` to \
         `10,15` is `E 11,15 10,15`)",
    ),
    (
        Side::White,
        START,
        "J 11,15 9,15",
        "nothing-to-jump",
        "line 1, column 1: there is no piece at `10,15` to jump over",
    ),
    (
        Side::White,
        START,
        "E 11,15 8,15",
        "too-far",
        "line 1, column 1: `8,15` is too far from `11,15`",
    ),
    (
        Side::White,
        START,
        "J 12,15 10,14",
        "not-in-line",
        "line 1, column 1: `12,15` and `10,14` are not in one row, column or diagonal",
    ),
    (
        Side::White,
        START,
        "E 11,15 11,15",
        "stands-still",
        "line 1, column 1: the piece stays on `11,15`",
    ),
    (
        Side::White,
        START,
        "J 12,15 10,13\nJ 12,13 10,11",
        "broken-chain",
        "line 2, column 1: the jump before ended on `10,13`, this one starts on `12,13`",
    ),
    (
        Side::White,
        START,
        "J 12,15 10,13\nJ 10,13 8,13",
        "nothing-to-jump",
        "line 2, column 1: there is no piece at `9,13` to jump over",
    ),
    (
        Side::Black,
        START,
        "E 5,1 6,1",
        "empty-start",
        "line 1, column 1: `5,1` is empty (counted from 1? squares count from 0: `E 4,0 5,0` would be legal)",
    ),
    (
        Side::White,
        WHITE_STEPS,
        "E 3,4 2,3",
        "empty-start",
        "line 1, column 1: `3,4` is empty (written `y,x`? squares are `x,y`: `E 4,3 3,2` would be legal)",
    ),
    (
        Side::White,
        WHITE_STEPS,
        "E 2,2 3,3",
        "leaves-opposing-camp",
        "line 1, column 1: `2,2` is in the opposing camp and may not leave it",
    ),
    (
        Side::White,
        WHITE_JUMPS,
        "J 3,4 1,2",
        "empty-start",
        "line 1, column 1: `3,4` is empty (written `y,x`? squares are `x,y`: `J 4,3 2,1` would be legal)",
    ),
    (
        Side::White,
        WHITE_JUMPS,
        "E 4,3 3,2",
        "occupied",
        "line 1, column 1: `3,2` is occupied (counted from 1? squares count from 0: `E 3,2 2,1` would be legal)",
    ),
    (
        Side::Black,
        BLACK_CHAINS,
        "J 9,9 13,13",
        "too-far",
        "line 1, column 1: `13,13` is too far from `9,9` (from `9,9` to `13,13` is `J 9,9 11,9; J 11,9 11,11; J \
         11,11 13,13`)",
    ),
    (
        Side::Black,
        BLACK_CHAINS,
        "J 9,9 11,9\nJ 11,11 13,13",
        "broken-chain",
        "line 2, column 1: the jump before ended on `11,9`, this one starts on `11,11` (from `9,9` to `13,13` is `J \
         9,9 11,9; J 11,9 11,11; J 11,11 13,13`)",
    ),
    (
        Side::Black,
        BLACK_CHAINS,
        "J 9,9 11,11",
        "nothing-to-jump",
        "line 1, column 1: there is no piece at `10,10` to jump over (from `9,9` to `11,11` is `J 9,9 11,9; J 11,9 \
         11,11`)",
    ),
];

#[test]
fn what_both_rule_sets_forbid_is_refused_with_its_reason() {
    for (side, rows, output, code, said) in FORBIDDEN_BY_BOTH {
        for rules in BOTH_RULES {
            let finding = illegal(&rows, side, rules, output);
            assert_eq!(
                (finding.code.as_ref(), finding.to_string().as_str()),
                (code, said),
                "{output:?}"
            );
        }
    }
}

#[test]
fn the_addendum_is_refused_by_its_letters() {
    let neighbours = [
        (
            ONE_CAN_LEAVE,
            "E 8,8 9,9",
            "must-leave-camp",
            "line 1, column 1: a piece is still in the camp and must leave it: `1,4` can go to `2,4` (addendum b) \
             (allowed: `E 1,4 2,4`, `E 1,4 0,5`, `E 1,4 2,5`, `E 1,4 1,5`)",
        ),
        (
            ONE_CAN_LEAVE,
            "E 0,1 0,2",
            "must-leave-camp",
            "line 1, column 1: a piece is still in the camp and must leave it: `1,4` can go to `2,4` (addendum b) \
             (allowed: `E 1,4 2,4`, `E 1,4 0,5`, `E 1,4 2,5`, `E 1,4 1,5`)",
        ),
        (
            ONE_CAN_LEAVE,
            "J 8,8 8,10\nJ 8,10 8,8",
            "must-leave-camp",
            "line 1, column 1: a piece is still in the camp and must leave it: `1,4` can go to `2,4` (addendum b) \
             (allowed: `E 1,4 2,4`, `E 1,4 0,5`, `E 1,4 2,5`, `E 1,4 1,5`)",
        ),
        (
            ONE_CAN_GO_FURTHER,
            "E 8,8 9,9",
            "must-move-further",
            "line 1, column 1: no piece can leave the camp: a piece must move within it, further from the corner \
             `0,0`; `0,2` can go to `1,2` (addendum b) (allowed: `E 0,2 1,2`, `E 0,2 0,3`, `E 0,2 1,3`, `E 0,1 1,2` \
             and 2 \
             more)",
        ),
        (
            ONE_CAN_GO_FURTHER,
            "E 0,1 1,0",
            "must-move-further",
            "line 1, column 1: no piece can leave the camp: a piece must move within it, further from the corner \
             `0,0`; `0,2` can go to `1,2` (addendum b) (allowed: `E 0,2 1,2`, `E 0,2 0,3`, `E 0,2 1,3`, `E 0,1 1,2` \
             and 2 \
             more)",
        ),
        (
            ONE_CAN_GO_FURTHER,
            "J 0,1 0,3\nJ 0,3 0,1",
            "must-move-further",
            "line 2, column 1: no piece can leave the camp: a piece must move within it, further from the corner \
             `0,0`; `0,2` can go to `1,2` (addendum b) (allowed: `E 0,2 1,2`, `E 0,2 0,3`, `E 0,2 1,3`, `E 0,1 1,2` \
             and 2 \
             more)",
        ),
        (
            ONE_CAN_GO_FURTHER,
            "E 2,4 2,3",
            "returns-to-camp",
            "line 1, column 1: `2,4` is outside its camp and may not return to it (addendum a)",
        ),
        (
            ONE_IS_HELD,
            "E 1,4 0,4",
            "stays-in-camp",
            "line 1, column 1: `1,4` is in its camp: it may only leave it or move further from the corner `0,0` \
             (addendum b)",
        ),
        (
            ONE_IS_HELD,
            "J 1,4 1,2",
            "stays-in-camp",
            "line 1, column 1: `1,4` is in its camp: it may only leave it or move further from the corner `0,0` \
             (addendum b)",
        ),
        (
            ONE_IS_HELD,
            "J 1,4 1,2\nJ 1,2 1,4",
            "stays-in-camp",
            "line 1, column 1: `1,4` is in its camp: it may only leave it or move further from the corner `0,0` \
             (addendum b)",
        ),
    ];
    for (rows, output, code, said) in neighbours {
        let finding = illegal(&rows, Side::Black, Rules::Addendum, output);
        assert_eq!(
            (finding.code.as_ref(), finding.to_string().as_str()),
            (code, said),
            "{output:?}"
        );
        let original = position(&rows, Side::Black, Rules::Original);
        assert!(
            original.read_output(output.as_bytes(), Tolerance::Exact).is_ok(),
            "{output:?}"
        );
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
            let answer = position
                .read_output(output.as_bytes(), tolerance)
                .expect("it is allowed");
            assert_eq!(answer.mv.from, answer.mv.to);
            let [warning] = answer.warnings.as_slice() else {
                panic!("expected one warning for {output:?}, got {:?}", answer.warnings);
            };
            assert_eq!(warning.code, "returns-to-start");
            let expected =
                format!("line 2, column 1: the chain ends on `{square}`, where it began: the board stays as it was");
            assert_eq!(warning.to_string(), expected);
            assert_eq!(position.write_move(answer.mv).lines().count(), 2);
            assert_eq!(
                position.read_output(position.write_move(answer.mv).as_bytes(), tolerance),
                Ok(answer)
            );
        }
    }
}

#[test]
fn a_wrong_format_is_no_illegal_move() {
    let start = position(&START, Side::White, Rules::Addendum);
    let texts = [
        (
            "E 11,15 16,15",
            "line 1, column 9: expected a square from `0,0` to `15,15`, found `16,15`",
        ),
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
    use referee::games::halma::Reason;
    use referee::games::{IllegalPlay, Play};
    let start = position(&START, Side::White, Rules::Addendum);
    let refused = IllegalPlay {
        hop: 0,
        reason: Reason::NoJump,
    };
    assert_eq!(start.judge(&Play::Jumps(vec![])), Err(refused));
}
