//! All faults of an assignment are reported together, each with place and remedy.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::fmt::Write;
use std::path::Path;

use referee::agents::AgentSpec;
use referee::assignment::{Assignment, AssignmentError};
use referee::games::GameId;

/// The faults of `text` as `line:column message => remedy`.
fn faults(text: &str) -> Vec<String> {
    match Assignment::parse(text, Path::new("hw2.toml")) {
        Ok(assignment) => panic!("{text} has no fault: {assignment:?}"),
        Err(faults) => faults.all().iter().map(told).collect(),
    }
}

fn told(fault: &AssignmentError) -> String {
    let AssignmentError {
        place, message, remedy, ..
    } = fault;
    let place = place.as_ref().unwrap();
    format!("{}:{} {message} => {remedy}", place.line, place.column)
}

const TITLE: &str = "title = \"T\"\n";
const COMPETITION: &str = "\n[competition]\nformat = \"knockout\"\n";

/// Each has the lines `game` and what is given, from line 2 on, and nothing else that is wrong.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn each_fault_of_the_whole_has_its_place_and_its_remedy() {
    let unknown_game = "chekers".parse::<GameId>().unwrap_err();
    let game = format!("2:8 `game`: {unknown_game} => write `game = \"checkers\"`");
    let cases = [
        ("game = \"chekers\"", game.as_str()),
        (
            "gaem = \"checkers\"\ngame = \"checkers\"",
            "2:1 unknown key `gaem` in the top of the file => write `game`",
        ),
        (
            "game = \"checkers\"\ntitle2 = 1\n\"\\u001b[2J\" = 2",
            "3:1 unknown key `title2` in the top of the file => write `title`",
        ),
        (
            "seed = 1",
            "1:1 `game` is missing in the top of the file => write for example `game = \"checkers\"`",
        ),
        (
            "game = \"checkers\"\nrules = \"addendum\"",
            "3:9 `rules`: checkers has one set of rules => remove it",
        ),
        (
            "game = \"halma\"\nrules = \"adendum\"",
            "3:9 `rules`: `adendum` is not a rule set of Halma: choose one of `addendum`, `original` => write `rules = \
             \"addendum\"`",
        ),
        (
            "game = \"checkers\"\nseed = -1",
            "3:8 `seed`: expected a whole number of zero or more, found `-1` => write for example `seed = 0`",
        ),
        (
            "game = \"checkers\"\nseed = 1.5",
            "3:8 `seed`: expected a whole number of zero or more, found `1.5` => write for example `seed = 0`",
        ),
        (
            "game = \"checkers\"\ntolerance = \"tolerent\"",
            "3:13 `tolerance`: expected `tolerant` or `exact`, found `tolerent` => write `tolerance = \"tolerant\"`",
        ),
        (
            "game = \"checkers\"\nminimum_isolation = \"none\"",
            "3:21 `minimum_isolation`: expected `bare`, `confined` or `sealed`, found `none` => write for example \
             `minimum_isolation = \"confined\"`",
        ),
        (
            "game = \"checkers\"\nclock = 300",
            "3:9 `clock`: expected one section `[clock]`, found `300` => write `[clock]` on a line of its own, its \
             keys below it",
        ),
        (
            "game = \"checkers\"\n[[clock]]\ngrace = 1",
            "3:1 `clock`: expected one section `[clock]`, found a list => write `[clock]` on a line of its own, its \
             keys below it",
        ),
        (
            "game = \"checkers\"\n[grade]\nkind = \"games\"",
            "3:1 `grade`: expected sections `[[grade]]`, in two brackets, found a table => write `[[grade]]` on a line \
             of its own, its keys below it",
        ),
        (
            "game = \"checkers\"\nplay_time = 300",
            "3:1 unknown key `play_time` in the top of the file => move it to `[clock]`, `[[grade]]` of kind `games` \
             or `[competition]`, or remove it",
        ),
        (
            "game = \"checkers\"\n[submission]\nprogramms = 1",
            "4:1 unknown key `programms` in `[submission]` => write `programs`",
        ),
        (
            "game = \"checkers\"\n[submission]\nprograms = {}",
            "4:12 `programs`: expected at least one file name => write for example `programs = { \"homework.py\" = \
             \"python3\" }`",
        ),
        (
            "game = \"checkers\"\n[submission.programs]\n\"homework.cpp\" = \"c++15\"",
            "4:18 expected a language (`python2`, `python3`, `c++98`, `c++11`, `c++14`, `c++17`, `c++20` or `java`), \
             found `c++15` \
             => write `\"homework.cpp\" = \"c++11\"`",
        ),
        (
            "game = \"checkers\"\n[submission.programs]\n\"home/work.py\" = \"python3\"",
            "4:1 expected a file name without a directory, with at most one `*`, such as `homework.py` or `hw1*.py`, \
             found \
             `home/work.py` => write for example `programs = { \"homework.py\" = \"python3\" }`",
        ),
        (
            "game = \"checkers\"\n[submission.programs]\n\"homework.cc\" = \"c++17\"",
            "4:1 expected a name that ends in `.cpp` for C++17, found `homework.cc` => write a name such as \
             `homework.cpp`",
        ),
        (
            "game = \"checkers\"\n[clock]\ncharge = \"usr\"",
            "4:10 `charge`: expected `cpu` or `user`, found `usr` => write `charge = \"user\"`",
        ),
        (
            "game = \"checkers\"\n[clock]\nplay_time = 0",
            "4:13 `play_time`: expected seconds above 0 and up to 86400, found `0` => write for example `play_time = \
             300`",
        ),
        (
            "game = \"checkers\"\n[clock]\nplay_time = 300000",
            "4:13 `play_time`: expected seconds above 0 and up to 86400, found `300000` => write for example \
             `play_time = 300`",
        ),
        (
            "game = \"checkers\"\n[clock]\nplay_time = \"300\"",
            "4:13 `play_time`: expected seconds above 0 and up to 86400, found the text `300` => write for example \
             `play_time = 300`",
        ),
        (
            "game = \"checkers\"\n[clock]\nplay_time = inf",
            "4:13 `play_time`: expected seconds above 0 and up to 86400, found `inf` => write for example `play_time = \
             300`",
        ),
        (
            "game = \"checkers\"\n[clock]\ngrace = -0.5",
            "4:9 `grace`: expected seconds from 0 to 86400, found `-0.5` => write for example `grace = 10`",
        ),
        (
            "game = \"checkers\"\n[clock]\nwall_limit_factor = 0",
            "4:21 `wall_limit_factor`: expected a whole number from 1 to 1000, found `0` => write for example \
             `wall_limit_factor \
             = 3`",
        ),
        (
            "game = \"checkers\"\n[limits]\nmemory = 512",
            "4:1 unknown key `memory` in `[limits]` => remove it; there are `memory_mib`, `processes`, \
             `file_size_mib`, \
             `directory_size_mib`, `directory_files`, `open_files` and `output_size_kib`",
        ),
        (
            "game = \"checkers\"\n[limits]\nopen_files = 4",
            "4:14 `open_files`: expected a whole number from 16 to 65536, found `4` => write for example `open_files = \
             256`",
        ),
        (
            "game = \"checkers\"\n[draws]\nrepetitions = false",
            "4:15 `repetitions`: expected a whole number from 1 to 100000, or `none`, found `false` => write for \
             example `repetitions = 3`",
        ),
    ];
    for (lines, expected) in cases {
        let text = format!("{TITLE}{lines}{COMPETITION}");
        let found = faults(&text);
        assert_eq!(found[0], expected, "{text}");
        let others = if lines.contains("u001b") { 2 } else { 1 };
        assert_eq!(found.len(), others, "{found:#?}");
    }
}

