//! Results of games that were played elsewhere, from a CSV file.
//!
//! For: standings, ratings and plausible ranks of competitions without records. It must name the line of anything that
//! it cannot read, and must not guess a result.

use super::Crosstable;
use referee_games::Side;
use referee_games::protocol::{counted, csv_line, csv_separator, plain};
use referee_records::{GameSummary, Outcome, PerSide};

/// Why a file of results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsCsvError {
    /// The first line lacks a column.
    #[error(
        "line 1: no column `{column}`, but {}: name the columns `black`, `white` and `winner` in the first line",
        headings(.found)
    )]
    NoColumn {
        /// The column.
        column: &'static str,
        /// The headings that are there.
        found: Vec<String>,
    },
    /// A line has too few or too many cells.
    #[error("line {line}: {}, but the first line has {expected}", counted(*.found, "cell"))]
    Cells {
        /// The line, from 1.
        line: usize,
        /// Its cells.
        found: usize,
        /// The cells of the first line.
        expected: u64,
    },
    /// A line is not UTF-8 text.
    #[error("line {line}: not UTF-8 text: save the file as CSV in UTF-8")]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
    },
    /// It cannot be read for another reason.
    #[error("{0}")]
    Csv(csv::Error),
    /// A game without a player, or with the same player twice.
    #[error("line {line}: a game has two players, here {}: write their names", players(.black, .white))]
    Players {
        /// The line, from 1.
        line: usize,
        /// The cell of the column `black`.
        black: String,
        /// The cell of the column `white`.
        white: String,
    },
    /// A winner that is none of the two, nor a draw.
    #[error("line {line}: winner `{}`: write `black`, `white`, `draw`, or the winner's name", plain(.winner))]
    Winner {
        /// The line, from 1.
        line: usize,
        /// The cell.
        winner: String,
    },
    /// A header without a game.
    #[error("no game: write a line for each game below the first line")]
    Empty,
}

/// How many headings a message names.
const MAX_NAMED: usize = 20;

fn headings(found: &[String]) -> String {
    if found.iter().all(String::is_empty) {
        return "no heading at all".to_owned();
    }
    let named = found.iter().take(MAX_NAMED);
    let mut named: Vec<String> = named.map(|heading| format!("`{}`", excerpt(heading))).collect();
    if found.len() > MAX_NAMED {
        named.push(format!("{} more", found.len() - MAX_NAMED));
    }
    named.join(", ")
}

/// A heading may be a whole file, if the first line has no separator.
fn excerpt(heading: &str) -> String {
    const LONGEST: usize = 40;
    match heading.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", plain(&heading[..end])),
        None => plain(heading),
    }
}

fn players(black: &str, white: &str) -> String {
    format!("`{}` and `{}`", plain(black), plain(white))
}

impl Crosstable {
    /// The games in `text`, a CSV file whose first line names the columns `black`, `white` and `winner` in any order
    /// and letter case. A winner is `black`, `white`, `draw`, or the name of a player. The side that moved first is in
    /// the column `first`, if there is one that says `black` or `white`, and otherwise black. Other columns are
    /// ignored. Cells are separated by comma, semicolon or tab: by what the first line has most of.
    ///
    /// ```
    /// use referee_matches::tournament::Crosstable;
    ///
    /// let table = Crosstable::from_csv(b"black,white,winner\nada,bob,white\nbob,ada,draw\n")?;
    /// assert_eq!(table.names(), ["ada", "bob"]);
    /// assert_eq!(table.tally(1).half_points(), 3);
    /// # Ok::<(), referee_matches::tournament::ResultsCsvError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ResultsCsvError`] for the first line that is wrong.
    pub fn from_csv(text: &[u8]) -> Result<Self, ResultsCsvError> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut reader =
            csv::ReaderBuilder::new().delimiter(csv_separator(text)).trim(csv::Trim::All).from_reader(text);
        let titles = reader.headers().map_err(|error| unreadable(text, error))?.clone();
        let place = |column: &str| titles.iter().position(|title| title.to_lowercase() == column);
        let column = |column: &'static str| {
            place(column)
                .ok_or_else(|| ResultsCsvError::NoColumn { column, found: titles.iter().map(str::to_owned).collect() })
        };
        let [black, white, winner] = [column("black")?, column("white")?, column("winner")?];
        let first_column = place("first");
        let mut table = Self::default();
        for row in reader.into_records() {
            let row = row.map_err(|error| unreadable(text, error))?;
            let line = row.position().map_or(0, |place| csv_line(text, place.byte()));
            let cell = |place| {
                let cell: &str = row.get(place).unwrap_or_default();
                // Our own exports have one before what a spreadsheet would take for a formula.
                cell.strip_prefix('\'').unwrap_or(cell)
            };
            let [black, white, winner] = [black, white, winner].map(cell);
            if black.is_empty() || white.is_empty() || black == white {
                let (black, white) = (black.to_owned(), white.to_owned());
                return Err(ResultsCsvError::Players { line, black, white });
            }
            let outcome = outcome(black, white, winner)
                .ok_or_else(|| ResultsCsvError::Winner { line, winner: winner.to_owned() })?;
            let players = PerSide { black: black.to_owned(), white: white.to_owned() };
            let first = first_column.and_then(|place| side(row.get(place)?)).unwrap_or(Side::Black);
            table.add(&GameSummary::of_result(line.to_string(), players, first, outcome));
        }
        if table.is_empty() {
            return Err(ResultsCsvError::Empty);
        }
        Ok(table)
    }
}

