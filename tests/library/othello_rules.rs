//! The laws of Othello on both boards: known perft figures, a plain twin, symmetries, and the texts of Duo-Othello.

use std::ops::RangeInclusive;
use std::str::FromStr;

use proptest::prelude::*;
use referee_games::othello::{ClassicOthello, DuoOthello, Grid, Othello, Square};
use referee_games::protocol::{InputPurpose, Refusal, Texts, TimeLeft, Tolerance};
use referee_games::{BoardDraw, BoardSquare, BoardWin, Ending, Position, Side, SquareBoard, Status, perft};
use referee_time::CpuTime;

/// The example of the handout: `O` has opened with `i8`.
const EXAMPLE_INPUT: &str = include_str!("data/othello-input.txt");

// Perft.

/// Counts what the table has of these depths.
fn assert_perft(depths: RangeInclusive<u32>) {
    for line in include_str!("data/othello-perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let [board, depth, count] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("not a perft line: {line}") };
        let depth = depth.parse().unwrap();
        if !depths.contains(&depth) {
            continue;
        }
        let counted = match board {
            "classic" => perft(&ClassicOthello::start(()), depth),
            "duo" => perft(&DuoOthello::start(()), depth),
            _ => panic!("not a board: {board}"),
        };
        assert_eq!(counted, u64::from_str(count).unwrap(), "{line}");
    }
}

#[test]
fn perft_counts_what_is_known() {
    assert_perft(1..=8);
}

#[test]
#[ignore = "long: counts tens of millions of games"]
fn perft_counts_what_is_known_to_the_greatest_depth() {
    assert_perft(9..=10);
}

#[test]
fn the_twin_counts_the_same() {
    assert_eq!(Twin::of(&ClassicOthello::start(())).perft(5), 1396);
    assert_eq!(Twin::of(&DuoOthello::start(())).perft(5), 20_408);
}

#[test]
fn moves_are_listed_from_the_first_row_on() {
    assert_eq!(DuoOthello::start(()).moves(), squares("c2 b3 e4 d5 i8 h9 k10 j11"));
}

// The plain twin.

/// Othello told in the plainest way: an array of letters, and walks along rays.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Twin {
    rows: Vec<Vec<u8>>,
    side: Side,
}

const DIRECTIONS: [(isize, isize); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn letter(side: Side) -> u8 {
    match side {
        Side::Black => b'X',
        Side::White => b'O',
    }
}

impl Twin {
    fn of<P: Position>(position: &P) -> Self {
        Self { rows: position.rows().into_iter().map(String::into_bytes).collect(), side: position.side_to_move() }
    }

    fn at(&self, row: isize, column: isize) -> Option<u8> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// The disks that a disk of the side to move on this square flips.
    fn flips(&self, row: isize, column: isize) -> Vec<(isize, isize)> {
        let mut flips = Vec::new();
        if self.at(row, column) != Some(b'.') {
            return flips;
        }
        for (down, right) in DIRECTIONS {
            let ray: Vec<_> = (1..).map(|n| (row + n * down, column + n * right)).take(12).collect();
            let opponents = ray
                .iter()
                .take_while(|&&(row, column)| self.at(row, column) == Some(letter(self.side.other())))
                .count();
            if ray.get(opponents).and_then(|&(row, column)| self.at(row, column)) == Some(letter(self.side)) {
                flips.extend(&ray[..opponents]);
            }
        }
        flips
    }

    fn moves(&self) -> Vec<(isize, isize)> {
        let size = self.rows.len().cast_signed();
        (0..size)
            .flat_map(|row| (0..size).map(move |column| (row, column)))
            .filter(|&(row, column)| !self.flips(row, column).is_empty())
            .collect()
    }

    fn play(&self, row: isize, column: isize) -> Self {
        let mut next = self.clone();
        for (row, column) in self.flips(row, column).into_iter().chain([(row, column)]) {
            next.rows[row.cast_unsigned()][column.cast_unsigned()] = letter(self.side);
        }
        next.pass()
    }

    fn pass(&self) -> Self {
        Self { rows: self.rows.clone(), side: self.side.other() }
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if moves.is_empty() {
            // Whether the game is over does not matter: if so, both sides pass for ever, which is one sequence.
            return self.pass().perft(depth - 1);
        }
        moves.into_iter().map(|(row, column)| self.play(row, column).perft(depth - 1)).sum()
    }
}

fn coordinates<B: SquareBoard>(square: BoardSquare<B>) -> (isize, isize) {
    (isize::from(square.row()), isize::from(square.column()))
}

fn squares(names: &str) -> Vec<Square> {
    names.split(' ').map(|name| Square::read(name.as_bytes()).unwrap()).collect()
}

/// The positions of a game from the start, in which each choice is the next number of `choices`; passes are played.
fn playout<P: Position<Rules = ()>>(choices: &[usize]) -> Vec<P> {
    let mut positions = vec![P::start(())];
    for choice in choices {
        let mut next = positions[positions.len() - 1].clone();
        match next.status() {
            Status::ToMove => next.play_unchecked(next.moves()[choice % next.moves().len()]),
            Status::MustPass => next.pass(),
            Status::Over(_) => break,
        }
        positions.push(next);
    }
    positions
}

fn choices() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..1000_usize, 160)
}

