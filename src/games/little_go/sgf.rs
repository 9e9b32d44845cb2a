//! Smart Game Format, version 4 (<https://www.red-bean.com/sgf/>), the exchange format of Go programs. `export` calls
//! it; it reads nothing.
//!
//! A point is two letters, column and row, both from `a` at the top left; a pass is an empty point.
//! ```text
//! (;GM[1]FF[4]CA[UTF-8]SZ[5]KM[2.5]PB[greedy]PW[random]RE[B+3.5];B[cc];W[bb];B[])
//! ```

use crate::games::{Notation, NotationForm, Side, Transcript};

/// The format.
pub(super) const SGF: Notation = Notation {
    name: "sgf",
    about: "Smart Game Format, for Go programs",
    form: NotationForm::Whole(written),
};

fn written(game: &Transcript<'_>) -> String {
    let [black, white] = game.players.map(escaped);
    let mut text = format!(
        "(;GM[1]FF[4]CA[UTF-8]AP[referee:{}]SZ[5]KM[2.5]EV[{}]GN[{}]DT[{}]PB[{black}]PW[{white}]RE[{}]",
        env!("CARGO_PKG_VERSION"),
        escaped(game.event),
        escaped(game.id),
        // Dates have hyphens in this format.
        escaped(&game.date.replace('.', "-")),
        result(game),
    );
    text.push_str(&setup(game.start, game.first));
    for (side, mv) in &game.moves {
        text.push('\n');
        text.push_str(&turn(*side, *mv));
    }
    text.push_str(")\n");
    text
}

fn result(game: &Transcript<'_>) -> String {
    let Some(winner) = game.winner else {
        return "0".to_owned();
    };
    let letter = letter(winner);
    match game.lead {
        Some(lead) => format!("{letter}+{lead}"),
        None => format!("{letter}+F"),
    }
}

/// The stones of a game with another start: the second five rows of its setup are the board.
fn setup(start: &[String], first: Side) -> String {
    let board = start.get(5..10).unwrap_or_default();
    let stones = |digit: char| -> String {
        let rows = board.iter().enumerate();
        let stones = rows.flat_map(|(row, text)| {
            text.chars()
                .enumerate()
                .map(move |(column, there)| (row, column, there))
        });
        let points = stones.filter(|&(.., there)| there == digit);
        points.fold(String::new(), |text, (row, column, _)| {
            text + "[" + &point(row, column) + "]"
        })
    };
    let mut text = String::new();
    for (property, digit) in [("AB", '1'), ("AW", '2')] {
        let stones = stones(digit);
        if !stones.is_empty() {
            text.push_str(property);
            text.push_str(&stones);
        }
    }
    if !text.is_empty() || first == Side::White {
        text += "PL[";
        text.push(letter(first));
        text.push(']');
    }
    text
}

fn turn(side: Side, mv: Option<&str>) -> String {
    let letter = letter(side);
    let place = |mv: &str| {
        let (row, column) = mv.split_once(',')?;
        Some(point(row.parse().ok()?, column.parse().ok()?))
    };
    match mv {
        Some("PASS") => format!(";{letter}[]"),
        Some(mv) => place(mv).map_or_else(String::new, |point| format!(";{letter}[{point}]")),
        None => String::new(),
    }
}

/// Column first, both as letters.
fn point(row: usize, column: usize) -> String {
    [column, row]
        .map(|index| char::from(b'a' + u8::try_from(index).unwrap_or(0)))
        .iter()
        .collect()
}

const fn letter(side: Side) -> char {
    match side {
        Side::Black => 'B',
        Side::White => 'W',
    }
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
    use crate::games::Score;

    #[test]
    fn a_game_is_written_as_the_standard_has_it() {
        let start = vec!["00000".to_owned(); 10];
        let game = Transcript {
            event: "a [cup]",
            id: "g0001",
            date: "2026.11.22".to_owned(),
            players: ["ada\\", "bob"],
            winner: Some(Side::White),
            how: "won".to_owned(),
            lead: Some(Score::from_halves(7)),
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
    fn a_game_from_another_board_begins_with_its_stones() {
        let start = [
            "00000", "00000", "00000", "00000", "00000", "01000", "00000", "00200", "00000", "00000",
        ];
        let setup = setup(&start.map(str::to_owned), Side::White);
        assert_eq!(setup, "AB[ba]AW[cc]PL[W]");
    }
}
