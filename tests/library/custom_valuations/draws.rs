//! Draws that no position shows: by repetition, idle turns and the turn limit.
//!
//! Each side has one move at a time, so that a game goes on in one way alone, and shows what is certain.

use super::{load, values};
use referee_games::builtin::WIN_VALUE;
use referee_games::{Ending, History, ProvedResult, State, Status};

/// Ten moves to a win, at a board that shows how many there have been, or only every few.
const RULES: &str = r#"
from referee_rules import Game, to_move, won

LETTERS = "0123456789ABC"

class Walk(Game):
    name, title = "walk", "Walk"
    sides = ("X", "O")
    columns, rows = "a", "1"
    pieces = {letter: {"side": None} for letter in LETTERS}
    goals = {"arrived": "it has arrived"}
    rules = {"other": ("moves", "the move is `go`")}
    DRAWS

    def start(self, side):
        return {"gone": 0, "side": side}

    def moves(self, state):
        return ["go"]

    def play(self, state, move):
        return {"gone": state["gone"] + 1, "side": "O" if state["side"] == "X" else "X"}

    def status(self, state):
        return to_move(state["side"]) if state["gone"] < 10 else won("X", "arrived", state["side"])

    def board(self, state):
        return [LETTERS[state["gone"] % SHOWN]]

    def is_progress(self, state, move):
        return state["gone"] in PROGRESS

    def to_input(self, state, clocks):
        return state["side"] + "\n"

    def from_output(self, text):
        return text.strip()


Walk().run()
"#;

fn rules(draws: &str, shown: &str, progress: &str) -> String {
    RULES.replace("DRAWS", draws).replace("SHOWN", shown).replace("PROGRESS", progress)
}

/// The end of the only game from here on: whether it is won on the board.
fn is_won(history: &History, position: &State) -> bool {
    let (mut history, mut position) = (history.clone(), position.clone());
    loop {
        if let Status::Over(ending) = position.status() {
            return matches!(ending, Ending::Won { .. });
        }
        if history.draw().is_some() {
            return false;
        }
        let judged = position.judge(b"go", referee_games::protocol::Tolerance::Exact).unwrap();
        history.add_move(judged.next.clone(), judged.is_progress);
        position = judged.next;
    }
}

/// At how many positions of the game the win is told as certain: only where it is.
fn certain_wins(rules: &str) -> usize {
    let loaded = load(rules);
    let mut position = loaded.game.start();
    let mut history = History::new(loaded.game.profile().draws, position.clone());
    let mut count = 0;
    while position.status() == Status::ToMove && history.draw().is_none() {
        let value = values(&position, 200).values[0];
        assert!(value.abs() >= WIN_VALUE, "{value}: the search sees the end");
        let told = loaded.game.proved_result(&history.reached(&position), 0, value, 200);
        let certain = is_won(&history, &position);
        let expected = if value > 0 { ProvedResult::Win } else { ProvedResult::Loss };
        assert!(told.is_none() || certain, "{told:?}, but it is drawn: {rules}");
        assert!(told.is_none_or(|told| told == expected));
        count += usize::from(told.is_some());
        let judged = position.judge(b"go", referee_games::protocol::Tolerance::Exact).unwrap();
        history.add_move(judged.next.clone(), judged.is_progress);
        position = judged.next;
    }
    count
}

#[test]
#[ignore = "long: starts rules in Python again and again"]
fn a_win_is_certain_only_if_no_draw_comes_before() {
    let table = [
        // Draws, what the board shows, the turns with progress, and the positions at which the win is told.
        ("pass", "13", "()", 10),
        ("turn_limit = 11", "13", "()", 10),
        ("turn_limit = 10", "13", "()", 1),
        ("turn_limit = 9", "13", "()", 0),
        ("idle_turns = 11", "13", "()", 10),
        ("idle_turns = 5", "13", "()", 0),
        ("idle_turns = 5", "13", "(2, 7)", 3),
        ("repetitions = 3", "13", "()", 10),
        // The same placement again and again, of positions that differ.
        ("repetitions = 3", "4", "()", 0),
        ("repetitions = 3", "4", "(0,)", 0),
        ("repetitions = 2", "13", "()", 0),
    ];
    for (draws, shown, progress, expected) in table {
        let told = certain_wins(&rules(draws, shown, progress));
        assert_eq!(told, expected, "{draws}, {shown}, {progress}");
    }
}