#[test]
fn a_title_is_a_line_that_says_something() {
    let expected = "1:9 `title`: expected a line of text, found";
    for (title, found) in [
        ("\"\"", "the text ``"),
        ("\"a\\nb\"", r"the text `a\nb`"),
        ("\"\\u001b[2J\"", r"the text `\u{1b}[2J`"),
        ("3", "`3`"),
    ] {
        let text = format!("title = {title}\ngame = \"checkers\"{COMPETITION}");
        assert!(
            faults(&text)[0].starts_with(&format!("{expected} {found} =>")),
            "{:?}",
            faults(&text)
        );
    }
    let nothing =
        "1:1 the assignment has no `[[grade]]` and no `[competition]` => add a `[[grade]]`, a `[competition]` or both";
    assert_eq!(faults("title = \"T\"\ngame = \"checkers\""), [nothing]);
}

/// Each has the lines that are given after `[[grade]]`, from line 4 on.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn each_fault_of_a_criterion_has_its_place_and_its_remedy() {
    let games = "kind = \"games\"\npoints_each = 10\nopponent = \"builtin:minimax\"\n";
    let builtin = "builtin:minmax".parse::<AgentSpec>().unwrap_err();
    let opponent = format!("6:12 `opponent`: {builtin} => write for example `opponent = \"builtin:minimax\"`");
    let cases = [
        (
            "points_each = 1",
            "3:1 `kind` is missing in `[[grade]]` => write for example `kind = \"games\"`",
        ),
        (
            "kind = \"game\"",
            "4:8 `kind`: expected `single-moves`, `games` or `cases`, found `game` => write `kind = \"games\"`",
        ),
        (
            "kind = \"quiz\"",
            "4:8 `kind`: expected `single-moves`, `games` or `cases`, found `quiz` => write for example `kind = \
             \"games\"`",
        ),
        (
            &format!("{games}games = 9\npositions = \"x\""),
            "8:1 unknown key `positions` in `[[grade]]` of kind `games` => move it to `[[grade]]` of kind \
             `single-moves`, or remove it",
        ),
        (
            &format!("{games}games = 9\nfirst_moves = 3"),
            "8:1 unknown key `first_moves` in `[[grade]]` of kind `games` => write `first_move`",
        ),
        (
            games,
            "3:1 `games` is missing in `[[grade]]` of kind `games` => write for example `games = 9`",
        ),
        (
            &format!("{games}games = 0"),
            "7:9 `games`: expected a whole number from 1 to 9999, found `0` => write for example `games = 9`",
        ),
        (
            &format!("{games}games = 9\nfirst_move = 10"),
            "8:14 `first_move`: expected a whole number from 0 to the number of games, or `lot`, found `10`, but there \
             are 9 games \
             => use at most the number of games",
        ),
        (
            &format!("{games}games = 9\nplay_time = [1, 2, 3]"),
            "8:13 `play_time`: expected one time for each of the 9 games, found 3 times => write 9 times, or one \
             number for all games",
        ),
        (
            &format!("{games}games = 2\nplay_time = [30, 0]"),
            "8:18 `play_time`: expected seconds above 0 and up to 86400, found `0` => write for example `play_time = \
             300`",
        ),
        (
            "kind = \"games\"\npoints_each = 1\nopponent = \"builtin:minmax\"\ngames = 1",
            &opponent,
        ),
        (
            "kind = \"games\"\nopponent = \"builtin:random\"\ngames = 1",
            "3:1 `points_each` is missing in `[[grade]]` of kind `games` => write for example `points_each = 10`",
        ),
        (
            &games
                .replace("10", "0.125")
                .replace("minimax\"", "minimax\"\ngames = 1"),
            "5:15 `points_each`: expected points above 0 and up to 1000 with at most two decimals, found `0.125` \
             => write for example `points_each = 10`",
        ),
        (
            &games.replace("10", "0").replace("minimax\"", "minimax\"\ngames = 1"),
            "5:15 `points_each`: expected points above 0 and up to 1000 with at most two decimals, found `0` \
             => write for example `points_each = 10`",
        ),
        (
            &format!("{games}games = 1\nname = \"Games!\""),
            "8:8 `name`: expected small letters, digits and single hyphens, 60 at most, found the text `Games!` \
             => write for example `name = \"games-minimax\"`",
        ),
        (
            &format!("{games}games = 9\n[[grade]]\n{games}games = 9"),
            "8:1 another `[[grade]]` is also named `games` => choose another name, such as `name = \"games-2\"`",
        ),
        (
            &format!("{games}games = 9999\n[[grade]]\nname = \"b\"\n{games}games = 9999").replace("= 10\n", "= 60\n"),
            "8:1 the assignment is worth more than 1000000 points => reduce the points",
        ),
        (
            "kind = \"single-moves\"\npoints_each = 1\ntime = 30",
            "3:1 `positions` is missing in `[[grade]]` of kind `single-moves` => write for example `positions = \
             \"positions\"`",
        ),
        (
            "kind = \"single-moves\"\npoints_each = 1\npositions = \"p\"",
            "3:1 `time` is missing in `[[grade]]` of kind `single-moves` => write for example `time = 30`",
        ),
        (
            "kind = \"cases\"\npoints_each = 1\ncases = \"\"\ntime = 1",
            "6:9 `cases`: expected a folder, found the text `` => write for example `cases = \
             \"star-circle-2018/cases\"`",
        ),
        (
            "kind = \"cases\"\npoints_each = 1\ncases = \"c\"\ntime = 1\nanswers = \"solver\"",
            "8:11 `answers`: no one right answer in checkers that could be computed \
             => write `answers = \"files\"`, or use `kind = \"single-moves\"`",
        ),
    ];
    for (lines, expected) in cases {
        expect_fault_of_criterion(lines, expected);
    }
}

