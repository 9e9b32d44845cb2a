//! Results of games that were played elsewhere, from a CSV file.
//!
//! For: standings, ratings and plausible ranks of competitions without records. It must name the line of anything that
//! it cannot read, and must not guess a result.

use super::Crosstable;
use referee_games::Side;
use referee_games::protocol::{counted, csv_line, csv_separator, plain};
use referee_records::{GameSummary, Outcome, PerSide};

/// How many headings a message names.
const MAX_NAMED: usize = 20;

/// A column is missing.
fn no_column(column: &str, found: &csv::StringRecord) -> String {
    let found = headings(found);
    format!(
        "line 1: no column `{column}`, but {found}: name the columns `black`, `white` and `winner` in the first line"
    )
}

fn headings(found: &csv::StringRecord) -> String {
    if found.iter().all(str::is_empty) {
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
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What is wrong with the first wrong line, and what to write.
    pub fn from_csv(text: &[u8]) -> Result<Self, String> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut reader =
            csv::ReaderBuilder::new().delimiter(csv_separator(text)).trim(csv::Trim::All).from_reader(text);
        let titles = reader.headers().map_err(|error| unreadable(text, &error))?.clone();
        let place = |column: &str| titles.iter().position(|title| title.to_lowercase() == column);
        let column = |column: &str| place(column).ok_or_else(|| no_column(column, &titles));
        let [black, white, winner] = [column("black")?, column("white")?, column("winner")?];
        let first_column = place("first");
        let mut table = Self::default();
        for row in reader.into_records() {
            let row = row.map_err(|error| unreadable(text, &error))?;
            let line = row.position().map_or(0, |place| csv_line(text, place.byte()));
            let cell = |place| {
                let cell: &str = row.get(place).unwrap_or_default();
                // Our own exports have one before what a spreadsheet would take for a formula.
                cell.strip_prefix('\'').unwrap_or(cell)
            };
            let [black, white, winner] = [black, white, winner].map(cell);
            if black.is_empty() || white.is_empty() || black == white {
                let (black, white) = (plain(black), plain(white));
                return Err(format!(
                    "line {line}: a game has two players, here `{black}` and `{white}`: write their names"
                ));
            }
            let outcome = outcome(black, white, winner).ok_or_else(|| {
                let winner = plain(winner);
                format!("line {line}: winner `{winner}`: write `black`, `white`, `draw`, or the winner's name")
            })?;
            let players = PerSide { black: black.to_owned(), white: white.to_owned() };
            let first = first_column.and_then(|place| side(row.get(place)?)).unwrap_or(Side::Black);
            table.add(&GameSummary::of_result(line.to_string(), players, first, outcome));
        }
        if table.is_empty() {
            return Err("no game: write a line for each game below the first line".to_owned());
        }
        Ok(table)
    }
}

fn unreadable(text: &[u8], error: &csv::Error) -> String {
    let line = error.position().map_or(1, |place| csv_line(text, place.byte()));
    if let csv::ErrorKind::UnequalLengths { expected_len, len, .. } = *error.kind() {
        let found = usize::try_from(len).unwrap_or(usize::MAX);
        return format!("line {line}: {}, but the first line has {expected_len}", counted(found, "cell"));
    }
    if let csv::ErrorKind::Utf8 { .. } = error.kind() {
        return format!("line {line}: not UTF-8 text: save the file as CSV in UTF-8");
    }
    error.to_string()
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

    fn refused(text: &[u8]) -> String {
        Crosstable::from_csv(text).unwrap_err()
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
        let no_column = "name the columns `black`, `white` and `winner` in the first line";
        for (text, expected) in [
            ("black,white\na,b\n", &*format!("line 1: no column `winner`, but `black`, `white`: {no_column}")),
            ("", &format!("line 1: no column `black`, but no heading at all: {no_column}")),
            (
                "black,white,winner\n\na,b,white\n\na,b,1-0\n",
                "line 5: winner `1-0`: write `black`, `white`, `draw`, or the winner's name",
            ),
            ("black,white,winner\na,,white\n", "line 2: a game has two players, here `a` and ``: write their names"),
            ("black,white,winner\n\na,b\n", "line 3: 2 cells, but the first line has 3"),
            ("black,white,winner\n", "no game: write a line for each game below the first line"),
        ] {
            assert_eq!(refused(text.as_bytes()), expected);
        }
        let no_text = refused(b"black,white,winner\n\xff,b,black\n");
        assert_eq!(no_text, "line 2: not UTF-8 text: save the file as CSV in UTF-8");
        assert!(refused(&b"x".repeat(1 << 20)).len() < 200);
        assert!(refused(b"black,white,winner\na,\x1bb,\x1b[2J\n").chars().all(|c| !c.is_control()));
    }
}
