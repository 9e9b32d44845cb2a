//! A person at a terminal: shows the board, prompts and reads moves. Rules and clocks are in
//! [`referee_matches::human`];
//! `cli/play` calls it.
//!
//! It also works when moves come from a file or a program, one per line: then nothing is animated or coloured, and
//! input is echoed after its prompt, so that the output is a readable transcript.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

use super::terminal::{Stream, Terminal};
use referee_games::protocol::quote;
use referee_games::{GameRef, Side, State, moved_squares};
use referee_matches::human::{PersonAnswer, PersonInterface, TypedMove, TypedMoveError};
use referee_matches::referee::GameSnapshot;
use referee_messages::{COLUMNS, LastMove, NO_BREAK, SideNames, board_words, clock, draw_board_for, plain, wrap};
use referee_records::{Conditions, PerSide, PersonClock, TurnRecord};

/// A person at a terminal in one game.
#[derive(Debug)]
pub struct TerminalPrompt<'a> {
    lines: &'a Receiver<String>,
    words: Words,
}

/// Reports a game between a person and an agent on standard output.
#[derive(Debug)]
pub struct GameNarrator {
    words: Words,
    /// The number of turns reported.
    known: usize,
    /// The board after them.
    rows: Vec<String>,
    thinking: Option<ProgressBar>,
}

/// Words one game on standard output.
#[derive(Clone, Debug)]
struct Words {
    game: GameRef,
    names: SideNames,
    own: Side,
    clock: PersonClock,
    is_interactive: bool,
    /// What the last turns did to the board, to show it again.
    seen: Arc<Mutex<ShownPosition>>,
}

#[derive(Debug, Default)]
struct ShownPosition {
    last: LastMove,
    /// The letters of the pieces that each side has captured, in their order.
    captured: PerSide<String>,
}

/// What a person may type besides moves.
const COMMANDS: [&str; 4] = [
    "board          show the board again",
    "resign         resign: the game is recorded as lost",
    "quit           leave: the game is not recorded",
    "help           this",
];

/// The delay before the display shows that the agent is thinking.
const THINKING_TICK: Duration = Duration::from_millis(100);

/// The person who types `lines` and plays `own` in a game of `game`, and the reporter of the game on standard output.
pub fn seat(
    lines: &Receiver<String>,
    game: GameRef,
    names: SideNames,
    own: Side,
    clock: PersonClock,
) -> (TerminalPrompt<'_>, GameNarrator) {
    let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
    let words = Words { game, names, own, clock, is_interactive, seen: Arc::default() };
    let narrator = GameNarrator { words: words.clone(), known: 0, rows: Vec::new(), thinking: None };
    (TerminalPrompt { lines, words }, narrator)
}

impl GameNarrator {
    /// Prints the introduction before the first turn of a game under these conditions.
    pub fn introduce(&self, conditions: &Conditions) {
        let Words { game, names, own, clock, .. } = &self.words;
        let time = conditions.play_time.of(*own);
        let clock = match clock {
            PersonClock::WallTime => {
                format!("you have {time} s of wall-clock time, the agent {time} s of CPU time")
            }
            PersonClock::NoClock => format!("you have no clock, the agent {time} s of CPU time"),
        };
        let limit = conditions.move_time.map(|limit| format!(", at most {limit} s for each move")).unwrap_or_default();
        let (own, other) = (names.side(*own), names.side(own.other()));
        say(&format!("{game}: {own} against {other}\n{clock}{limit}"));
        say("type a move, `?` to list the legal moves, `help` for help");
    }

    /// Reports the new turns, and shows the board if the person is to move.
    pub fn see(&mut self, snapshot: &GameSnapshot, turns: &[TurnRecord]) {
        if let Some(bar) = self.thinking.take() {
            bar.finish_and_clear();
        }
        let new = turns.get(self.known..).unwrap_or_default();
        let played = new.iter().rev().find_map(|turn| Some((turn.side(), turn.mv()?)));
        let rows = snapshot.rows();
        if let Some((side, mv)) = played {
            let last = LastMove::of(self.words.game, &self.rows, &rows, mv);
            self.words.see(|seen| {
                let letters = last.captured().iter().map(|piece| piece.shown);
                seen.captured.of_mut(side).extend(letters);
                seen.last = last;
            });
        }
        self.words.follow(snapshot, new);
        self.known = turns.len();
        self.rows = rows;
        if snapshot.at_work == Some(self.words.own.other()) {
            self.thinking = Some(self.words.thinking());
        }
    }
}

