//! Smart Game Format, version 4 (<https://www.red-bean.com/sgf/>), the exchange format of Go programs. `export` calls
//! it; it reads nothing.
//!
//! A point is two letters, column and row, both from `a` at the top left; a pass is an empty point.
//! ```text
//! (;GM[1]FF[4]CA[UTF-8]SZ[5]KM[2.5]PB[greedy]PW[random]RE[B+3.5];B[cc];W[bb];B[])
//! ```

use super::rules::PASS;
use super::{LittleGo, Point};
use crate::{Notation, NotationForm, Position, Side, Transcript, WinKind};

/// The format.
pub(super) const SGF: Notation =
    Notation { name: "sgf", about: "Smart Game Format, for Go programs", form: NotationForm::Whole(written) };

fn written(game: &Transcript<'_>) -> String {
    let [black, white] = game.players.map(escaped);
    let mut text = format!(
        "(;GM[1]FF[4]CA[UTF-8]AP[referee:{}]SZ[5]KM[2.5]EV[{}]GN[{}]DT[{}]PB[{black}]PW[{white}]RE[{}]",
        env!("CARGO_PKG_VERSION"),
        escaped(game.event),
        escaped(game.id),
        // Dates have hyphens in this format.
        escaped(&game.date.replace('.', "-")),
        result(game.won),
    );
    text.push_str(&setup(game.start, game.first));
    text.extend(game.moves.iter().filter_map(|&mv| turn(mv)));
    text + "\n)\n"
}

/// The winner and why it has won, as in the standard; nothing after the `+` for a reason that it does not know.
fn result(won: Option<(Side, WinKind)>) -> String {
    let Some((winner, by)) = won else {
        return "0".to_owned();
    };
    let by = match by {
        WinKind::Lead(lead) => lead.to_string(),
        WinKind::Time => "T".to_owned(),
        WinKind::Resignation => "R".to_owned(),
        WinKind::Forfeit => "F".to_owned(),
        WinKind::Rule => String::new(),
    };
    format!("{}+{by}", letter(winner))
}

/// The stones of a game with another start.
fn setup(start: &[String], first: Side) -> String {
    let rows: Vec<&[u8]> = start.iter().map(String::as_bytes).collect();
    let Ok(position) = LittleGo::from_rows(&rows, first, ()) else {
        return String::new();
    };
    let mut text = String::new();
    for (property, side) in [("AB", Side::Black), ("AW", Side::White)] {
        let stones = position.stones(side);
        if !stones.is_empty() {
            let points = stones.iter().map(name);
            text = points.fold(text + property, |text, point| text + "[" + &point + "]");
        }
    }
    if text.is_empty() && first == Side::Black {
        return text;
    }
    format!("{text}PL[{}]", letter(first))
}

/// A turn on a line of its own; `None` for a turn without a move.
fn turn((side, mv): (Side, Option<&str>)) -> Option<String> {
    let point = match mv? {
        PASS => String::new(),
        point => name(Point::read(point.as_bytes())?),
    };
    Some(format!("\n;{}[{point}]", letter(side)))
}

/// Column first, both as letters.
fn name(point: Point) -> String {
    String::from_iter([point.column(), point.row()].map(|index| char::from(b'a' + index)))
}

const fn letter(side: Side) -> &'static str {
    ["B", "W"][side.index()]
}

/// A simple text: brackets and backslashes in foreign names are escaped, and line ends removed.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ']' | '\\' | ':' => escaped.extend(['\\', character]),
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    #[test]
    fn a_game_is_written_as_the_standard_has_it() {
        let start = vec!["00000".to_owned(); 10];
        let game = Transcript {
            event: "a [cup]",
            id: "g0001",
            date: "2026.11.22".to_owned(),
            players: ["ada\\", "bob"],
            won: Some((Side::White, WinKind::Lead(Score::from_halves(7)))),
            start: &start,
            first: Side::Black,
            moves: vec![
                (Side::Black, Some("2,1")),
                (Side::White, Some("0,4")),
                (Side::Black, Some("PASS")),
                (Side::White, None),
            ],
        };
        assert_eq!(
            written(&game),
            concat!(
                "(;GM[1]FF[4]CA[UTF-8]AP[referee:",
                env!("CARGO_PKG_VERSION"),
                "]SZ[5]KM[2.5]EV[a \
                 [cup\\]]GN[g0001]DT[2026-11-22]PB[ada\\\\]PW[bob]RE[W+3.5]\n;B[bc]\n;W[ea]\n;B[]\n)\n"
            )
        );
    }

    #[test]
    fn a_result_says_how_the_game_was_won() {
        let table = [
            (WinKind::Lead(Score::from(3)), "B+3"),
            (WinKind::Time, "B+T"),
            (WinKind::Resignation, "B+R"),
            (WinKind::Forfeit, "B+F"),
            (WinKind::Rule, "B+"),
        ];
        for (by, expected) in table {
            assert_eq!(result(Some((Side::Black, by))), expected);
        }
        assert_eq!(result(None), "0");
    }

    #[test]
    fn a_game_from_another_board_begins_with_its_stones() {
        let start = ["00000", "00000", "00000", "00000", "00000", "01000", "00000", "00200", "00000", "00000"];
        let setup = setup(&start.map(str::to_owned), Side::White);
        assert_eq!(setup, "AB[ba]AW[cc]PL[W]");
    }
}
