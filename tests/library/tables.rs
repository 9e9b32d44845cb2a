//! What is said of answers and of faulty inputs, and of which kinds of practice positions boards are: tables in
//! `data/`, over all games. Each is made again and compared as a whole.

use referee_games::protocol::{Refusal, Tolerance};
use referee_games::{Cells, GameRef, Side};
use snapbox::assert_data_eq;

/// The table made again. A section is a title, a board or an input, and entries, of which `said` makes what is there.
fn again(table: &str, said: impl Fn(&str, &str, &str) -> String) -> String {
    let mut sections = table.split("\n== ");
    let mut again = sections.next().unwrap().to_owned();
    for section in sections {
        let (head, entries) = section.trim_end().split_once("\n> ").unwrap();
        let (title, drawn) = head.split_once('\n').unwrap();
        again.extend(["\n== ", head]);
        for entry in entries.split("\n> ") {
            let entry = entry.lines().next().unwrap_or_default();
            again.extend(["\n> ", &said(title, drawn, entry)]);
        }
        again.push('\n');
    }
    again
}

fn unescaped(text: &str) -> String {
    text.replace("; ", "\n").replace(r"\n", "\n").replace(r"\r", "\r").replace(r"\t", "\t")
}

/// What is said of an answer to an input, also by an exact reading, and the board that it leaves.
fn verdict(game: GameRef, input: &str, answer: &str) -> String {
    let position = game.read_input(input.as_bytes()).unwrap().position;
    let judge = |tolerance| position.judge(unescaped(answer).as_bytes(), tolerance);
    match judge(Tolerance::Tolerant) {
        Ok(judged) => {
            let codes: String = judged.warnings.iter().flat_map(|warning| [" ", &*warning.code]).collect();
            let exact = match judge(Tolerance::Exact) {
                Ok(_) => String::new(),
                Err(Refusal::Format(found)) => format!("exactly: {found}\n"),
                Err(other) => panic!("{answer}: {other:?}"),
            };
            assert_eq!(exact.is_empty(), codes.is_empty(), "{answer}");
            format!("legal{codes}\n{exact}{}", judged.next.board().trim_end())
        }
        Err(Refusal::Empty) => "empty".to_owned(),
        Err(Refusal::Format(found)) => format!("format {}\n{found}", found.code),
        Err(Refusal::Illegal(found)) => format!("illegal {}\n{found}", found.code),
    }
}

#[test]
fn every_answer_gets_its_verdict() {
    for (game, table) in [
        ("checkers", snapbox::file!["data/answers/checkers.txt"].raw()),
        ("duo-othello", snapbox::file!["data/answers/duo-othello.txt"].raw()),
        ("heirs", snapbox::file!["data/answers/heirs.txt"].raw()),
        ("little-go", snapbox::file!["data/answers/little-go.txt"].raw()),
    ] {
        let game: GameRef = game.parse().unwrap();
        let said = |_: &str, input: &str, answer: &str| format!("{answer}\n{}", verdict(game, input, answer));
        assert_data_eq!(again(&table.render().unwrap(), said), table);
    }
}

#[test]
fn an_input_that_cannot_be_read_is_refused_at_its_line() {
    let table = snapbox::file!["data/faulty-inputs.txt"].raw();
    let said = |title: &str, input: &str, change: &str| {
        let game: GameRef = title.split(": ").next().unwrap().parse().unwrap();
        let (right, wrong) = change.split_once(" =>").unwrap();
        let text = (input.to_owned() + "\n").replacen(&unescaped(right), &unescaped(wrong.trim_start()), 1);
        let read = game.read_input(text.as_bytes()).map(drop);
        let read = game.puzzles().map_or(read, |puzzles| (puzzles.solve)(text.as_bytes()).map(drop));
        format!("{change}\n{}", read.unwrap_err())
    };
    assert_data_eq!(again(&table.render().unwrap(), said), table);
}

#[test]
fn boards_are_of_the_kinds_that_they_show() {
    let table = snapbox::file!["data/kinds.txt"].raw();
    let said = |title: &str, drawn: &str, _: &str| {
        let (game, side) = title.split(": ").next().unwrap().split_once(", ").unwrap();
        let (name, rules) = game.split_once(' ').unwrap_or((game, ""));
        let game: GameRef = name.parse().unwrap();
        let game = if rules.is_empty() { game } else { game.with_rules(rules).unwrap() };
        let side = if side == "black" { Side::Black } else { Side::White };
        let rows = rows(game, drawn);
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        let kinds = game.kinds_of(&game.read_board(&rows, side).unwrap());
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
    };
    assert_data_eq!(again(&table.render().unwrap(), said), table);
}

/// The rows of a board that is drawn, or whose pieces are listed by letter and square.
fn rows(game: GameRef, drawn: &str) -> Vec<Vec<u8>> {
    if !drawn.contains(' ') {
        return drawn.lines().map(|row| row.as_bytes().to_vec()).collect();
    }
    let board = game.profile().board;
    let Cells::Letters { empty } = board.cells else { panic!("{game} has stacks") };
    let mut rows = vec![vec![u8::try_from(empty).unwrap(); board.columns.len()]; board.rows.len()];
    for piece in drawn.split_whitespace().collect::<Vec<_>>().chunks(2) {
        let (row, column) = board.place(piece[1]).unwrap();
        rows[row][column] = piece[0].as_bytes()[0];
    }
    rows
}
