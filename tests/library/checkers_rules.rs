//! The laws of checkers: against published figures, against a slow twin, and against the handout's examples.

use proptest::prelude::*;
use proptest::sample::Index;
use referee_games::checkers::{Checkers, Move, Square};
use referee_games::protocol::{Answer, Input, InputPurpose, Refusal, Texts, TimeLeft, Tolerance};
use referee_games::{BoardWin, Ending, Hop, Play, Position, Side, Status, perft};
use referee_time::CpuTime;

/// The rules once more, as plainly as they can be said: letters on squares, no bits, no sharing of code.
mod twin {
    pub(super) type Square = (i8, i8);
    pub(super) type Board = [[char; 8]; 8];

    /// A whole move: the squares that the piece visits, and the board that it leaves.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) struct AnswerLine {
        pub(super) visited: Vec<Square>,
        pub(super) is_jump: bool,
        pub(super) left: Board,
    }

    pub(super) fn board(rows: &[String]) -> Board {
        let mut board = [['.'; 8]; 8];
        for (row, letters) in rows.iter().enumerate() {
            for (column, letter) in letters.chars().enumerate() {
                board[row][column] = letter;
            }
        }
        board
    }

    pub(super) fn name((row, column): Square) -> String {
        format!("{}{}", char::from(b'a' + u8::try_from(column).unwrap()), 8 - row)
    }

    /// All legal moves of the side whose men are written `man`.
    pub(super) fn moves(board: &Board, man: char) -> Vec<AnswerLine> {
        let mut jumps = Vec::new();
        let mut steps = Vec::new();
        for start in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
            let piece = at(board, start).unwrap();
            if piece.to_ascii_lowercase() != man {
                continue;
            }
            go_on_jumping(board, &[start], piece, &mut jumps);
            for (down, right) in directions(piece) {
                let to = (start.0 + down, start.1 + right);
                if at(board, to) == Some('.') {
                    let mut left = *board;
                    put(&mut left, start, '.');
                    put(&mut left, to, crowned(piece, to));
                    let visited = vec![start, to];
                    steps.push(AnswerLine { visited, is_jump: false, left });
                }
            }
        }
        if jumps.is_empty() { steps } else { jumps }
    }

    fn go_on_jumping(board: &Board, visited: &[Square], piece: char, found: &mut Vec<AnswerLine>) {
        let here = *visited.last().unwrap();
        let mut stuck = true;
        for (down, right) in directions(piece) {
            let over = (here.0 + down, here.1 + right);
            let to = (here.0 + 2 * down, here.1 + 2 * right);
            let is_enemy = at(board, over).is_some_and(|it| it != '.' && !it.eq_ignore_ascii_case(&piece));
            if !is_enemy || at(board, to) != Some('.') {
                continue;
            }
            stuck = false;
            let mut next = *board;
            put(&mut next, here, '.');
            put(&mut next, over, '.');
            put(&mut next, to, crowned(piece, to));
            let path: Vec<Square> = visited.iter().copied().chain([to]).collect();
            if crowned(piece, to) == piece {
                go_on_jumping(&next, &path, piece, found);
            } else {
                found.push(AnswerLine { visited: path, is_jump: true, left: next });
            }
        }
        if stuck && visited.len() > 1 {
            found.push(AnswerLine { visited: visited.to_vec(), is_jump: true, left: *board });
        }
    }

    fn directions(piece: char) -> Vec<(i8, i8)> {
        match piece {
            'b' => vec![(1, -1), (1, 1)],
            'w' => vec![(-1, -1), (-1, 1)],
            _ => vec![(1, -1), (1, 1), (-1, -1), (-1, 1)],
        }
    }

    fn crowned(piece: char, at: Square) -> char {
        match (piece, at.0) {
            ('b', 7) => 'B',
            ('w', 0) => 'W',
            _ => piece,
        }
    }

    fn at(board: &Board, (row, column): Square) -> Option<char> {
        let row = board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    fn put(board: &mut Board, (row, column): Square, letter: char) {
        board[usize::try_from(row).unwrap()][usize::try_from(column).unwrap()] = letter;
    }
}

