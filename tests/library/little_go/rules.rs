//! Laws of the rules, in thousands of positions of random games and on single cases.

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use referee_games::little_go::{LAST_TURN, LittleGo, Move, Point, PointSet, Reason};
use referee_games::{BoardError, BoardWin, Ending, Position, Score, Side, Status, perft};

use crate::little_go::twin::{Twin, placements, point};

fn place(row: u8, column: u8) -> Move {
    Move::Place(Point::new(column, row).expect("on the board"))
}

/// The position after moves written `1,2` or `PASS`.
fn after(moves: &str) -> LittleGo {
    let mut position = LittleGo::start(());
    for mv in moves.split(' ') {
        let mv = match *mv.as_bytes() {
            [row, b',', column] => place(row - b'0', column - b'0'),
            _ => Move::Pass,
        };
        assert!(position.is_legal(mv), "{mv:?} is not legal in\n{}", position.board());
        position = position.after(mv);
    }
    position
}

fn both(previous: [&str; 5], board: [&str; 5], side: Side) -> Result<LittleGo, BoardError> {
    let rows = [previous, board].concat();
    let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
    LittleGo::from_rows(&rows, side, ())
}

fn boards(previous: [&str; 5], board: [&str; 5], side: Side) -> LittleGo {
    both(previous, board, side).expect("two boards")
}

#[test]
fn perft_counts_what_is_known() {
    let start = LittleGo::start(());
    let counts: Vec<u64> = (0..=4).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [1, 26, 651, 15_650, 361_041]);
    let twin = Twin::start();
    assert_eq!([1, 2, 3].map(|depth| twin.perft(depth, true)), [26, 651, 15_650]);
    assert_eq!([1, 2, 3].map(|depth| twin.perft(depth, false)), [25, 600, 13_800]);
}

#[test]
fn placements_alone_are_counted_as_is_known() {
    fn count(position: &LittleGo, depth: u32) -> u64 {
        let placements = placements(position);
        if depth == 1 {
            return placements.len() as u64;
        }
        let below = |point| count(&position.after(Move::Place(point)), depth - 1);
        placements.into_iter().map(below).sum()
    }
    let start = LittleGo::start(());
    assert_eq!([1, 2, 3, 4].map(|depth| count(&start, depth)), [25, 600, 13_800, 303_424]);
}

/// Plays a game at random beside the twin; the number of positions that were compared, and of those with a ko.
fn playout(seed: u64) -> (usize, usize) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let (mut position, mut twin) = (LittleGo::start(()), Twin::start());
    let (mut compared, mut kos) = (0, 0);
    loop {
        let legal: Vec<Point> = twin.placements().into_iter().map(point).collect();
        assert_eq!(placements(&position), legal, "{}", position.board());
        assert_eq!(position.rows(), Twin::rows(&twin.board));
        assert_eq!(position.previous_board().lines().collect::<Vec<_>>(), Twin::rows(&twin.previous));
        assert_eq!(matches!(position.status(), Status::Over(_)), twin.is_over());
        assert_eq!(position.count_moves(), position.moves().len() as u64);
        let setup = position.setup();
        let setup: Vec<&[u8]> = setup.iter().map(String::as_bytes).collect();
        assert_eq!(LittleGo::from_rows(&setup, position.side_to_move(), ()), Ok(position.clone()));
        for point in PointSet::BOARD.iter() {
            let mv = Move::Place(point);
            assert_eq!(position.is_legal(mv), position.moves().contains(&mv));
            kos += usize::from(position.why_not(point) == Some(Reason::Ko));
        }
        compared += 1;
        if twin.is_over() {
            let [black, white] = twin.stones();
            let expected = if 2 * black > 2 * white + 5 { Side::Black } else { Side::White };
            assert!(matches!(position.status(), Status::Over(Ending::Won { winner, .. }) if winner == expected));
            return (compared, kos);
        }
        let choices = twin.placements();
        match choices.choose(&mut dice) {
            Some(&at) if !dice.random_bool(0.05) => {
                twin.place(at);
                position = position.after(Move::Place(point(at)));
            }
            _ => {
                twin.pass();
                position = position.after(Move::Pass);
            }
        }
    }
}

#[test]
fn the_rules_agree_with_the_twin_in_games_played_at_random() {
    let (compared, kos) = (0..200).map(playout).fold((0, 0), |sum, game| (sum.0 + game.0, sum.1 + game.1));
    assert!(compared > 2_000 && kos > 3, "{compared} positions, {kos} kos");
}

#[test]
fn a_group_without_liberties_is_taken_off_the_board() {
    let before = after("0,1 0,0");
    assert_eq!(before.captures(Point::new(0, 1).expect("a point")).iter().collect::<Vec<_>>(), [point((0, 0))]);
    let taken = before.after(place(1, 0));
    assert_eq!(taken.rows(), ["01000", "10000", "00000", "00000", "00000"]);
    assert_eq!(taken.why_not(point((0, 0))), Some(Reason::Suicide));
}