fn unreadable(text: &[u8], error: csv::Error) -> ResultsCsvError {
    let line = error.position().map_or(1, |place| csv_line(text, place.byte()));
    if let csv::ErrorKind::UnequalLengths { expected_len, len, .. } = *error.kind() {
        let found = usize::try_from(len).unwrap_or(usize::MAX);
        return ResultsCsvError::Cells { line, found, expected: expected_len };
    }
    if let csv::ErrorKind::Utf8 { .. } = error.kind() {
        return ResultsCsvError::NotUtf8 { line };
    }
    ResultsCsvError::Csv(error)
}

fn side(word: &str) -> Option<Side> {
    match word.to_lowercase().as_str() {
        "black" => Some(Side::Black),
        "white" => Some(Side::White),
        _ => None,
    }
}

/// A player's name comes before the words: a player called `white` may play black.
fn outcome(black: &str, white: &str, winner: &str) -> Option<Outcome> {
    let won = |winner| Some(Outcome::Board { winner });
    if winner == black {
        return won(Side::Black);
    }
    if winner == white {
        return won(Side::White);
    }
    match winner.to_lowercase().as_str() {
        "draw" | "drawn" => Some(Outcome::Drawn),
        word => won(side(word)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Crosstable::from_csv(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn columns_come_in_any_order_beside_others() {
        let text = "\u{feff}Round,Winner,White,Black\n1,ada,ada,bob\n1, DRAW ,bob,ada\n2,black,\"cyd, d\",ada\n";
        let table = Crosstable::from_csv(text.as_bytes()).unwrap();
        let points = |name: &str| table.tally(table.index(name).unwrap()).half_points();
        assert_eq!([points("ada"), points("bob"), points("cyd, d")], [5, 1, 0]);
        assert_eq!(table.first_against_second().first_won, 1);
        let table = Crosstable::from_csv(b"black,white,winner\n'=a,b,'=a\n").unwrap();
        assert_eq!(table.names(), ["=a", "b"]);
    }

    #[test]
    fn spreadsheets_separate_by_commas_semicolons_or_tabs() {
        for separator in [",", ";", "\t"] {
            let text = "black,white,winner,note\nada,bob,draw,\nbob,ada,ada,\"a,b;c\"\n".replace(',', separator);
            let table = Crosstable::from_csv(text.as_bytes()).unwrap();
            assert_eq!(table.tally(0).half_points(), 3, "{separator:?}");
        }
    }

    #[test]
    fn the_column_first_says_who_moved_first() {
        let text = "black,white,winner,first\nada,bob,black,white\nada,bob,black,\n";
        let table = Crosstable::from_csv(text.as_bytes()).unwrap();
        let won = table.first_against_second();
        assert_eq!((won.first_won, won.games()), (1, 2));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        assert_eq!(
            refused("black,white\na,b\n"),
            "line 1: no column `winner`, but `black`, `white`: name the columns `black`, `white` and `winner` in the \
             first line"
        );
        assert!(refused("").starts_with("line 1: no column `black`, but no heading at all: name the columns"));
        assert!(refused(&"x".repeat(1 << 20)).len() < 200);
        assert_eq!(
            refused("black,white,winner\n\na,b,white\n\na,b,1-0\n"),
            "line 5: winner `1-0`: write `black`, `white`, `draw`, or the winner's name"
        );
        assert_eq!(
            refused("black,white,winner\na,,white\n"),
            "line 2: a game has two players, here `a` and ``: write their names"
        );
        assert_eq!(refused("black,white,winner\n\na,b\n"), "line 3: 2 cells, but the first line has 3");
        assert_eq!(
            Crosstable::from_csv(b"black,white,winner\n\xff,b,black\n").unwrap_err().to_string(),
            "line 2: not UTF-8 text: save the file as CSV in UTF-8"
        );
        assert_eq!(refused("black,white,winner\n"), "no game: write a line for each game below the first line");
        assert!(refused("black,white,winner\na,\u{1b}b,\u{1b}[2J\n").chars().all(|c| !c.is_control()));
    }
}
