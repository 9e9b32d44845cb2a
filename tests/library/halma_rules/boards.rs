//! Boards of the handout and scrambled ones, and the operations on them.

use proptest::prelude::*;
use referee_games::halma::{Halma, Rules, Square};
use referee_games::{Ending, Position, Side, Status};

pub(crate) type Rows = [&'static str; 16];

pub(crate) const START: Rows = [
    "BBBBB...........",
    "BBBBB...........",
    "BBBB............",
    "BBB.............",
    "BB..............",
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

pub(crate) const WHITE_STEPS: Rows = [
    "WWWWW...........",
    "WWWWW...........",
    "WWW.............",
    "WWW.W...........",
    "WW..............",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "..........B...BB",
    ".............BBB",
    ".............BBB",
    "...........BBBBB",
    "...........BBBBB",
];

pub(crate) const WHITE_JUMPS: Rows = [
    "WWWWW...........",
    "WW.WW...........",
    "WWWW............",
    "WWW.W...........",
    "WW..............",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "............B.BB",
    "...........B.BBB",
    ".............B.B",
    "...........BBBBB",
    "...........BBBBB",
];

pub(crate) const BLACK_CHAINS: Rows = [
    "WWWWW...........",
    "W.W.W...........",
    "WWW.............",
    "WW...W..........",
    "WW....W.........",
    "................",
    "................",
    ".......W........",
    "................",
    ".........BW.....",
    "...........B....",
    "..............BB",
    "............BBBB",
    "............B.BB",
    ".............BBB",
    "...........BBBBB",
];

/// The handout's boards, with one correct answer each.
pub(crate) const EXAMPLES: [(Side, Rows, &str); 5] = [
    (Side::White, START, "E 11,15 10,15\n"),
    (Side::White, START, "J 12,15 10,13\n"),
    (Side::White, WHITE_STEPS, "E 4,3 3,2\n"),
    (Side::White, WHITE_JUMPS, "J 4,3 2,1\n"),
    (Side::Black, BLACK_CHAINS, "J 9,9 11,9\nJ 11,9 11,11\nJ 11,11 13,13\n"),
];

pub(crate) fn position(rows: &Rows, side: Side, rules: Rules) -> Halma {
    let rows = rows.map(str::as_bytes);
    Halma::from_rows(&rows, side, rules).expect("a board of halma")
}

pub(crate) fn square(x: u8, y: u8) -> Square {
    Square::new(x, y).expect("within 16x16")
}

/// The board turned by half a turn, with the colours and the turn swapped.
pub(crate) fn reflected(position: &Halma) -> Halma {
    let other = |letter| match letter {
        b'B' => b'W',
        b'W' => b'B',
        empty => empty,
    };
    let turned = |row: &String| row.bytes().rev().map(other).collect::<Vec<_>>();
    let rows: Vec<_> = position.rows().iter().rev().map(turned).collect();
    let rows: Vec<_> = rows.iter().map(Vec::as_slice).collect();
    Halma::from_rows(&rows, position.side_to_move().other(), position.rules()).expect("as legal as it was")
}

pub(crate) fn colours_swapped(status: Status) -> Status {
    match status {
        Status::Over(Ending::Won { winner, by }) => Status::Over(Ending::Won { winner: winner.other(), by }),
        same @ (Status::ToMove | Status::MustPass | Status::Over(Ending::Drawn(_))) => same,
    }
}

pub(crate) fn redrawn(position: &Halma) -> Halma {
    let rows = position.rows();
    let rows: Vec<_> = rows.iter().map(String::as_bytes).collect();
    Halma::from_rows(&rows, position.side_to_move(), position.rules()).expect("a board as it was drawn")
}

prop_compose! {
    /// Up to 19 pieces of each side, most of them in and around the camps, where the rules are.
    pub(crate) fn scrambled()(
        black in pieces(),
        white in pieces(),
        black_to_move in any::<bool>(),
        original in any::<bool>(),
    ) -> Halma {
        let mut board = [[b'.'; 16]; 16];
        for (&(x, y), letter) in white.iter().map(|at| (at, b'W')).chain(black.iter().map(|at| (at, b'B'))) {
            board[usize::from(y)][usize::from(x)] = letter;
        }
        // Black, placed last, may have taken all the squares of white.
        if !board.as_flattened().contains(&b'W') {
            let free = board.as_flattened().iter().position(|&letter| letter == b'.').expect("19 pieces at most");
            board.as_flattened_mut()[free] = b'W';
        }
        let side = if black_to_move { Side::Black } else { Side::White };
        let rules = if original { Rules::Original } else { Rules::Addendum };
        let rows = board.each_ref().map(<[u8; 16]>::as_slice);
        Halma::from_rows(&rows, side, rules).expect("a board of halma")
    }
}

fn pieces() -> impl Strategy<Value = Vec<(u8, u8)>> {
    let piece = prop_oneof![
        4 => (0_u8..6, 0_u8..6),
        4 => (10_u8..16, 10_u8..16),
        2 => (0_u8..16, 0_u8..16),
    ];
    prop::collection::vec(piece, 1..=19)
}