/// The position of a game whose moves were chosen by `choices`; the last one that is not yet lost.
fn after(choices: &[Index]) -> Checkers {
    let mut position = Checkers::start(());
    for choice in choices {
        let mut next = position.clone();
        next.play_unchecked(*choice.get(&position.moves()));
        if next.count_moves() == 0 {
            break;
        }
        position = next;
    }
    position
}

fn positions_of_games() -> impl Strategy<Value = Checkers> {
    prop::collection::vec(any::<Index>(), 0..120).prop_map(|choices| after(&choices))
}

/// Boards that games hardly reach: any pieces anywhere, many kings.
fn scattered_positions() -> impl Strategy<Value = Checkers> {
    let piece = (0..32_usize, prop::sample::select(vec!['b', 'w', 'B', 'W', 'b', 'w']));
    let side = prop::sample::select(Side::BOTH.to_vec());
    (prop::collection::vec(piece, 0..22), side).prop_map(|(pieces, side)| scattered(&pieces, side))
}

fn scattered(pieces: &[(usize, char)], side: Side) -> Checkers {
    let mut board = [[b'.'; 8]; 8];
    let mut counts = [0; 2];
    for &(place, letter) in pieces {
        let (row, column) = (place / 4, 2 * (place % 4) + (place / 4 + 1) % 2);
        let count = &mut counts[usize::from(letter.eq_ignore_ascii_case(&'w'))];
        if board[row][column] != b'.' || *count == 12 {
            continue;
        }
        *count += 1;
        board[row][column] = match (letter, row) {
            ('b', 7) => b'B',
            ('w', 0) => b'W',
            _ => letter as u8,
        };
    }
    let rows = board.each_ref().map(<[u8; 8]>::as_slice);
    Checkers::from_rows(&rows, side, ()).unwrap()
}

/// Boards for long chains and circles: a king, and enemies on the rows that it can only jump over.
fn positions_for_chains() -> impl Strategy<Value = Checkers> {
    let letters = prop::sample::select(vec![['B', 'w', 'W'], ['W', 'b', 'B']]);
    let king = (0..4_usize, 0..4_usize).prop_map(|(row, column)| (2 * row + 1) * 4 + column);
    let enemies = prop::collection::vec((prop::sample::select(vec![1, 2, 3]), 0..4_usize, any::<bool>()), 3..16);
    (letters, king, enemies).prop_map(|([king_letter, man, other_king], king, enemies)| {
        let enemies =
            enemies.into_iter().map(|(row, column, is_man)| (8 * row + column, if is_man { man } else { other_king }));
        let pieces: Vec<(usize, char)> = std::iter::once((king, king_letter)).chain(enemies).collect();
        let side = if king_letter == 'B' { Side::Black } else { Side::White };
        scattered(&pieces, side)
    })
}

fn positions() -> impl Strategy<Value = Checkers> {
    prop_oneof![positions_of_games(), scattered_positions(), positions_for_chains()]
}

fn twin_moves(position: &Checkers) -> Vec<twin::AnswerLine> {
    let man = match position.side_to_move() {
        Side::Black => 'b',
        Side::White => 'w',
    };
    twin::moves(&twin::board(&position.rows()), man)
}

fn written(line: &twin::AnswerLine) -> String {
    let letter = if line.is_jump { 'J' } else { 'E' };
    let hops = line.visited.windows(2);
    let lines: Vec<String> =
        hops.map(|hop| format!("{letter} {} {}", twin::name(hop[0]), twin::name(hop[1]))).collect();
    lines.join("\n")
}

