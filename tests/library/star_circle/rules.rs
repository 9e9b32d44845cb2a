//! The rules agree with the twin on all positions, and the decisions about the end of a game hold.

use proptest::prelude::*;
use referee_games::star_circle::{Move, PassedPieces, RowValues, Square, StarCircle};
use referee_games::{BoardDraw, BoardWin, Ending, Position, Side, Status, perft};

use crate::star_circle::twin::{Twin, written};
use crate::star_circle::{any_position, drawn};

/// Counted by the twin to depth 5 and by this generator beyond; there are no published figures.
const PERFT: [u64; 8] = [1, 7, 49, 392, 3136, 27_210, 235_633, 2_137_267];

#[test]
fn perft_from_the_start() {
    for (depth, count) in (0..).zip(PERFT) {
        assert_eq!(perft(&StarCircle::start(()), depth), count, "depth {depth}");
    }
    let twin = Twin::of(&StarCircle::start(()));
    for (depth, count) in (0..).zip(PERFT).take(6) {
        assert_eq!(twin.perft(depth), count, "depth {depth}");
    }
}

#[test]
fn a_side_has_at_most_ninety_nine_pieces() {
    let with = |pieces: [&str; 4]| {
        // Only the last row of Star, `H`, has several on a square; every other one of its squares is dark.
        let dark = (0..8_u8).filter(|&column| Square::new(column, 0).unwrap().is_dark());
        let mut last = ["0"; 8];
        dark.zip(pieces).for_each(|(column, pieces)| last[usize::from(column)] = pieces);
        let mut rows = vec!["0,0,0,0,0,0,0,0".to_owned(); 8];
        rows[0] = last.join(",");
        let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
        StarCircle::from_rows(&rows, Side::White, ()).map_err(|error| error.to_string())
    };
    assert!(with(["S99", "0", "0", "0"]).is_ok());
    assert!(with(["S50", "S49", "0", "0"]).is_ok());
    let error = with(["S50", "S49", "0", "S1"]).unwrap_err();
    assert!(error.contains("at most 99 pieces of Star, found 100"), "{error}");
}

fn agrees_with_the_twin(position: &StarCircle) -> Result<(), TestCaseError> {
    let twin = Twin::of(position);
    let goes_on = Side::BOTH.into_iter().all(|side| twin.has_pieces(side));
    let expected = if goes_on { twin.moves() } else { Vec::new() };
    let moves = position.moves();
    let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    prop_assert_eq!(names, expected.iter().copied().map(written).collect::<Vec<_>>());
    prop_assert_eq!(position.count_moves(), moves.len() as u64);
    prop_assert!(moves.is_sorted());
    let jumps = moves.iter().copied().filter(|mv| mv.jumped().is_some());
    prop_assert!(position.jumps().eq(jumps));
    let status = position.status();
    prop_assert_eq!(status == Status::ToMove, !moves.is_empty());
    let other_can_move = goes_on && !twin.passed().moves().is_empty();
    prop_assert_eq!(status == Status::MustPass, moves.is_empty() && other_can_move);
    for (mv, (from, to)) in moves.into_iter().zip(expected) {
        prop_assert_eq!(position.judge(mv), Ok(()));
        let next = position.after(mv);
        prop_assert_eq!(Twin::of(&next), twin.play(from, to));
        prop_assert!(!next.same_placement(position));
        for side in Side::BOTH {
            let values = RowValues::STANDARD;
            prop_assert_eq!(next.evaluate(side, &values), Twin::of(&next).evaluate(side, &values.values()));
        }
    }
    let mut passed = position.clone();
    passed.pass();
    prop_assert_eq!(Twin::of(&passed), twin.passed());
    prop_assert!(passed.same_placement(position));
    Ok(())
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..8_u8, 0..8_u8).prop_map(|(column, row)| Square::new(column, row).unwrap())
}