#[test]
fn what_a_draw_is_worth_has_its_place_and_its_remedy() {
    let games = "kind = \"games\"\npoints_each = 0.25\nopponent = \"builtin:minimax\"\ngames = 9\n";
    expect_fault_of_criterion(
        &format!("{games}drawn = \"halff\""),
        "8:9 `drawn`: expected `by-time`, `half` or `won`, found `halff` => write `drawn = \"half\"`",
    );
    expect_fault_of_criterion(
        &format!("{games}drawn = \"half\""),
        "8:9 `drawn`: half of 0.25 points has more than two decimal places => use an even number of hundredths for \
         `points_each`",
    );
}

#[test]
fn bands_of_win_rates_have_their_place_and_their_remedy() {
    let games = "kind = \"games\"\nopponent = \"builtin:minimax\"\ngames = 9\n";
    let bands = |bands: &str| format!("{games}points_by_win_rate = {bands}");
    let cases = [
        (
            "90",
            "7:22 `points_by_win_rate`: expected a list of bands, found `90` => write for example `points_by_win_rate \
             = \
             [{ from = 90, points = 25 }, { from = 70, points_times_rate = 15 }]`",
        ),
        (
            "[]",
            "7:22 `points_by_win_rate`: expected at least one band => write for example `points_by_win_rate = \
             [{ from = 90, points = 25 }, { from = 70, points_times_rate = 15 }]`",
        ),
        (
            "[{ points = 25 }]",
            "7:23 `from` is missing in a band of `points_by_win_rate` => write for example `from = 70`",
        ),
        (
            "[{ from = 101, points = 25 }]",
            "7:32 `from`: expected a whole number of per cent from 0 to 100, found `101` => write for example `from = \
             70`",
        ),
        (
            "[{ from = 90, point = 25, points = 2 }]",
            "7:36 unknown key `point` in a band of `points_by_win_rate` => write `points`",
        ),
        (
            "[{ from = 90 }]",
            "7:23 `points_by_win_rate`: a band needs `points` or `points_times_rate`, and this one has neither \
             => write for example `{ from = 70, points_times_rate = 15 }`",
        ),
        (
            "[{ from = 90, points = 2, points_times_rate = 3 }]",
            "7:23 `points_by_win_rate`: a band earns `points` or `points_times_rate`, not both => remove one of them",
        ),
        (
            "[{ from = 50, points = 2 }, { from = 50, points = 3 }]",
            "7:50 `points_by_win_rate`: two bands start at 50 % => change one `from`, or remove one band",
        ),
        (
            "[{ from = 50, points = 2 }, { from = 0, points_times_rate = 10 }]",
            "7:22 `points_by_win_rate`: the band from 50 % starts at 2 points, but the band below reaches 5 \
             => a higher win rate must not earn fewer points",
        ),
    ];
    for (written, expected) in cases {
        expect_fault_of_criterion(&bands(written), expected);
    }
    expect_fault_of_criterion(
        &format!("{}\npoints_each = 1", bands("[{ from = 50, points = 2 }]")),
        "8:15 `points_each`: games earn points individually or by win rate, not both \
         => remove `points_each` or `points_by_win_rate`",
    );
}

