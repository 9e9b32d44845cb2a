//! Laws of the rules, on thousands of positions and on single cases.

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use referee_games::heirs::{Heirs, Move, Piece, Squares};
use referee_games::{BoardDraw, BoardWin, Ending, Position, Side, Status, perft};

use crate::heirs::twin::{Twin, read_move, square, written};

const EMPTY: &str = "............";

/// The position of a few pieces, each written `Pa1`, with white to move.
fn position(pieces: &str) -> Heirs {
    let mut rows = vec![EMPTY.as_bytes().to_vec(); 12];
    for piece in pieces.split(' ') {
        let at = square(&piece[1..]);
        rows[usize::from(at.row())][usize::from(at.column())] = piece.as_bytes()[0];
    }
    let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
    Heirs::from_rows(&rows, Side::White, ()).expect("a board")
}

/// Where the piece on `from` can go, in the order of the alphabet.
fn targets(position: &Heirs, from: &str) -> String {
    let moves = written(position);
    let targets = moves.iter().filter_map(|mv| mv.strip_prefix(from)?.strip_prefix(' '));
    targets.collect::<Vec<_>>().join(" ")
}

#[test]
fn perft_counts_what_is_known() {
    let start = Heirs::start(());
    let counts: Vec<u64> = (0..=4).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [1, 36, 1_296, 50_004, 1_929_321]);
    assert_eq!(Twin::of(&start).perft(3), 50_004);
}

/// Plays a game at random and checks each position on the way; `captures` prefers moves that take something, so that
/// boards empty.
fn playout(seed: u64, captures: bool) -> usize {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Heirs::start(());
    for ply in 0..400 {
        let twin = Twin::of(&position);
        let moves = written(&position);
        assert_eq!(moves, twin.moves(), "{}", position.board());
        assert_eq!(position.count_moves(), moves.len() as u64);
        let is_over = matches!(position.status(), Status::Over(_));
        assert_eq!(is_over, moves.is_empty());
        let Some(mv) = choose(&position, &moves, captures, &mut dice) else {
            return ply;
        };
        let next = position.after(read_move(&mv));
        assert_eq!(Twin::of(&next), twin.play(&mv));
        position = next;
    }
    400
}

fn choose(position: &Heirs, moves: &[String], captures: bool, dice: &mut ChaCha8Rng) -> Option<String> {
    let takes = |mv: &&String| {
        let taken = position.at(read_move(mv).to);
        taken.is_some_and(|(_, piece)| piece != Piece::Prince)
    };
    let capturing: Vec<&String> = moves.iter().filter(takes).collect();
    let preferred = if captures && dice.random_bool(0.7) { capturing.choose(dice).copied() } else { None };
    preferred.or_else(|| moves.choose(dice)).cloned()
}

#[test]
fn the_rules_agree_with_the_twin_in_games_played_at_random() {
    let plies: usize = (0..16).map(|seed| playout(seed, seed % 2 == 0)).sum();
    assert!(plies > 1_000, "only {plies} positions were looked at");
}

/// A board of up to 40 pieces anywhere, with a Prince on each side.
fn board() -> impl Strategy<Value = Heirs> {
    let piece = prop::sample::select(Piece::LETTERS.as_bytes());
    let pieces = prop::collection::vec((0..12_usize, 0..12_usize, piece), 0..40);
    let princes = ((0..12_usize, 0..6_usize), (0..12_usize, 6..12_usize));
    (pieces, princes, any::<bool>()).prop_map(|(pieces, princes, white)| {
        let mut rows = vec![vec![b'.'; 12]; 12];
        for (column, row, letter) in pieces {
            if !matches!(letter, b'P' | b'p') {
                rows[row][column] = letter;
            }
        }
        let ((black_column, black_row), (white_column, white_row)) = princes;
        rows[black_row][black_column] = b'p';
        rows[white_row][white_column] = b'P';
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        let side = if white { Side::White } else { Side::Black };
        Heirs::from_rows(&rows, side, ()).expect("a board with two Princes")
    })
}

/// The board turned upside down with the colours exchanged: what black sees of it.
fn mirrored(position: &Heirs) -> Heirs {
    let exchanged = |letter: u8| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let rows: Vec<Vec<u8>> = position.rows().iter().rev().map(|row| row.bytes().map(exchanged).collect()).collect();
    let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
    Heirs::from_rows(&rows, position.side_to_move().other(), ()).expect("a board")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_rules_agree_with_the_twin_on_any_board(position in board()) {
        prop_assert_eq!(written(&position), Twin::of(&position).moves());
        prop_assert_eq!(position.count_moves(), position.moves().len() as u64);
        prop_assert_eq!(position.status() == Status::ToMove, position.count_moves() > 0);
    }

    #[test]
    fn a_move_is_legal_exactly_if_it_is_listed(position in board(), from in 0..144_usize, to in 0..144_usize) {
        let squares: Vec<_> = Squares::BOARD.iter().collect();
        let mv = Move { from: squares[from], to: squares[to] };
        prop_assert_eq!(position.is_legal(mv), position.moves().contains(&mv));
        prop_assert_eq!(position.judge(mv).is_ok(), position.is_legal(mv), "{:?}", position.judge(mv));
        for mv in position.moves() {
            prop_assert_eq!(position.judge(mv), Ok(()));
        }
    }

    #[test]
    fn the_mirrored_board_has_the_mirrored_moves(position in board()) {
        let mirror = mirrored(&position);
        prop_assert_eq!(mirror.count_moves(), position.count_moves());
        prop_assert_eq!(perft(&mirror, 2), perft(&position, 2));
        prop_assert_eq!(mirrored(&mirror), position);
    }

    #[test]
    fn a_board_that_was_drawn_is_read_as_the_same(position in board()) {
        let rows = position.rows();
        let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
        prop_assert_eq!(Heirs::from_rows(&rows, position.side_to_move(), ()), Ok(position));
    }

    #[test]
    fn only_a_capture_or_the_move_of_a_baby_makes_progress(position in board()) {
        let count = |position: &Heirs| Side::BOTH.map(|side| position.pieces(side).count()).iter().sum::<u32>();
        for mv in position.moves() {
            let is_baby = position.at(mv.from).is_some_and(|(_, piece)| piece == Piece::Baby);
            let captures = count(&position.after(mv)) < count(&position);
            prop_assert_eq!(position.makes_progress(mv), is_baby || captures);
        }
    }
}