proptest! {
    #[test]
    fn the_twin_agrees_on_any_position(position in (1..8_u8).prop_flat_map(any_position)) {
        agrees_with_the_twin(&position)?;
    }

    #[test]
    fn the_twin_counts_the_same(position in any_position(3)) {
        prop_assert_eq!(perft(&position, 3), Twin::of(&position).perft(3));
    }

    #[test]
    fn the_rows_are_read_as_they_were_written(position in any_position(6)) {
        let rows = position.rows();
        let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
        prop_assert_eq!(StarCircle::from_rows(&rows, position.side_to_move(), ()).unwrap(), position);
    }

    /// A move is accepted exactly if it is listed; whatever else is played does not panic.
    #[test]
    fn a_move_is_judged_legal_exactly_if_it_is_listed(
        position in any_position(5),
        from in any_square(),
        to in any_square(),
    ) {
        let mv = Move { from, to };
        let is_over = matches!(position.status(), Status::Over(Ending::Won { by: BoardWin::NoPieces, .. }));
        prop_assert_eq!(position.judge(mv).is_ok() && !is_over, position.is_legal(mv));
        position.clone().play_unchecked(mv);
    }

    /// Turned by half a turn with the colours exchanged, a position has the turned moves.
    #[test]
    fn the_two_sides_move_alike(position in any_position(5)) {
        let turned = turned(&position);
        let mut moves: Vec<Move> = position.moves().into_iter().map(turned_move).collect();
        moves.sort();
        prop_assert_eq!(moves, turned.moves());
        let [black, white] = Side::BOTH.map(|side| position.evaluate(side, &RowValues::STANDARD));
        prop_assert_eq!(black, turned.evaluate(Side::White, &RowValues::STANDARD));
        prop_assert_eq!(black, -white);
    }

    /// Every game ends: pieces go forward only.
    #[test]
    fn every_game_ends_without_a_piece_too_many(
        position in any_position(5),
        choices in prop::collection::vec(0..99_usize, 120),
    ) {
        let mut position = position;
        let pieces = Side::BOTH.map(|side| position.count_all(side));
        let mut choices = choices.into_iter();
        loop {
            match position.status() {
                Status::Over(_) => break,
                Status::MustPass => position.pass(),
                Status::ToMove => {
                    let moves = position.moves();
                    let choice = choices.next().expect("16 pieces a side of at most 7 rows end earlier");
                    position = position.after(moves[choice % moves.len()]);
                }
            }
        }
        for (side, before) in Side::BOTH.into_iter().zip(pieces) {
            prop_assert!(position.count_all(side) <= before);
        }
    }
}

fn turned(position: &StarCircle) -> StarCircle {
    let exchange = |cell: &str| match cell.split_at(1) {
        ("S", count) => format!("C{count}"),
        ("C", count) => format!("S{count}"),
        _ => cell.to_owned(),
    };
    let turn = |row: &String| row.split(',').rev().map(exchange).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = position.rows().iter().rev().map(turn).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    drawn(&rows, position.side_to_move().other())
}

fn turned_move(mv: Move) -> Move {
    let turned = |square: Square| Square::new(7 - square.column(), 7 - square.row()).unwrap();
    Move { from: turned(mv.from), to: turned(mv.to) }
}

#[test]
fn a_stack_grows_by_steps_and_by_jumps() {
    let position = drawn(&["0,S2,0,0,0,0,0,0", "S1,0,C1,0,0,0,0,0", "0,0,0,S1,0,0,0,0"], Side::White);
    let moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["G1-H2", "F4-H2", "F4-G5"]);
    let jumped = position.after(position.moves()[1]);
    assert_eq!(jumped.rows()[..3], ["0,S3,0,0,0,0,0,0", "S1,0,0,0,0,0,0,0", "0,0,0,0,0,0,0,0"]);
    assert_eq!(jumped.status(), Status::Over(Ending::Won { winner: Side::White, by: BoardWin::NoPieces }));
    assert_eq!(jumped.count_all(Side::White), 4);
}

