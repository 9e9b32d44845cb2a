//! All keys of an assignment file, with their descriptions for messages and for refusing unknown keys.
//!
//! `tournaments/README.md` documents the same keys; a test compares the two lists. [`super::table`] uses them.

/// One key of a section.
#[derive(Debug)]
pub(super) struct KeySpec {
    /// Its name in the file.
    pub(super) name: &'static str,
    /// The valid values, worded to follow `expected`.
    pub(super) expected: &'static str,
    /// An example value.
    pub(super) example: &'static str,
}

/// A section with its own keys.
#[derive(Debug)]
pub(super) struct FileSection {
    /// Its name in messages and in the reference.
    pub(super) heading: &'static str,
    /// Its keys.
    pub(super) keys: &'static [KeySpec],
}

const fn key(name: &'static str, expected: &'static str, example: &'static str) -> KeySpec {
    KeySpec { name, expected, example }
}

const SECONDS: &str = "seconds above 0 and up to 86400";
const PLAY_TIME: KeySpec = key("play_time", SECONDS, "300");
const TIME: KeySpec = key("time", SECONDS, "30");

/// The top of the file.
pub(super) const TOP: FileSection = FileSection {
    heading: "the top of the file",
    keys: &[
        key("title", "a line of text", "\"CSCI-561 Spring 2021, homework 2\""),
        key("game", "a game", "\"checkers\""),
        key("rules", "a rule set of the game", "\"addendum\""),
        key("seed", "a whole number of zero or more", "0"),
        key("protocol", "how programs are asked and answer", "\"files\""),
        key("tolerance", "how exactly answers are read", "\"tolerant\""),
        key("minimum_isolation", "a level of isolation", "\"confined\""),
        key("submission", "one section `[submission]`", "[submission]"),
        key("clock", "one section `[clock]`", "[clock]"),
        key("limits", "one section `[limits]`", "[limits]"),
        key("draws", "one section `[draws]`", "[draws]"),
        key("late", "one section `[late]`", "[late]"),
        key("grade", "sections `[[grade]]`, in two brackets", "[[grade]]"),
        key("competition", "one section `[competition]`", "[competition]"),
        key("ladder", "one section `[ladder]`", "[ladder]"),
    ],
};

const PROGRAMS: &str = "file names and the language of each";

pub(super) const SUBMISSION: FileSection = FileSection {
    heading: "`[submission]`",
    keys: &[
        key("programs", PROGRAMS, "{ \"homework.py\" = \"python3\" }"),
        key("calibrate", PROGRAMS, "{ \"calibrate.py\" = \"python3\" }"),
        key("several_programs", "`refuse` or `first`", "\"first\""),
        key("provide", "a folder", "\"kit\""),
    ],
};

pub(super) const CLOCK: FileSection = FileSection {
    heading: "`[clock]`",
    keys: &[
        key("charge", "which CPU time is charged", "\"cpu\""),
        PLAY_TIME,
        key("move_time", SECONDS, "10"),
        key("overruns", "a whole number from 0 to 1000", "2"),
        key("longest_move", SECONDS, "30"),
        key("startup_time", "seconds from 0 to 86400", "10"),
        key("grace", "seconds from 0 to 86400", "10"),
        key("wall_limit_factor", "a whole number from 1 to 1000", "3"),
        key("wall_limit_extra", SECONDS, "10"),
        key("compile_time", SECONDS, "60"),
        key("calibrate_time", SECONDS, "10"),
    ],
};

const MEBIBYTES: &str = "a whole number of MiB from 1 to 1048576";

pub(super) const LIMITS: FileSection = FileSection {
    heading: "`[limits]`",
    keys: &[
        key("memory_mib", MEBIBYTES, "2048"),
        key("processes", "a whole number from 1 to 65536", "256"),
        key("file_size_mib", MEBIBYTES, "64"),
        key("directory_size_mib", MEBIBYTES, "128"),
        key("directory_files", "a whole number from 8 to 1048576", "8192"),
        key("open_files", "a whole number from 16 to 65536", "256"),
        key("output_size_kib", "a whole number of KiB from 1 to 128", "64"),
    ],
};

pub(super) const LADDER: FileSection = FileSection {
    heading: "`[ladder]`",
    keys: &[
        key("reference", "a built-in agent", "\"builtin:minimax\""),
        PLAY_TIME,
        key("opening_plies", "a whole number from 0 to 200", "2"),
        key("minimum_pairs", "a whole number from 1 to 1000", "10"),
        key("random_percent", "a whole number of per cent from 0 to 100", "20"),
        key("versions_per_day", "a whole number from 1 to 1000", "10"),
        key("named", "`everybody`, `neighbours` or `nobody`", "\"nobody\""),
        key("named_first", "a whole number from 0 to 1000", "10"),
    ],
};

