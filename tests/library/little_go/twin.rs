//! An independent, slow implementation of the rules, from RULES.md section 8: digits on a board, groups walked stone by
//! stone.

use referee_games::little_go::{LittleGo, Move, Point};
use referee_games::{Position, Side};

type Board = Vec<Vec<u8>>;
type At = (usize, usize);

#[derive(Clone, Debug)]
pub(crate) struct Twin {
    pub(crate) previous: Board,
    pub(crate) board: Board,
    side: u8,
    turns: u32,
    last_was_pass: bool,
    is_over: bool,
}

impl Twin {
    pub(crate) fn start() -> Self {
        Self {
            previous: vec![vec![0; 5]; 5],
            board: vec![vec![0; 5]; 5],
            side: 1,
            turns: 0,
            last_was_pass: false,
            is_over: false,
        }
    }

    /// A position in the middle of a game, whose end is far away.
    pub(crate) fn of(previous: &[String], board: &[String], side: Side) -> Self {
        let digits = |rows: &[String]| rows.iter().map(|row| row.bytes().map(|digit| digit - b'0').collect()).collect();
        Self {
            previous: digits(previous),
            board: digits(board),
            side: if side == Side::Black { 1 } else { 2 },
            ..Self::start()
        }
    }

    pub(crate) fn placements(&self) -> Vec<At> {
        if self.is_over {
            return Vec::new();
        }
        all().filter(|&at| self.placed(at).is_some()).collect()
    }

    /// The board after a stone is put there, where that is legal.
    pub(crate) fn placed(&self, (row, column): At) -> Option<Board> {
        if self.board[row][column] != 0 {
            return None;
        }
        let mut board = self.board.clone();
        board[row][column] = self.side;
        let enemy = 3 - self.side;
        let dead: Vec<At> = all().filter(|&at| digit(&board, at) == enemy && !has_liberty(&board, at)).collect();
        for (row, column) in dead {
            board[row][column] = 0;
        }
        (has_liberty(&board, (row, column)) && board != self.previous).then_some(board)
    }

    pub(crate) fn place(&mut self, at: At) {
        let board = self.placed(at).expect("a legal placement");
        self.previous = std::mem::replace(&mut self.board, board);
        self.last_was_pass = false;
        self.end_turn();
    }

    pub(crate) fn pass(&mut self) {
        self.previous = self.board.clone();
        self.is_over = self.last_was_pass;
        self.last_was_pass = true;
        self.end_turn();
    }

    fn end_turn(&mut self) {
        self.turns += 1;
        self.is_over |= self.turns == 24;
        self.side = 3 - self.side;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Stones of black and white, without the komi.
    pub(crate) fn stones(&self) -> [u32; 2] {
        [1, 2].map(|digit| {
            u32::try_from(self.board.iter().flatten().filter(|&&there| there == digit).count()).expect("25")
        })
    }

    pub(crate) fn perft(&self, depth: u32, with_passes: bool) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |at: At| {
            let mut next = self.clone();
            next.place(at);
            next.perft(depth - 1, with_passes)
        };
        let placed: u64 = self.placements().into_iter().map(after).sum();
        if !with_passes || self.is_over {
            return placed;
        }
        let mut passed = self.clone();
        passed.pass();
        placed + passed.perft(depth - 1, with_passes)
    }

    pub(crate) fn rows(board: &Board) -> Vec<String> {
        let row = |row: &Vec<u8>| row.iter().map(|digit| char::from(b'0' + digit)).collect();
        board.iter().map(row).collect()
    }
}

fn has_liberty(board: &Board, at: At) -> bool {
    let mut group = vec![at];
    let mut index = 0;
    while let Some(&stone) = group.get(index) {
        for next in beside(stone) {
            if digit(board, next) == 0 {
                return true;
            }
            if digit(board, next) == digit(board, at) && !group.contains(&next) {
                group.push(next);
            }
        }
        index += 1;
    }
    false
}

fn beside((row, column): At) -> impl Iterator<Item = At> {
    all().filter(move |&(r, c)| r.abs_diff(row) + c.abs_diff(column) == 1)
}

fn digit(board: &Board, (row, column): At) -> u8 {
    board[row][column]
}

pub(crate) fn all() -> impl Iterator<Item = At> {
    (0..5).flat_map(|row| (0..5).map(move |column| (row, column)))
}

pub(crate) fn point((row, column): At) -> Point {
    let narrow = |number: usize| u8::try_from(number).expect("on the board");
    Point::new(narrow(column), narrow(row)).expect("on the board")
}

/// Where the fast rules let a stone be put, in the order of reading.
pub(crate) fn placements(position: &LittleGo) -> Vec<Point> {
    let placed = |mv| match mv {
        Move::Place(point) => Some(point),
        Move::Pass => None,
    };
    position.moves().into_iter().filter_map(placed).collect()
}