fn expect_fault_of_criterion(lines: &str, expected: &str) {
    let text = format!("{TITLE}game = \"checkers\"\n[[grade]]\n{lines}\n");
    assert_eq!(faults(&text), [expected], "{text}");
}

/// Each has the lines that are given after `[competition]`, from line 4 on.
#[test]
fn each_fault_of_a_competition_has_its_place_and_its_remedy() {
    let cases = [
        (
            "games_per_pairing = 2",
            "3:1 `format` is missing in `[competition]` => write for example `format = \"elimination\"`",
        ),
        (
            "format = \"eliminate\"",
            "4:10 `format`: expected `round-robin`, `gauntlet`, `swiss`, `knockout`, `double-knockout`, `elimination` \
             or \
             `random-rounds`, found `eliminate` => write `format = \"elimination\"`",
        ),
        (
            "format = \"elimination\"\ngames_per_pairing = 3",
            "5:21 `games_per_pairing`: expected an even number in an elimination, where each side moves first in half \
             of the games, found `3` => write `games_per_pairing = 4`, or draw with `first_move = \"lot\"`",
        ),
        (
            "format = \"round-robin\"\ngames_per_pairing = 0",
            "5:21 `games_per_pairing`: expected a whole number from 1 to 1000, found `0` => write for example \
             `games_per_pairing = 4`",
        ),
        (
            "format = \"knockout\"\nrounds = 3",
            "5:1 unknown key `rounds` in `[competition]` => move it to `[competition]` of format `swiss` or \
             `[competition]` of format `random-rounds`, or remove it",
        ),
        (
            "format = \"swiss\"",
            "3:1 `rounds` is missing in `[competition]` of format `swiss` => write for example `rounds = 20`",
        ),
        (
            "format = \"random-rounds\"\nrounds = 20\nopponents = 0",
            "6:13 `opponents`: expected a whole number from 1 to 1000, found `0` => write for example `opponents = 5`",
        ),
        (
            "format = \"gauntlet\"\nchallenger = \"a/b\"",
            "5:14 `challenger`: expected the name of a submission, found the text `a/b` => write for example \
             `challenger = \"ada\"`",
        ),
        (
            "format = \"knockout\"\nopening_plies = 101",
            "5:17 `opening_plies`: expected a whole number from 0 to 100, found `101` => write for example \
             `opening_plies = 0`",
        ),
    ];
    for (lines, expected) in cases {
        let text = format!("{TITLE}game = \"checkers\"\n[competition]\n{lines}\n");
        assert_eq!(faults(&text), [expected], "{text}");
    }
}