#[test]
fn a_stone_that_was_just_taken_cannot_be_taken_back_at_once() {
    let ko = "0,1 0,2 1,0 1,3 2,1 2,2 1,2 1,1";
    let position = after(ko);
    assert_eq!(position.rows(), ["01200", "12020", "01200", "00000", "00000"]);
    assert_eq!(position.why_not(point((1, 2))), Some(Reason::Ko));
    assert!(!position.is_legal(place(1, 2)));
    let later = after(&format!("{ko} 4,4 4,0"));
    assert_eq!(later.why_not(point((1, 2))), None);
    // A pass between lifts the ko as well: the board before the opponent's last move is another one.
    let later = after(&format!("{ko} PASS PASS"));
    assert_eq!(later.why_not(point((1, 2))), None);
    assert!(matches!(later.status(), Status::Over(_)), "but two passes have ended this game");
}

#[test]
fn two_passes_end_the_game_and_so_do_24_turns() {
    assert_eq!(after("PASS").status(), Status::ToMove, "one pass does not, not even the first move");
    let won = |winner, score: [u32; 2]| {
        let by = BoardWin::HigherScore { winner: Score::from_halves(score[0]), loser: Score::from_halves(score[1]) };
        Status::Over(Ending::Won { winner, by })
    };
    assert_eq!(after("PASS PASS").status(), won(Side::White, [5, 0]));
    assert_eq!(after("2,2 PASS 1,1 PASS 3,3 PASS PASS").status(), won(Side::Black, [6, 5]));
    let mut position = LittleGo::start(());
    for turn in 0..LAST_TURN {
        assert_eq!((position.turns(), position.status()), (turn, Status::ToMove));
        let placed = placements(&position).first().copied().filter(|_| turn % 4 != 3);
        position = position.after(placed.map_or(Move::Pass, Move::Place));
    }
    assert!(matches!(position.status(), Status::Over(_)) && position.moves().is_empty());
}

#[test]
fn what_is_read_is_as_early_in_the_game_as_its_stones_allow() {
    const NONE: [&str; 5] = ["00000"; 5];
    const ONE: [&str; 5] = ["00000", "00000", "00100", "00000", "00000"];
    const TWO: [&str; 5] = ["00000", "00000", "00120", "00000", "00000"];
    let table = [
        (NONE, NONE, Side::Black, 0, false),
        (NONE, NONE, Side::White, 1, true),
        (NONE, ONE, Side::White, 1, false),
        (ONE, TWO, Side::Black, 2, false),
        (ONE, ONE, Side::Black, 2, true),
        (TWO, TWO, Side::White, 3, true),
        // The white stone on the board before the last turn was taken: it was put there on the second turn.
        (TWO, ONE, Side::White, 3, false),
    ];
    for (previous, board, side, turns, follows_a_pass) in table {
        let position = boards(previous, board, side);
        assert_eq!((position.turns(), position.follows_a_pass()), (turns, follows_a_pass), "{board:?}");
    }
    // However many stones there are, the side to move has its turn.
    let crowded = ["12121", "21212", "12121", "21212", "12120"];
    for side in Side::BOTH {
        let full = ["11111", "11111", "11111", "11111", "11110"];
        let status = both(NONE, full, side).map(|position| position.status());
        assert_eq!(status, Ok(Status::ToMove));
    }
    let fault = both(NONE, crowded, Side::Black);
    assert!(fault.is_err(), "stones without liberties");
}

#[test]
fn an_agent_that_counts_its_turns_knows_when_the_game_ends() {
    let position = after("2,2 1,1 3,3 4,4");
    assert_eq!(position.clone().at_own_turn(2), position);
    assert_eq!(position.at_own_turn(11).turns(), 22);
}

#[test]
fn turns_and_passes_that_no_game_has_are_refused() {
    let read = |numbers: &str| {
        let rows = [&["00000"; 10][..], &[numbers]].concat();
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        LittleGo::from_rows(&rows, Side::Black, ())
    };
    for numbers in ["0 0", "2 2", "24 0"] {
        let setup = read(numbers).expect(numbers).setup();
        assert_eq!(setup[10], numbers);
    }
    for numbers in ["25 0", "4294967295 0", "1 2", "3 3", "-1 0", "7", "7 0 0", ""] {
        assert_eq!(
            read(numbers).expect_err(numbers).to_string(),
            "board row 11: expected the numbers of turns, at most 24, and of passes at their end, at most 2, such as \
             `7 0`"
        );
    }
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let said = |row: usize, text: &'static str| {
        let mut rows = ["00000"; 5];
        rows[row] = text;
        let rows = rows.map(str::as_bytes);
        LittleGo::from_rows(&rows, Side::Black, ()).expect_err("no board").to_string()
    };
    assert_eq!(said(1, "000"), "board row 2: expected 5 points, found 3");
    assert_eq!(said(1, "00.00"), "board row 2, column 3: expected `0`, `1` or `2`, found `.`");
    let four = ["00000"; 4].map(str::as_bytes);
    let fault = LittleGo::from_rows(&four, Side::Black, ()).expect_err("no board");
    assert_eq!(fault.to_string(), "expected 5 board rows, found 4");
    let dead = ["21000", "10000", "00000", "00000", "00000"].map(str::as_bytes);
    let fault = LittleGo::from_rows(&dead, Side::Black, ()).expect_err("no board");
    assert_eq!(fault.to_string(), "board row 1, column 1: the group of `0,0` has no liberty: it is captured");
}