impl PersonInterface for TerminalPrompt<'_> {
    fn ask(&mut self, asked: &State, until: Option<Instant>) -> PersonAnswer {
        loop {
            self.words.prompt(until);
            let line = match until {
                None => self.lines.recv().map_err(RecvTimeoutError::from),
                Some(until) => self.lines.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            let line = match line {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    say("\nyour time is up");
                    return PersonAnswer::Late;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    say("");
                    return PersonAnswer::Gone;
                }
            };
            if !self.words.is_interactive {
                say(&plain(&line));
            }
            if let Some(answer) = self.words.take(asked, line.trim()) {
                return answer;
            }
        }
    }
}

impl Words {
    fn see<T>(&self, see: impl FnOnce(&mut ShownPosition) -> T) -> T {
        see(&mut self.seen.lock())
    }

    fn follow(&self, snapshot: &GameSnapshot, turns: &[TurnRecord]) {
        for turn in turns {
            if let Some(line) = self.turn_line(turn) {
                say(&line);
            }
        }
        if snapshot.at_work == Some(self.own) || snapshot.at_work.is_none() {
            self.show(&snapshot.rows(), &snapshot.notes);
            say(&self.clocks(snapshot));
        }
    }

    /// Shows a spinner on a terminal until it is cleared.
    fn thinking(&self) -> ProgressBar {
        let target = if self.is_interactive { ProgressDrawTarget::stdout() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg} {elapsed}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        bar.set_message(format!("{} is thinking", self.names.side(self.own.other())));
        bar.enable_steady_tick(THINKING_TICK);
        bar
    }

    /// One turn in words; of the person's own turns only passes.
    fn turn_line(&self, turn: &TurnRecord) -> Option<String> {
        let side = turn.side();
        let name = self.names.side(side);
        match turn {
            TurnRecord::Pass { .. } => Some(format!("{name} has no legal move and passes")),
            TurnRecord::Run { .. } if side == self.own => None,
            TurnRecord::Run { mv: Some(mv), charged, .. } => {
                Some(format!("{name} plays {} ({} s)", board_words(mv), clock(*charged)))
            }
            TurnRecord::Run { mv: None, .. } => None,
        }
    }

    /// Shows the board with the marks of the last turn, and the captured pieces.
    fn show(&self, rows: &[String], notes: &str) {
        let look = Terminal::of(Stream::Stdout).look();
        let board = self.see(|seen| draw_board_for(Some(self.own), self.game, rows, &seen.last, look));
        // The board's lines are already fitted, including colours.
        drop(writeln!(io::stdout().lock(), "\n{}\n", board.join("\n")));
        if !notes.is_empty() {
            say(notes);
        }
        if let Some(line) = self.see(|seen| self.captured_line(&seen.captured)) {
            say(&line);
        }
    }

    /// The captured pieces by their letters; `None` before the first.
    fn captured_line(&self, captured: &PerSide<String>) -> Option<String> {
        let by = |side: Side| {
            let letters: Vec<String> = captured.of(side).chars().map(String::from).collect();
            (!letters.is_empty()).then(|| format!("captured by {}: {}", self.names.side(side), letters.join(" ")))
        };
        let lines: Vec<String> = Side::BOTH.into_iter().filter_map(by).collect();
        (!lines.is_empty()).then(|| lines.join("   "))
    }

    fn clocks(&self, snapshot: &GameSnapshot) -> String {
        let side = |side: Side| {
            let left = match (self.clock, side == self.own) {
                (PersonClock::NoClock, true) => "no clock".to_owned(),
                (PersonClock::NoClock | PersonClock::WallTime, _) => {
                    format!("{} s left", clock(*snapshot.clocks.of(side)))
                }
            };
            format!("{}: {left}", self.names.side(side))
        };
        Side::BOTH.map(side).join("   ")
    }