#[test]
fn what_is_not_toml_is_told_as_such_and_whole() {
    let text = "title = T\ngame = \"checkers\nseed = 3\nseed = 4\n[clock\ngrace = 1\n";
    let found = faults(text);
    assert!(found.iter().all(|fault| fault.contains(" not TOML: ")), "{found:#?}");
    let lines: Vec<_> = found.iter().filter_map(|fault| fault.split(':').next()).collect();
    for line in ["1", "2", "4", "5"] {
        assert!(lines.contains(&line), "line {line}: {found:#?}");
    }
}

/// The list as a terminal shows it.
#[test]
fn all_faults_are_told_at_once_and_counted() {
    let text = r#"titel = "x"
title = "Homework 2"
game = "halma"
rules = "adendum"

[clock]
charge = "usr"
grace = "10"

[[grade]]
kind = "single-moves"
positions = "\u001b[2J"
points_each = 1

[[grade]]
kind = "games"
opponent = "builtin:minimax"
games = 9
first_move = 12
play_time = [100, 100, 60, 60, 30, 30, 300, 0]
points_each = 0.125

[competition]
format = "elimination"
games_per_pairing = 3
rounds = 3
"#;
    let faults = Assignment::parse(text, Path::new("hw2.toml")).unwrap_err();
    insta::assert_snapshot!(faults.to_string());
}

#[test]
fn thousands_of_faults_are_told_one_by_one() {
    let mut text = String::new();
    for number in 0..5000 {
        writeln!(text, "k{number} = 1").unwrap();
    }
    let faults = Assignment::parse(&text, Path::new("hw2.toml")).unwrap_err();
    // All of them, `title`, `game`, and that there is nothing to do.
    assert_eq!(faults.all().len(), 5003);
}