const TURNS: &str = "a whole number from 1 to 100000, or `none`";

pub(super) const DRAWS: FileSection = FileSection {
    heading: "`[draws]`",
    keys: &[key("idle_turns", TURNS, "50"), key("repetitions", TURNS, "3"), key("turn_limit", TURNS, "1000")],
};

pub(super) const LATE: FileSection = FileSection {
    heading: "`[late]`",
    keys: &[
        key(
            "deadline",
            "a date and time with its offset from UTC, or without it beside `zone`",
            "2026-11-20T23:59:00-08:00",
        ),
        key("zone", "a time zone of the IANA database", "\"America/Los_Angeles\""),
        key("grace_minutes", "a whole number of minutes from 0 to 10080", "15"),
        key("penalty_percent", "a whole number of per cent from 0 to 100", "10"),
        key("penalty_of", "of what the penalty is per cent", "\"maximum\""),
        key("per", "the unit of lateness", "\"day\""),
        key("max_days", "a whole number of days from 0 to 365", "3"),
        key("free_days", "a whole number of days from 0 to 365", "0"),
    ],
};

/// The keys of every criterion.
pub(super) const GRADE: FileSection = FileSection {
    heading: "`[[grade]]`",
    keys: &[
        key("kind", "a kind of criterion", "\"games\""),
        key("name", "small letters, digits and single hyphens, 60 at most", "\"games-minimax\""),
        key("title", "a line of text", "\"Games against minimax\""),
        key("points_each", POINTS, "10"),
    ],
};

pub(super) const SINGLE_MOVES: FileSection = FileSection {
    heading: "`[[grade]]` of kind `single-moves`",
    keys: &[key("positions", "a folder", "\"positions\""), TIME],
};

pub(super) const GAMES: FileSection = FileSection {
    heading: "`[[grade]]` of kind `games`",
    keys: &[
        key("opponent", "an agent", "\"builtin:minimax\""),
        key("games", "a whole number from 1 to 9999", "9"),
        key(
            "points_by_win_rate",
            "a list of bands",
            "[{ from = 90, points = 25 }, { from = 70, points_times_rate = 15 }]",
        ),
        key("first_move", "a whole number from 0 to the number of games, or `lot`", "5"),
        PLAY_TIME,
        key("drawn", "what a drawn game is worth", "\"by-time\""),
    ],
};

const POINTS: &str = "points above 0 and up to 1000 with at most two decimals";

/// A band of `points_by_win_rate`, documented there.
pub(super) const BAND: FileSection = FileSection {
    heading: "a band of `points_by_win_rate`",
    keys: &[
        key("from", "a whole number of per cent from 0 to 100", "70"),
        key("points", POINTS, "25"),
        key("points_times_rate", POINTS, "15"),
    ],
};

pub(super) const CASES: FileSection = FileSection {
    heading: "`[[grade]]` of kind `cases`",
    keys: &[
        key("cases", "a folder", "\"star-circle-2018/cases\""),
        key("answers", "where the right answers come from", "\"files\""),
        TIME,
    ],
};

/// The keys of every competition.
pub(super) const COMPETITION: FileSection = FileSection {
    heading: "`[competition]`",
    keys: &[
        key("format", "a format", "\"elimination\""),
        key("games_per_pairing", "a whole number from 1 to 1000", "4"),
        PLAY_TIME,
        key("opening_plies", "a whole number from 0 to 200", "0"),
        key("first_move", "who begins the odd game of a pairing", "\"lot\""),
        key("agents", "a list of agents", "[\"builtin:random\", \"builtin:minimax\"]"),
    ],
};

const ROUNDS: KeySpec = key("rounds", "a whole number from 1 to 10000", "20");

pub(super) const ROUND_ROBIN: FileSection = FileSection {
    heading: "`[competition]` of format `round-robin`",
    keys: &[key("rank_by", "`points` or `pairings`", "\"points\"")],
};

pub(super) const GAUNTLET: FileSection = FileSection {
    heading: "`[competition]` of format `gauntlet`",
    keys: &[key("challenger", "the name of a submission", "\"ada\"")],
};

pub(super) const SWISS: FileSection = FileSection { heading: "`[competition]` of format `swiss`", keys: &[ROUNDS] };

pub(super) const ELIMINATION: FileSection = FileSection {
    heading: "`[competition]` of format `elimination`",
    keys: &[key("round_limit", "a whole number from 1 to 10000", "100")],
};

