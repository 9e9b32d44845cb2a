//! Passes and the ends of games, on drawn boards.

use referee_games::halma::{Halma, Rules};
use referee_games::protocol::{Texts, Tolerance};
use referee_games::{BoardDraw, BoardWin, Ending, Position, Side, Status};

use crate::halma_rules::BOTH_RULES;
use crate::halma_rules::boards::{BLACK_CHAINS, Rows, START, WHITE_JUMPS, position};

/// Black is shut in; its camp is full, and all of it but the corner is white.
const BLACK_IN_ITS_CORNER: Rows = [
    "BWWWW...........",
    "WWWWW...........",
    "WWWW............",
    "WWW.............",
    "WW..............",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

/// Black is shut in; it has one piece in white's camp, which is full.
const BLACK_IN_THE_FAR_CORNER: Rows = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "........W.......",
    "................",
    "................",
    "................",
    "..............WW",
    ".............WWW",
    "............WWWW",
    "...........WWWWW",
    "...........WWWWB",
];

/// The black piece could only move within its camp, and not further from its corner.
const BLACK_HELD_IN_ITS_CAMP: Rows = [
    "................",
    "................",
    "................",
    "................",
    ".BWW............",
    "WWW.............",
    ".W.W............",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

fn won(winner: Side) -> Status {
    Status::Over(Ending::Won { winner, by: BoardWin::Goal(Halma::PROFILE.goals[0]) })
}

fn after(position: &Halma, output: &str) -> Halma {
    let answer = position.read_output(output.as_bytes(), Tolerance::Exact).expect("a legal answer");
    let mut next = position.clone();
    next.play_unchecked(answer.mv);
    next
}

#[test]
fn nobody_has_won_at_the_start() {
    for rules in BOTH_RULES {
        let start = Halma::start(rules);
        assert_eq!((start.side_to_move(), start.rules()), (Side::Black, rules));
        assert_eq!(start.rows(), START);
        assert_eq!(start.status(), Status::ToMove);
        assert_eq!(start.with_side_to_move(Side::White).status(), Status::ToMove);
    }
}

#[test]
fn the_play_that_fills_the_camp_wins() {
    for rules in BOTH_RULES {
        let one_vacancy = position(&WHITE_JUMPS, Side::White, rules);
        assert_eq!(one_vacancy.status(), Status::ToMove);
        assert_eq!(after(&one_vacancy, "J 4,3 2,1").status(), won(Side::White));
        assert_eq!(after(&one_vacancy, "E 4,3 4,2").status(), Status::ToMove);
        let two_vacancies = position(&BLACK_CHAINS, Side::Black, rules);
        assert_eq!(after(&two_vacancies, "J 9,9 11,9\nJ 11,9 11,11\nJ 11,11 13,13").status(), Status::ToMove);
    }
}

#[test]
fn one_own_piece_among_the_opponents_is_enough_after_a_play_but_not_after_a_pass() {
    for rules in BOTH_RULES {
        let played = position(&BLACK_IN_THE_FAR_CORNER, Side::White, rules);
        assert_eq!(played.status(), won(Side::Black));
        let mut passed = position(&BLACK_IN_THE_FAR_CORNER, Side::Black, rules);
        assert_eq!(passed.status(), Status::MustPass);
        passed.pass();
        assert_eq!((passed.side_to_move(), passed.status()), (Side::White, Status::ToMove));
        assert!(passed.same_placement(&played));
    }
}

#[test]
fn a_full_camp_without_a_piece_of_ones_own_is_not_won() {
    let rows: Rows = std::array::from_fn(|y| if y == 0 { "......B........." } else { START_OF_WHITE_ALONE[y] });
    let position = position(&rows, Side::White, Rules::Original);
    assert_eq!(position.status(), Status::ToMove);
}

const START_OF_WHITE_ALONE: Rows = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "..............WW",
    ".............WWW",
    "............WWWW",
    "...........WWWWW",
    "...........WWWWW",
];

#[test]
fn the_camp_that_the_opponent_fills_up_is_won_only_by_a_play() {
    for rules in BOTH_RULES {
        assert_eq!(position(&BLACK_IN_ITS_CORNER, Side::Black, rules).status(), won(Side::White));
        let white_to_move = position(&BLACK_IN_ITS_CORNER, Side::White, rules);
        assert_eq!(white_to_move.status(), Status::Over(Ending::Drawn(BoardDraw::Blocked)));
    }
}

#[test]
fn a_side_that_can_only_stay_in_its_camp_passes_under_the_addendum() {
    let original = position(&BLACK_HELD_IN_ITS_CAMP, Side::Black, Rules::Original);
    assert_eq!(original.status(), Status::ToMove);
    let addendum = position(&BLACK_HELD_IN_ITS_CAMP, Side::Black, Rules::Addendum);
    assert_eq!(addendum.status(), Status::MustPass);
    assert_eq!(addendum.moves(), []);
}

#[test]
fn the_board_says_what_is_wrong_with_it() {
    let crowded: Rows = std::array::from_fn(|y| if y == 8 { "........W......." } else { START[y] });
    let foreign: Rows = std::array::from_fn(|y| if y == 8 { "....x..........." } else { START[y] });
    let short: Rows = std::array::from_fn(|y| if y == 8 { "..............." } else { START[y] });
    let boards = [
        (crowded, "expected 1 to 19 pieces `W`, found 20"),
        (START_OF_WHITE_ALONE, "expected 1 to 19 pieces `B`, found 0"),
        (foreign, "board row 9, column 5: expected one of `.BW`, found `x`"),
        (short, "board row 9: expected 16 squares, found 15"),
    ];
    for (rows, message) in boards {
        let fault = Halma::from_rows(&rows.map(str::as_bytes), Side::Black, Rules::Addendum).expect_err(message);
        assert_eq!(fault.to_string(), message);
    }
}