fn played(position: &Checkers, mv: Move) -> Checkers {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

fn pieces_and_kings(position: &Checkers) -> (usize, usize) {
    let rows = position.rows().concat();
    let kings = rows.chars().filter(char::is_ascii_uppercase).count();
    (rows.chars().filter(|&letter| letter != '.').count(), kings)
}

/// The board turned by half, with the colours exchanged.
fn turned(position: &Checkers) -> Checkers {
    let exchanged = |letter| match letter {
        'b' => 'w',
        'w' => 'b',
        'B' => 'W',
        'W' => 'B',
        other => other,
    };
    let turned_row = |row: &String| row.chars().rev().map(exchanged).collect();
    let rows: Vec<String> = position.rows().iter().rev().map(turned_row).collect();
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    Checkers::from_rows(&rows, position.side_to_move().other(), ()).unwrap()
}

fn turned_text(text: &str) -> String {
    let turned = |letter| match letter {
        'a'..='h' => (b'a' + b'h' - letter as u8) as char,
        '1'..='8' => (b'1' + b'8' - letter as u8) as char,
        other => other,
    };
    text.chars().map(turned).collect()
}

fn texts(position: &Checkers) -> Vec<String> {
    position.moves().into_iter().map(|mv| position.write_move(mv)).collect()
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

proptest! {
    #[test]
    fn the_twin_finds_the_same_moves_and_the_same_boards(position in positions()) {
        let expected: Vec<_> = twin_moves(&position).iter().map(|line| (written(line), line.left)).collect();
        let found: Vec<_> = position
            .moves()
            .into_iter()
            .map(|mv| (position.write_move(mv), twin::board(&played(&position, mv).rows())))
            .collect();
        prop_assert_eq!(position.count_moves(), found.len() as u64);
        prop_assert_eq!(sorted(found), sorted(expected));
    }

    #[test]
    fn a_side_that_cannot_move_has_lost(position in scattered_positions()) {
        let own = if position.side_to_move() == Side::Black { ['b', 'B'] } else { ['w', 'W'] };
        let lost = |by| Status::Over(Ending::Won { winner: position.side_to_move().other(), by });
        let expected = match (position.rows().concat().contains(own), twin_moves(&position).is_empty()) {
            (false, _) => lost(BoardWin::NoPieces),
            (true, true) => lost(BoardWin::NoMoves),
            (true, false) => Status::ToMove,
        };
        prop_assert_eq!(position.status(), expected);
    }

    #[test]
    fn the_mirrored_board_has_the_mirrored_moves(position in positions()) {
        let mirrored = texts(&position).iter().map(|text| turned_text(text)).collect();
        prop_assert_eq!(sorted(texts(&turned(&position))), sorted(mirrored));
        for mv in position.moves() {
            let text = turned_text(&position.write_move(mv));
            let mirrored = turned(&position).read_output(text.as_bytes(), Tolerance::Exact);
            prop_assert_eq!(played(&turned(&position), mirrored.unwrap().mv), turned(&played(&position, mv)));
        }
    }

    #[test]
    fn what_a_move_leaves_is_a_board_again(position in positions()) {
        for mv in position.moves() {
            let next = played(&position, mv);
            let rows = next.rows();
            let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
            prop_assert_eq!(Checkers::from_rows(&rows, position.side_to_move().other(), ()), Ok(next.clone()));
            prop_assert_eq!(position.makes_progress(mv), pieces_and_kings(&next) != pieces_and_kings(&position));
            prop_assert_eq!(mv.captures() as usize, pieces_and_kings(&position).0 - pieces_and_kings(&next).0);
            prop_assert_eq!(position.same_placement(&next), position.rows() == next.rows());
            prop_assert!(next.same_placement(&next.clone().with_side_to_move(position.side_to_move())));
        }
    }

    #[test]
    fn reading_what_was_written_is_the_identity(position in positions(), own in 1..u64::from(u32::MAX), single: bool) {
        let purpose = if single { InputPurpose::Single } else { InputPurpose::Game };
        let own = CpuTime::from_micros(own);
        let input = position.write_input(purpose, TimeLeft { own, opponent: CpuTime::ZERO });
        let read = Input { purpose, position: position.clone(), own, opponent: None };
        prop_assert_eq!(Checkers::read_input(input.as_bytes(), ()), Ok(read));
        for mv in position.moves() {
            for tolerance in [Tolerance::Exact, Tolerance::Tolerant] {
                let written = position.write_move(mv);
                let answer = position.read_output(written.as_bytes(), tolerance);
                prop_assert_eq!(answer, Ok(Answer { mv, written, warnings: Vec::new() }));
            }
        }
    }

    #[test]
    fn any_bytes_are_answered(position in positions(), text in "[EJej a-h1-8xé\u{202e}\t\n\r]{0,40}") {
        if let Err(Refusal::Format(finding) | Refusal::Illegal(finding)) =
            position.read_output(text.as_bytes(), Tolerance::Tolerant)
        {
            let is_harmless = !finding.to_string().contains(['\n', '\u{202e}']);
            prop_assert!(is_harmless, "{}", finding);
        }
    }
}

fn square(index: usize) -> Square {
    let narrow = |number: usize| u8::try_from(number).unwrap();
    Square::new(narrow(index % 8), narrow(index / 8)).unwrap()
}

fn play_of(letter_is_jump: bool, hops: Vec<Hop<Square>>) -> Play<Square> {
    match (letter_is_jump, hops.as_slice()) {
        (false, [hop]) => Play::Step(*hop),
        _ => Play::Jumps(hops),
    }
}

/// A legal move as a claim.
fn claimed(mv: Move) -> Play<Square> {
    play_of(mv.is_jump(), mv.hops().collect())
}

/// A legal move with something done to it, which may leave it legal.
fn bent(play: &Play<Square>, how: usize, at: Index, other: Square) -> Play<Square> {
    let is_jump = matches!(play, Play::Jumps(_));
    let mut hops = play.hops().to_vec();
    let hop = at.index(hops.len());
    match how {
        0 => hops.truncate(hop),
        1 => return play_of(!is_jump, hops),
        2 => hops[hop].to = other,
        3 => hops[hop].from = other,
        4 => hops.push(Hop { from: hops[hop].to, to: other }),
        5 => hops.reverse(),
        6 => hops.push(hops[hop]),
        _ => {}
    }
    play_of(is_jump, hops)
}

proptest! {
    #[test]
    fn a_claim_is_accepted_exactly_if_it_is_listed(
        position in positions(),
        random in prop::collection::vec((any::<bool>(), prop::collection::vec((0..64_usize, 0..64_usize), 1..3)), 20),
        bends in prop::collection::vec((any::<Index>(), 0..8_usize, any::<Index>(), 0..64_usize), 60),
    ) {
        let listed: Vec<(Play<Square>, Move)> = position.moves().into_iter().map(|mv| (claimed(mv), mv)).collect();
        let random = random.into_iter().map(|(is_jump, hops)| {
            play_of(is_jump, hops.into_iter().map(|(from, to)| Hop { from: square(from), to: square(to) }).collect())
        });
        let bends = bends.into_iter().filter(|_| !listed.is_empty()).map(|(which, how, at, other)| {
            bent(&which.get(&listed).0, how, at, square(other))
        });
        for claim in random.chain(bends) {
            let expected = listed.iter().find(|(play, _)| *play == claim).map(|&(_, mv)| mv);
            prop_assert_eq!(position.judge(&claim).ok(), expected, "{:?}", claim);
        }
    }

    #[test]
    fn every_hop_from_every_square_is_judged(position in positions()) {
        let listed: Vec<Play<Square>> = position.moves().into_iter().map(claimed).collect();
        for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (square(from), square(to)))) {
            for claim in [Play::Step(Hop { from, to }), Play::Jumps(vec![Hop { from, to }])] {
                prop_assert_eq!(position.judge(&claim).is_ok(), listed.contains(&claim), "{:?}", claim);
            }
        }
    }
}

#[test]
fn perft_agrees_with_the_published_figures() {
    let table = include_str!("data/checkers-perft.txt");
    let figures = table.lines().filter(|line| !line.starts_with('#'));
    let start = Checkers::start(());
    let mut checked = 0;
    for line in figures {
        let (depth, nodes) = line.split_once(' ').unwrap();
        assert_eq!(perft(&start, depth.parse().unwrap()).to_string(), nodes, "depth {depth}");
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn a_chain_without_a_jump_is_refused() {
    let illegal = Checkers::start(()).judge(&Play::Jumps(Vec::new())).unwrap_err();
    assert_eq!((illegal.hop, illegal.reason.code), (0, "no-jumps"));
    assert_eq!(illegal.reason.to_string(), "a chain has at least one jump");
}