pub(super) const RANDOM_ROUNDS: FileSection = FileSection {
    heading: "`[competition]` of format `random-rounds`",
    keys: &[key("opponents", "a whole number from 1 to 1000", "5"), ROUNDS],
};

/// All sections, in the order of the reference.
pub(super) const SECTIONS: [&FileSection; 17] = [
    &TOP,
    &SUBMISSION,
    &CLOCK,
    &LIMITS,
    &DRAWS,
    &LATE,
    &GRADE,
    &SINGLE_MOVES,
    &GAMES,
    &CASES,
    &COMPETITION,
    &ROUND_ROBIN,
    &GAUNTLET,
    &SWISS,
    &ELIMINATION,
    &RANDOM_ROUNDS,
    &LADDER,
];

impl KeySpec {
    /// The remedy for a wrong value.
    pub(super) fn remedy(&self) -> String {
        let Self { name, example, .. } = self;
        if example.trim_matches(['[', ']']) == *name {
            format!("write `{example}` on a line of its own, its keys below it")
        } else {
            format!("write for example `{name} = {example}`")
        }
    }
}

/// The remedy for the key `unknown`, which none of `sections` has.
pub(super) fn remedy_for(unknown: &str, sections: &[&FileSection]) -> String {
    let has = |section: &&&FileSection| section.keys.iter().any(|key| key.name == unknown);
    let homes: Vec<_> = SECTIONS.iter().filter(has).map(|section| section.heading.to_owned()).collect();
    if !homes.is_empty() {
        return format!("move it to {}, or remove it", joined(&homes, "or"));
    }
    let mut names = Vec::new();
    for key in sections.iter().flat_map(|section| section.keys) {
        if !names.contains(&key.name) {
            names.push(key.name);
        }
    }
    match nearest(unknown, &names) {
        Some(meant) => format!("write `{meant}`"),
        None => format!("remove it; there are {}", in_backticks(&names, "and")),
    }
}

/// `words` in backticks, the last two joined by `conjunction`.
pub(super) fn in_backticks(words: &[&str], conjunction: &str) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    joined(&quoted, conjunction)
}

fn joined(words: &[String], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} {conjunction} {last}", words.join(", ")),
    }
}

/// The one of `words` that `written` most likely means; `None` if all are too far.
pub(super) fn nearest<'a>(written: &str, words: &[&'a str]) -> Option<&'a str> {
    if written.len() > 60 {
        return None;
    }
    let near = words.iter().map(|word| (distance(written, word), *word));
    let (distance, word) = near.min_by_key(|(distance, _)| *distance)?;
    // Allows errors in a third of the letters, and at least one.
    (distance <= (word.len() / 3).max(1)).then_some(word)
}

/// The number of insertions, deletions, changes and transpositions of letters.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.to_lowercase().replace('-', "_"));
    strsim::osa_distance(&a, &b)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let words = ["first_move", "games", "play_time", "opponent"];
        let cases = [
            ("oponent", Some("opponent")),
            ("play-time", Some("play_time")),
            ("paly_time", Some("play_time")),
            ("Games", Some("games")),
            ("firstmove", Some("first_move")),
            ("colour", None),
            ("", None),
        ];
        for (written, meant) in cases {
            assert_eq!(nearest(written, &words), meant, "{written:?}");
        }
    }

    /// The rows of the tables of keys in the reference: heading and key.
    fn explained() -> BTreeSet<(String, String)> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("tournaments/README.md");
        let text = std::fs::read_to_string(path).unwrap();
        let mut heading = String::new();
        let mut is_of_keys = false;
        let mut rows = BTreeSet::new();
        for line in text.lines() {
            if let Some(found) = line.strip_prefix("### ") {
                found.clone_into(&mut heading);
            } else if line.starts_with("| key |") {
                is_of_keys = true;
            } else if line.is_empty() {
                is_of_keys = false;
            } else if let Some(row) = line.strip_prefix("| `").filter(|_| is_of_keys) {
                let (key, _) = row.split_once('`').unwrap();
                assert!(rows.insert((heading.clone(), key.to_owned())), "`{key}` is explained twice");
            }
        }
        rows
    }

    #[test]
    fn the_reference_explains_exactly_the_keys_that_there_are() {
        let known: BTreeSet<_> = SECTIONS
            .iter()
            .flat_map(|section| section.keys.iter().map(|key| (section.heading.to_owned(), key.name.to_owned())))
            .collect();
        assert_eq!(explained(), known);
    }
}