/// A board of any disks whatever: lines of all lengths up to the longest, and boards that no game reaches.
fn any_board(width: usize) -> impl Strategy<Value = (Vec<String>, Side)> {
    let row = prop::collection::vec(prop::sample::select(b"..XXXXOOOO".as_slice()), width)
        .prop_map(|row| String::from_utf8(row).unwrap());
    let side = prop::sample::select(Side::BOTH.as_slice());
    (prop::collection::vec(row, width), side)
}

fn drawn<P: Position<Rules = ()>>(rows: &[String], side: Side) -> P {
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    P::from_rows(&rows, side, ()).unwrap()
}

/// The generator and the twin agree on everything that there is to say about `position`.
fn agrees_with_the_twin<G: Grid, const WORDS: usize>(position: &Othello<G, WORDS>) -> Result<(), TestCaseError> {
    let twin = Twin::of(position);
    let moves = position.moves();
    prop_assert_eq!(moves.iter().copied().map(coordinates).collect::<Vec<_>>(), twin.moves());
    prop_assert_eq!(position.count_moves(), moves.len() as u64);
    let status = position.status();
    prop_assert_eq!(status == Status::ToMove, !moves.is_empty());
    prop_assert_eq!(status == Status::MustPass, moves.is_empty() && !twin.pass().moves().is_empty());
    for mv in moves {
        let (row, column) = coordinates(mv);
        let next = position.after(mv);
        prop_assert_eq!(Twin::of(&next), twin.play(row, column));
        prop_assert_eq!(position.flips(mv).count() as usize, twin.flips(row, column).len());
        // What is carried along must be what is found when the board is looked at afresh.
        prop_assert_eq!(&drawn::<Othello<G, WORDS>>(&next.rows(), next.side_to_move()), &next);
    }
    let mut passed = position.clone();
    passed.pass();
    prop_assert_eq!(Twin::of(&passed), twin.pass());
    prop_assert!(passed.same_placement(position));
    prop_assert_eq!(passed, position.clone().with_side_to_move(position.side_to_move().other()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_twin_agrees_in_every_game(choices in choices()) {
        for position in playout::<ClassicOthello>(&choices) {
            agrees_with_the_twin(&position)?;
        }
        for position in playout::<DuoOthello>(&choices).iter().step_by(3) {
            agrees_with_the_twin(position)?;
        }
    }
}

proptest! {
    #[test]
    fn the_twin_agrees_on_any_classic_board((rows, side) in any_board(8)) {
        agrees_with_the_twin(&drawn::<ClassicOthello>(&rows, side))?;
    }

    #[test]
    fn the_twin_agrees_on_any_duo_board((rows, side) in any_board(12)) {
        agrees_with_the_twin(&drawn::<DuoOthello>(&rows, side))?;
    }

    #[test]
    fn an_illegal_move_never_panics((rows, side) in any_board(12), column in 0..12_u8, row in 0..12_u8) {
        let square = Square::new(column, row).unwrap();
        drawn::<DuoOthello>(&rows, side).play_unchecked(square);
        let small: Vec<String> = rows[..8].iter().map(|row| row[..8].to_owned()).collect();
        let mut classic = drawn::<ClassicOthello>(&small, side);
        if let Some(square) = BoardSquare::new(column, row) {
            classic.play_unchecked(square);
        }
    }
}

#[test]
fn lines_of_every_length_are_closed_in_every_direction() {
    let mut closed = 0;
    for (row, column) in (0..12).flat_map(|row| (0..12).map(move |column| (row, column))) {
        for (down, right) in DIRECTIONS {
            for between in 1..=10 {
                let mut twin = Twin::of(&blocked::<DuoOthello>(12, 0, 0));
                let disks = (1..=between).map(|n| (n, b'X')).chain([(between + 1, b'O')]);
                let fits = disks.into_iter().all(|(n, letter)| {
                    let (row, column) = (row + n * down, column + n * right);
                    let fits = twin.at(row, column).is_some();
                    if fits {
                        twin.rows[row.cast_unsigned()][column.cast_unsigned()] = letter;
                    }
                    fits
                });
                if fits {
                    let rows: Vec<&[u8]> = twin.rows.iter().map(Vec::as_slice).collect();
                    agrees_with_the_twin(&DuoOthello::from_rows(&rows, Side::White, ()).unwrap()).unwrap();
                    closed += 1;
                }
            }
        }
    }
    // Along a row of 12 there are 11 - n places for n disks between two squares; on a diagonal that many squared.
    let along: usize = (1..=10).map(|n| 4 * 12 * (11 - n) + 4 * (11 - n) * (11 - n)).sum();
    assert_eq!(closed, along);
}

// Symmetries.

/// A way to turn a board of `size` rows, by what becomes of a column and a row.
type Turn = fn(size: usize, column: usize, row: usize) -> (usize, usize);

const TURNS: [(&str, Turn); 4] = [
    ("transposed", |_, column, row| (row, column)),
    ("by half a turn", |size, column, row| (size - 1 - column, size - 1 - row)),
    ("by a quarter", |size, column, row| (size - 1 - row, column)),
    ("left to right", |size, column, row| (size - 1 - column, row)),
];

fn turned_square(size: usize, square: Square, turn: Turn) -> Square {
    let (column, row) = turn(size, usize::from(square.column()), usize::from(square.row()));
    Square::new(u8::try_from(column).unwrap(), u8::try_from(row).unwrap()).unwrap()
}

fn turned<P: Position<Rules = ()>>(position: &P, turn: Turn) -> P {
    let rows = position.rows();
    let mut turned = vec![vec![b'.'; rows.len()]; rows.len()];
    for (row, letters) in rows.iter().enumerate() {
        for (column, letter) in letters.bytes().enumerate() {
            let (to_column, to_row) = turn(rows.len(), column, row);
            turned[to_row][to_column] = letter;
        }
    }
    let rows: Vec<&[u8]> = turned.iter().map(Vec::as_slice).collect();
    P::from_rows(&rows, position.side_to_move(), ()).unwrap()
}

/// The same board with all disks turned over and the other side to move.
fn recoloured<P: Position<Rules = ()>>(position: &P) -> P {
    let swap = |letter| match letter {
        'X' => 'O',
        'O' => 'X',
        _ => letter,
    };
    let rows: Vec<String> = position.rows().iter().map(|row| row.chars().map(swap).collect()).collect();
    drawn(&rows, position.side_to_move().other())
}

proptest! {
    #[test]
    fn the_turned_board_has_the_turned_moves((rows, side) in any_board(12)) {
        let position: DuoOthello = drawn(&rows, side);
        for (name, turn) in TURNS {
            let mirror = turned(&position, turn);
            let mut moves: Vec<Square> = position.moves().iter().map(|&mv| turned_square(12, mv, turn)).collect();
            moves.sort();
            prop_assert_eq!(&moves, &mirror.moves(), "{}", name);
            for mv in position.moves() {
                let played = mirror.after(turned_square(12, mv, turn));
                prop_assert_eq!(turned(&position.after(mv), turn), played, "{}", name);
            }
        }
    }

    #[test]
    fn the_colours_move_alike((rows, side) in any_board(12)) {
        let position: DuoOthello = drawn(&rows, side);
        prop_assert_eq!(position.moves(), recoloured(&position).moves());
    }
}

#[test]
fn the_start_is_the_same_transposed_and_by_half_a_turn() {
    let start = DuoOthello::start(());
    for (name, turn) in &TURNS[..2] {
        assert_eq!(turned(&start, *turn), start, "{name}");
    }
}

// The end of a game.

#[test]
fn the_short_game_ends_after_four_moves() {
    let mut game = DuoOthello::start(());
    for (mv, side) in squares("c2 k9 d5 i11").into_iter().zip([Side::White, Side::Black].into_iter().cycle()) {
        assert_eq!((game.status(), game.side_to_move()), (Status::ToMove, side));
        assert!(game.makes_progress(mv));
        game = game.after(mv);
    }
    let disks = Side::BOTH.map(|side| game.disks(side).count());
    assert_eq!(disks, [6, 6]);
    let by = BoardWin::HigherScore { winner: 7.into(), loser: 6.into() };
    assert_eq!(game.status(), Status::Over(Ending::Won { winner: Side::Black, by }));
}

/// A board on which nobody can move, with so many disks of either side in its first two rows.
fn blocked<P: Position<Rules = ()>>(size: usize, black: usize, white: usize) -> P {
    let mut rows = vec![".".repeat(size); size];
    rows[0] = format!("{}{}", "X".repeat(black), ".".repeat(size - black));
    rows[size - 1] = format!("{}{}", "O".repeat(white), ".".repeat(size - white));
    drawn(&rows, Side::White)
}

#[test]
fn the_higher_score_wins_and_black_has_a_bonus_on_the_large_board_only() {
    let won = |winner, by_winner: u32, by_loser: u32| {
        let by = BoardWin::HigherScore { winner: by_winner.into(), loser: by_loser.into() };
        Status::Over(Ending::Won { winner, by })
    };
    let level = |each: u32| Status::Over(Ending::Drawn(BoardDraw::EqualScores { each: each.into() }));
    assert_eq!(blocked::<DuoOthello>(12, 3, 3).status(), won(Side::Black, 4, 3));
    assert_eq!(blocked::<DuoOthello>(12, 3, 4).status(), level(4));
    assert_eq!(blocked::<DuoOthello>(12, 3, 5).status(), won(Side::White, 5, 4));
    assert_eq!(blocked::<DuoOthello>(12, 0, 0).status(), won(Side::Black, 1, 0));
    assert_eq!(blocked::<ClassicOthello>(8, 3, 3).status(), level(3));
    assert_eq!(blocked::<ClassicOthello>(8, 3, 4).status(), won(Side::White, 4, 3));
}

#[test]
fn a_side_without_a_move_passes_and_the_board_stays() {
    let mut rows = vec![".".repeat(12); 12];
    rows[5] = "XO..........".to_owned();
    let stuck: DuoOthello = drawn(&rows, Side::White);
    assert_eq!((stuck.status(), stuck.moves()), (Status::MustPass, vec![]));
    let mut passed = stuck.clone();
    passed.pass();
    assert_eq!((passed.rows(), passed.side_to_move()), (rows, Side::Black));
    assert_eq!((passed.status(), passed.moves()), (Status::ToMove, squares("c6")));
}

#[test]
fn a_wrong_drawing_says_where() {
    let fault = |rows: &[&str]| {
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        ClassicOthello::from_rows(&rows, Side::Black, ()).unwrap_err().to_string()
    };
    assert_eq!(fault(&["........"; 7]), "expected 8 board rows, found 7");
    let mut rows = ["........"; 8];
    rows[2] = ".........";
    assert_eq!(fault(&rows), "board row 3: expected 8 squares, found 9");
    rows[2] = "....B...";
    assert_eq!(fault(&rows), "board row 3, column 5: expected one of `.XO`, found `B`");
}

// The texts.

#[test]
fn the_example_is_written_and_read_byte_by_byte() {
    let after_i8 = DuoOthello::start(()).after(Square::read(b"i8").unwrap());
    let time = TimeLeft { own: CpuTime::from_secs(300), opponent: CpuTime::from_millis(286_460) };
    assert_eq!(after_i8.write_input(InputPurpose::Game, time), EXAMPLE_INPUT);
    let input = DuoOthello::read_input(EXAMPLE_INPUT.as_bytes(), ()).unwrap();
    assert_eq!(input.position, after_i8);
    assert_eq!((input.own, input.opponent), (time.own, Some(time.opponent)));
    assert_eq!(input.purpose, InputPurpose::Game);
}

proptest! {
    #[test]
    fn reading_an_input_that_was_written_is_the_identity(
        (rows, side) in any_board(12),
        own in 1..10_000_000_000_u64,
        opponent in 1..10_000_000_000_u64,
    ) {
        let position: DuoOthello = drawn(&rows, side);
        let time = TimeLeft { own: CpuTime::from_micros(own), opponent: CpuTime::from_micros(opponent) };
        let text = position.write_input(InputPurpose::Game, time);
        let input = DuoOthello::read_input(text.as_bytes(), ()).unwrap();
        prop_assert_eq!((input.position, input.own, input.opponent), (position, time.own, Some(time.opponent)));
    }

    #[test]
    fn an_answer_is_accepted_exactly_if_it_is_listed((rows, side) in any_board(12)) {
        let position: DuoOthello = drawn(&rows, side);
        let moves = position.moves();
        for square in (0..12).flat_map(|row| (0..12).filter_map(move |column| Square::new(column, row))) {
            let read = position.read_output(position.write_move(square).as_bytes(), Tolerance::Exact);
            match read {
                Ok(answer) => {
                    prop_assert!(answer.mv == square && answer.warnings.is_empty() && moves.contains(&square));
                }
                Err(Refusal::Illegal(_)) => prop_assert!(!moves.contains(&square)),
                Err(refusal) => prop_assert!(false, "{:?}", refusal),
            }
        }
    }

    #[test]
    fn any_bytes_are_read_into_an_answer_or_a_refusal(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let start = DuoOthello::start(());
        let tolerant = start.read_output(&text, Tolerance::Tolerant);
        let clean = tolerant.as_ref().is_ok_and(|answer| answer.warnings.is_empty());
        prop_assert_eq!(start.read_output(&text, Tolerance::Exact).is_ok(), clean);
        let _ = DuoOthello::read_input(&text, ());
    }

    #[test]
    fn an_exact_reading_accepts_what_a_tolerant_one_does_not_remark_on(
        text in "[ \r\n\t]{0,2}[cC][2-5][ \r\n\t]{0,3}",
    ) {
        let start = DuoOthello::start(());
        let tolerant = start.read_output(text.as_bytes(), Tolerance::Tolerant);
        let clean = tolerant.as_ref().is_ok_and(|answer| answer.warnings.is_empty());
        prop_assert_eq!(start.read_output(text.as_bytes(), Tolerance::Exact).is_ok(), clean);
    }
}