#[test]
fn a_game_that_is_played_out_goes_to_the_higher_evaluation() {
    let end = |rows: &[&str]| drawn(rows, Side::White).status();
    let won = |winner, higher: u32, lower: u32| {
        let by = BoardWin::HigherScore { winner: higher.into(), loser: lower.into() };
        Status::Over(Ending::Won { winner, by })
    };
    let empty = "0,0,0,0,0,0,0,0";
    let rows = |bottom| ["0,S2,0,0,0,0,0,0", empty, empty, empty, empty, empty, empty, bottom];
    assert_eq!(end(&rows("C1,0,0,0,0,0,0,0")), won(Side::White, 160, 80));
    assert_eq!(end(&rows("C1,0,C2,0,0,0,0,0")), won(Side::Black, 240, 160));
    assert_eq!(
        end(&rows("C1,0,0,0,C1,0,0,0")),
        Status::Over(Ending::Drawn(BoardDraw::EqualScores { each: 160.into() }))
    );
    assert_eq!(end(&[empty]), Status::Over(Ending::Drawn(BoardDraw::EqualScores { each: 0.into() })));
}

#[test]
fn the_whole_start_of_the_fifth_example_is_blocked() {
    let rows = ["0,C1,0,C1,0,C1,0,C1", "C1,0,C1,0,C1,0,C1,0", "0,S1,0,S1,0,S1,0,S1", "S1,0,S1,0,S1,0,S1,0"];
    let position = drawn(&rows, Side::White);
    assert_eq!(position.moves(), []);
    let by = BoardWin::HigherScore { winner: 440.into(), loser: 120.into() };
    assert_eq!(position.status(), Status::Over(Ending::Won { winner: Side::White, by }));
}

/// How many rows each piece of `side` has to go, one by one, and whether a piece of the other side is still ahead of it
/// where the two can meet.
fn ways_to_go(position: &StarCircle, side: Side) -> Vec<(u32, bool)> {
    let all = || (0..8_u8).flat_map(|row| (0..8_u8).filter_map(move |column| Square::new(column, row)));
    let ahead = |row: u8, other: u8| match side {
        Side::White => i32::from(row) - i32::from(other),
        Side::Black => i32::from(other) - i32::from(row),
    };
    let of = |side| all().filter(move |&square| position.count(side, square) > 0);
    of(side)
        .map(|square| {
            let last = if side == Side::White { 0 } else { 7 };
            let meets = of(side.other())
                .any(|other| ahead(square.row(), other.row()) >= i32::from(square.column().abs_diff(other.column())));
            (ahead(square.row(), last).unsigned_abs(), meets)
        })
        .collect()
}

proptest! {
    #[test]
    fn rows_to_go_are_those_of_all_pieces_and_of_those_with_nobody_left_to_meet(position in any_position(3)) {
        for side in Side::BOTH {
            let ways = ways_to_go(&position, side);
            prop_assert_eq!(position.rows_to_go(side), ways.iter().map(|&(rows, _)| rows).sum::<u32>());
            let clear = ways.iter().filter(|&&(rows, meets)| rows > 0 && !meets);
            let clear: Vec<u32> = clear.map(|&(rows, _)| rows).collect();
            let PassedPieces { pieces, rows } = position.clear(side);
            prop_assert_eq!((pieces as usize, rows), (clear.len(), clear.iter().sum::<u32>()));
        }
    }
}

proptest! {
    #[test]
    fn a_repeat_leaves_the_other_side_what_it_had_and_so_does_a_move_before_it(position in any_position(4)) {
        let side = position.side_to_move();
        let before = position.clone().with_side_to_move(side.other());
        let leaves_all = |mv: &Move| {
            let next = position.after(*mv);
            next.moves() == before.moves()
                && next.clear(side).rows + 1 == position.clear(side).rows
                && next.clear(side.other()) == position.clear(side.other())
        };
        let is_repeat = position.repeats();
        let (repeats, others): (Vec<Move>, Vec<Move>) = position.moves().into_iter().partition(|&mv| is_repeat(mv));
        prop_assert!(repeats.iter().all(leaves_all));
        if let Some(first) = repeats.first() {
            prop_assert!(others.iter().any(|mv| mv < first && leaves_all(mv)));
        }
    }
}