#[test]
fn each_piece_goes_where_its_rule_says() {
    let table = [
        ("Bf6 Pa1 pa12", "f6", "f7 f8"),
        ("Bf6 bf7 Pa1 pa12", "f6", "f7"),
        ("Bf6 bf8 Pa1 pa12", "f6", "f7 f8"),
        ("Bf6 Bf8 Pa1 pa12", "f6", "f7"),
        ("Bf6 be7 bg7 Bf7 Pa1 pa12", "f6", ""),
        ("Pf6 Bf7 bg7 pa12", "f6", "e5 e6 e7 f5 g5 g6 g7"),
        ("Xa1 Bb2 ba3 Pn1 pa12", "a1", "a2 a3 b1 c1 d1"),
        ("Yf6 Be5 be7 Pa1 pa12", "f6", "e7 g5 g7"),
        ("Gf6 Bf7 bg6 Pa1 pa12", "f6", "d6 e6 f4 f5 g6"),
        ("Tf6 Bg7 bg5 Pa1 pa12", "f6", "d4 d8 e5 e7 g5"),
        ("Sf6 Bf7 bf8 Be9 Pa1 pa12", "f6", "e7 e8 f8 f9 g7 g8 g9"),
        ("Sf11 Pa1 pa12", "f11", "e12 f12 g12"),
        ("Sf12 Pa1 pa12", "f12", ""),
        ("Nf6 Pa1 pa12", "f6", ""),
        ("Nf6 Bf8 Pa1 pa12", "f6", "e7 f7 g7"),
        ("Nf6 Bf7 be7 Pa1 pa12", "f6", "e6 e7 g6 g7"),
        ("Nf6 bf8 Pa1 pa12", "f6", ""),
        // There is no `i` between `h` and `j`, and no `l` between `k` and `m`.
        ("Gj6 Pa1 pa12", "j6", "g6 h6 j4 j5 j7 j8 k6 m6"),
    ];
    for (pieces, from, expected) in table {
        assert_eq!(targets(&position(pieces), from), expected, "{pieces}");
    }
}

#[test]
fn who_captures_the_prince_has_won() {
    let before = position("Xf6 Pa1 pf9 bn12");
    let after = before.after(read_move("f6 f9"));
    let Status::Over(Ending::Won { winner, by: BoardWin::Goal(goal) }) = after.status() else {
        panic!("{:?}", after.status());
    };
    assert_eq!((winner, goal.code), (Side::White, "prince-captured"));
    assert_eq!((after.count_moves(), after.moves().len(), perft(&after, 1)), (0, 0, 0));
}

#[test]
fn a_side_without_a_legal_move_has_drawn() {
    // A Scout and Babies that have nowhere further to go hem in their own Prince.
    let stuck = position("Pa12 Sb12 Sa11 Bb11 pn1");
    assert_eq!(written(&stuck), Twin::of(&stuck).moves());
    assert_eq!(stuck.status(), Status::Over(Ending::Drawn(BoardDraw::NoMoves)));
    assert_eq!(perft(&stuck, 2), 0);
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let said = |changes: &[(usize, &'static str)]| {
        let mut rows = [EMPTY; 12];
        (rows[0], rows[11]) = ("p...........", "P...........");
        for &(row, text) in changes {
            rows[row] = text;
        }
        let rows = rows.map(str::as_bytes);
        Heirs::from_rows(&rows, Side::White, ()).expect_err("no board").to_string()
    };
    assert_eq!(said(&[(2, "P...........")]), "board row 12, column 1: a second Prince: `P`");
    assert_eq!(said(&[(0, EMPTY), (11, EMPTY)]), "expected a Prince, `P` or `p`, found none");
    assert_eq!(said(&[(4, "...")]), "board row 5: expected 12 squares, found 3");
    assert_eq!(said(&[(4, "...q........")]), "board row 5, column 4: expected one of `.BPXYGTSNbpxygtsn`, found `q`");
}

#[test]
fn the_same_board_is_another_one_where_the_other_side_is_to_move() {
    let start = Heirs::start(());
    assert!(start.same_placement(&start.clone()));
    assert!(!start.same_placement(&start.clone().with_side_to_move(Side::Black)));
}