    fn prompt(&self, until: Option<Instant>) {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.map_or(String::new(), |left| format!(", {:.0} s", left.as_secs_f64().ceil()));
        let mut out = io::stdout().lock();
        drop(write!(out, "{}{left}> ", self.names.side(self.own)).and_then(|()| out.flush()));
    }

    /// The result of a typed line; `None` to ask again.
    fn take(&self, asked: &State, line: &str) -> Option<PersonAnswer> {
        match line.to_lowercase().as_str() {
            "" => {}
            "resign" => return Some(PersonAnswer::Resigned),
            "quit" | "exit" => return Some(PersonAnswer::Gone),
            "help" => {
                say(&help_on_moves(asked));
                for line in COMMANDS {
                    say(&format!("  {line}"));
                }
            }
            "board" => self.show(&asked.rows(), &asked.notes()),
            command if command.starts_with('?') => list(asked, command.trim_start_matches('?').trim()),
            _ => match TypedMove::read(asked, line) {
                TypedMove::Answer(answer) => {
                    // The person typed the whole move, so it is not repeated.
                    let written = board_words(&answer);
                    if !written.eq_ignore_ascii_case(line) {
                        say(&format!("{} plays {written}", self.names.side(self.own)));
                    }
                    return Some(PersonAnswer::Answer(answer));
                }
                TypedMove::Misread(TypedMoveError::Several(moves)) => {
                    say(&format!("several moves begin with {}:", quote(line.as_bytes())));
                    print_moves(&moves);
                }
                TypedMove::Misread(TypedMoveError::Wrong(reason)) => say(&plain(&reason)),
            },
        }
        None
    }
}

/// What to type as a move, by a legal one.
fn help_on_moves(asked: &State) -> String {
    let moves = TypedMove::all(asked);
    let Some(example) = moves.iter().find(|mv| mv.contains(' ')).or(moves.first()) else {
        return String::new();
    };
    let squares = moved_squares(example);
    let (Some(first), true) = (squares.first(), squares.len() > 1) else {
        return format!("  a move         such as `{example}`\n  ?              list the legal moves");
    };
    format!(
        "  a move         its squares, such as `{}`, as many as needed\n  \
         ?              list the legal moves; `? {first}` those of the piece on `{first}`",
        squares.join(" "),
    )
}

/// Lists the legal moves that begin with `squares`.
fn list(asked: &State, squares: &str) {
    let wanted: Vec<String> = TypedMove::all(asked)
        .into_iter()
        .filter(|mv| squares.is_empty() || mv.eq_ignore_ascii_case(squares) || begins(mv, squares))
        .collect();
    if wanted.is_empty() {
        say(&format!("no legal move begins with {}", quote(squares.as_bytes())));
    }
    print_moves(&wanted);
}

/// Whether `mv` begins with `squares`.
fn begins(mv: &str, squares: &str) -> bool {
    mv.to_lowercase().starts_with(&format!("{} ", squares.to_lowercase()))
}

/// Prints moves grouped by piece, one piece per line.
fn print_moves(moves: &[String]) {
    let mut pieces: Vec<(&str, Vec<&str>)> = Vec::new();
    for mv in moves {
        let (piece, way) = mv.split_once(' ').unwrap_or(("", mv));
        match pieces.iter_mut().find(|(known, _)| *known == piece) {
            Some((_, ways)) => ways.push(way),
            None => pieces.push((piece, vec![way])),
        }
    }
    let room = Terminal::of(Stream::Stdout).look().columns.min(COLUMNS);
    for (piece, ways) in pieces {
        let ways: Vec<String> = ways.iter().map(|way| way.replace(' ', NO_BREAK)).collect();
        let indent = format!("  {piece:<5} ");
        let further = " ".repeat(indent.len());
        let lines = wrap(&ways.join(", "), [&indent, &further], room);
        for line in lines {
            say(&line);
        }
    }
}

/// A closed pipe does not end the game: its record counts.
fn say(text: &str) {
    let look = Terminal::of(Stream::Stdout).look();
    let lines: Vec<String> = text.split('\n').flat_map(|line| look.fit(line)).collect();
    drop(writeln!(io::stdout().lock(), "{}", lines.join("\n")));
}
