//! Assignment files: the shipped ones match the handouts, and folders are read as documented.

use std::fs;
use std::path::{Path, PathBuf};

use referee_course::assignment::{
    Assignment, Criterion, CriterionKind, CriterionPoints, DrawPoints, FirstMoves, Points, QuestionFolder,
    QuestionText, RightAnswers,
};
use referee_games::protocol::Tolerance;
use referee_games::{DrawRules, KnownGames};
use referee_matches::tournament::{ExtraGameStart, Format, RankBy};
use referee_seat::{Charge, Isolation, Limits};
use referee_submissions::agents::{CppStandard, FileNames, Language, PythonVersion};
use referee_time::{CpuTime, WallTime};

fn shipped(name: &str) -> Assignment {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments").join(name);
    let text = fs::read_to_string(&path).unwrap();
    Assignment::parse(&text, Path::new(name), &KnownGames::builtin()).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The maximum points of a criterion with these questions; games have none.
pub(crate) fn max_points(criterion: &Criterion, questions: &[QuestionText]) -> Points {
    criterion.worth.most(criterion.kind.items(questions)).unwrap()
}

fn seconds(times: &[u64]) -> Vec<CpuTime> {
    times.iter().copied().map(CpuTime::from_secs).collect()
}

/// What all four have in common.
fn assert_common(assignment: &Assignment, grace: u64) {
    assert_eq!(assignment.tolerance, Tolerance::Tolerant);
    assert_eq!(assignment.minimum_isolation, Isolation::Confined);
    assert_eq!((assignment.limits, assignment.seed), (Limits::default(), 0));
    let clock = &assignment.clock;
    assert_eq!((clock.charge, clock.play_time), (Charge::Cpu, CpuTime::from_secs(300)));
    assert_eq!(clock.grace, CpuTime::from_secs(grace));
    assert_eq!((clock.wall_limit_factor, clock.wall_limit_extra), (3, WallTime::from_secs(10)));
}

/// The criteria of the two handouts with ten single moves and nine games.
fn moves_and_games(folder: &str) -> [Criterion; 2] {
    [
        Criterion {
            name: "single-moves".to_owned(),
            title: "Single moves".to_owned(),
            worth: CriterionPoints::Each("1".parse().unwrap()),
            kind: CriterionKind::Questions(QuestionFolder {
                folder: PathBuf::from(folder).join("positions"),
                answers: RightAnswers::LegalMoves,
                time: CpuTime::from_secs(30),
            }),
        },
        games("minimax", 5, &[100, 100, 60, 60, 30, 30, 300, 10, 5], "10"),
    ]
}

fn games(opponent: &str, first_move: u32, play_times: &[u64], points_each: &str) -> Criterion {
    Criterion {
        name: format!("games-{opponent}"),
        title: format!("Games against {opponent}"),
        worth: CriterionPoints::Each(points_each.parse().unwrap()),
        kind: CriterionKind::Games {
            opponent: format!("builtin:{opponent}").parse().unwrap(),
            opponent_name: opponent.parse().unwrap(),
            first_move: FirstMoves::Count(first_move),
            play_times: seconds(play_times),
            drawn: DrawPoints::ByTime,
        },
    }
}

#[test]
fn checkers_is_as_in_its_handout() {
    let assignment = shipped("checkers-2021.toml");
    assert_common(&assignment, 0);
    assert_eq!(assignment.title, "CSCI-561 Spring 2021, homework 2");
    assert_eq!(assignment.game, referee_games::checkers::ID);
    let draws = DrawRules { idle_turns: Some(50), repetitions: Some(3), turn_limit: None };
    assert_eq!(assignment.draws, draws);
    assert_eq!(assignment.criteria, moves_and_games("checkers-2021"));
    assert_eq!(max_points(&assignment.criteria[1], &[]).to_string(), "90");
    let competition = assignment.competition.unwrap();
    assert_eq!(competition.format, Format::Elimination { round_limit: 100 });
    assert_eq!((competition.games_per_pairing, competition.opening_plies), (4, 0));
    assert_eq!(competition.play_time, CpuTime::from_secs(300));
}

#[test]
fn heirs_is_as_in_its_handout() {
    let assignment = shipped("heirs-2026.toml");
    assert_common(&assignment, 0);
    assert_eq!(assignment.title, "CSCI-561 Spring 2026, homework 2");
    assert_eq!(assignment.game, referee_games::heirs::ID);
    let names = &assignment.submission.names;
    assert_eq!(names.language_by_extension("homework.cpp"), CPP17);
    let draws = DrawRules { idle_turns: Some(100), repetitions: Some(3), turn_limit: None };
    assert_eq!(assignment.draws, draws);
    let criteria = ["random", "minimax"].map(|opponent| games(opponent, 5, &[300; 10], "5"));
    assert_eq!(assignment.criteria, criteria);
    let competition = assignment.competition.unwrap();
    assert_eq!(competition.format, Format::Elimination { round_limit: 100 });
    assert_eq!((competition.games_per_pairing, competition.opening_plies), (10, 0));
}

#[test]
fn little_go_is_graded_by_win_rates_as_in_its_handout() {
    let assignment = shipped("little-go-2020.toml");
    let bands = |criterion: &Criterion| match &criterion.worth {
        CriterionPoints::ByWinRate(bands) => (criterion.name.clone(), bands.to_string(), bands.most()),
        CriterionPoints::Each(points) => panic!("{}: {points} each", criterion.name),
    };
    let top = "25 points from 90 %";
    let easy = format!("{top}, 15 points x win rate from 70 %, none below");
    let hard = format!("{top}, 20 points x win rate from 70 %, 10 points x win rate from 0 %");
    let most: Points = "25".parse().unwrap();
    let expected = [("random", &easy), ("greedy", &easy), ("aggressive", &hard), ("alpha-beta", &hard)]
        .map(|(name, bands)| (format!("games-{name}"), bands.clone(), most));
    assert_eq!(assignment.criteria.iter().map(bands).collect::<Vec<_>>(), expected);
    for criterion in &assignment.criteria {
        let CriterionKind::Games { first_move, play_times, .. } = &criterion.kind else {
            panic!("{criterion:?}");
        };
        assert_eq!((*first_move, play_times.len()), (FirstMoves::Count(50), 100));
    }
    let competition = assignment.competition.unwrap();
    assert_eq!(
        (competition.games_per_pairing, competition.extra_game_start, competition.rank_by),
        (11, ExtraGameStart::ByLot, RankBy::Pairings)
    );
}

#[test]
fn the_staffs_competition_is_as_in_its_logs() {
    let assignment = shipped("checkers-2021-staff.toml");
    assert_eq!((assignment.game, assignment.clock.charge), (referee_games::checkers::ID, Charge::User));
    assert_eq!(assignment.criteria, []);
    let competition = assignment.competition.unwrap();
    assert_eq!(competition.format, Format::RandomRounds { opponents: 5, rounds: 20 });
    assert_eq!((competition.games_per_pairing, competition.opening_plies), (4, 0));
    assert_eq!(competition.play_time, CpuTime::from_secs(300));
}

#[test]
fn halma_is_as_in_its_handout() {
    let assignment = shipped("halma-2019.toml");
    assert_common(&assignment, 10);
    assert_eq!(assignment.title, "CSCI-561 Fall 2019, homework 2");
    assert_eq!(assignment.game, referee_games::halma::ID);
    let draws = DrawRules { idle_turns: None, repetitions: None, turn_limit: Some(1000) };
    assert_eq!(assignment.draws, draws);
    assert_eq!(assignment.criteria, moves_and_games("halma-2019"));
    let competition = assignment.competition.unwrap();
    assert_eq!(competition.format, Format::Elimination { round_limit: 100 });
    assert_eq!((competition.games_per_pairing, competition.opening_plies), (4, 0));
}

#[test]
fn duo_othello_is_as_in_its_handout() {
    let assignment = shipped("duo-othello-2024.toml");
    assert_common(&assignment, 0);
    assert_eq!(assignment.title, "CSCI-561 Spring 2024, homework 2");
    assert_eq!(assignment.game, referee_games::othello::ID);
    assert_eq!(assignment.submission.names.language_by_extension("homework.cpp"), CPP17);
    assert_eq!(assignment.draws, DrawRules { idle_turns: None, repetitions: None, turn_limit: None });
    let criteria = ["random", "minimax"].map(|opponent| games(opponent, 5, &[300; 10], "5"));
    assert_eq!(assignment.criteria, criteria);
    let points: Points = assignment.criteria.iter().map(|criterion| max_points(criterion, &[])).sum();
    assert_eq!(points.to_string(), "100");
    let competition = assignment.competition.unwrap();
    assert_eq!((competition.format, competition.games_per_pairing), (Format::Swiss { rounds: 9 }, 2));
}

#[test]
fn star_and_circle_is_as_in_its_handout() {
    let assignment = shipped("star-circle-2018.toml");
    assert_common(&assignment, 0);
    assert_eq!(assignment.title, "CSCI-561 Spring 2018, homework 1");
    assert_eq!(assignment.game.name(), "star-circle");
    assert_eq!(assignment.competition, None);
    let cases = Criterion {
        name: "cases".to_owned(),
        title: "Test cases".to_owned(),
        worth: CriterionPoints::Each("2".parse().unwrap()),
        kind: CriterionKind::Questions(QuestionFolder {
            folder: "star-circle-2018/cases".into(),
            answers: RightAnswers::Files,
            time: CpuTime::from_secs(180),
        }),
    };
    assert_eq!(assignment.criteria, [cases]);
}

const PYTHON2: Option<Language> = Some(Language::Python(PythonVersion::Two));
const PYTHON3: Option<Language> = Some(Language::Python(PythonVersion::Three));
const CPP11: Option<Language> = Some(Language::Cpp(CppStandard::Cpp11));
const CPP14: Option<Language> = Some(Language::Cpp(CppStandard::Cpp14));
const CPP17: Option<Language> = Some(Language::Cpp(CppStandard::Cpp17));

#[test]
fn names_tell_languages_by_the_year() {
    let years = ["star-circle-2018", "halma-2019", "checkers-2021", "checkers-2021-staff", "duo-othello-2024"];
    let years = years.map(|year| shipped(&format!("{year}.toml")).submission.names);
    let python = [PYTHON2, PYTHON2, PYTHON3, PYTHON3, PYTHON3];
    let cpp = [CPP14, CPP14, CPP14, CPP14, CPP17];
    let cases = [
        ("homework.py", python),
        ("calibrate.py", python),
        ("homework2.py", [PYTHON2; 5]),
        ("homework3.py", [PYTHON3; 5]),
        ("homework.cpp", cpp),
        ("ada.cpp", cpp),
        ("calibrate.cpp", cpp),
        ("homework11.cpp", [CPP11; 5]),
        ("homework.java", [Some(Language::Java); 5]),
        ("hw1cs561s2018.py", python),
    ];
    for (file, expected) in cases {
        let found = years.each_ref().map(|names| names.language_by_extension(file));
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn the_names_by_default_are_those_of_the_reference() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/README.md");
    let reference = fs::read_to_string(path).unwrap();
    let written = reference.split("```toml\n").find(|part| part.starts_with("[submission.programs]")).unwrap();
    let (written, _) = written.split_once("```").unwrap();
    let smallest = "title = \"x\"\ngame = \"checkers\"\n[competition]\nformat = \"knockout\"\n";
    let assignment =
        Assignment::parse(&format!("{smallest}{written}"), Path::new("README.md"), &KnownGames::builtin()).unwrap();
    assert_eq!(assignment.submission.names, FileNames::default());
}

#[test]
fn the_reference_names_every_file_that_ships() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments");
    let reference = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let name = path.file_name().unwrap().to_string_lossy();
            assert!(reference.contains(&format!("({name})")), "{name}");
            files += 1;
        }
    }
    assert!(files >= 5, "{files}");
}

#[test]
fn the_smallest_assignment_of_the_reference_is_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/README.md");
    let reference = fs::read_to_string(path).unwrap();
    let (_, rest) = reference.split_once("```toml").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let assignment = Assignment::parse(text, Path::new("README.md"), &KnownGames::builtin()).unwrap();
    assert_eq!(assignment.criteria.len(), 1);
}

#[test]
fn what_is_said_goes_before_the_defaults() {
    let text = r#"
        title = " T "
        game = "halma"
        rules = "original"
        seed = 18_446_744_073_709_551_615
        tolerance = "exact"
        minimum_isolation = "sealed"
        submission.programs = { "my_player.py" = "python2", "my_player3.py" = "python3", "my_*.cpp" = "c++20" }
        submission.provide = "kit"
        clock = { charge = "user", play_time = 12.5, grace = 0.25, wall_limit_factor = 5, wall_limit_extra = 1 }
        limits.memory_mib = 512
        limits.processes = 64
        limits.file_size_mib = 1
        limits.directory_size_mib = 2
        limits.directory_files = 8
        limits.open_files = 16
        limits.output_size_kib = 4
        draws = { idle_turns = 40, turn_limit = "none" }
        [[grade]]
        kind = "games"
        opponent = "builtin:minimax,depth=2"
        games = 3
        points_each = 0.5
    "#;
    let assignment = Assignment::parse(text, Path::new("x.toml"), &KnownGames::builtin()).unwrap();
    assert_eq!((assignment.title.as_str(), assignment.seed), ("T", u64::MAX));
    assert_eq!(assignment.game, referee_games::halma::ORIGINAL);
    let go = &assignment.submission;
    assert_eq!(go.provide.as_deref(), Some(Path::new("kit")));
    assert_eq!(go.names.language_by_extension("my_player.py"), PYTHON2);
    assert_eq!(go.names.language_by_extension("my_player3.py"), PYTHON3);
    assert_eq!(go.names.language_by_extension("my_player_of_ada.cpp"), Some(Language::Cpp(CppStandard::Cpp20)));
    assert_eq!(go.names.language_by_extension("calibrate3.py"), PYTHON2);
    assert_eq!(assignment.minimum_isolation, Isolation::Sealed);
    let conditions = assignment.conditions(CpuTime::from_secs(7));
    assert_eq!((conditions.charge, conditions.tolerance), (Charge::User, Tolerance::Exact));
    assert_eq!(
        (conditions.play_time.black, conditions.play_time.white),
        (CpuTime::from_secs(7), CpuTime::from_secs(7))
    );
    assert_eq!(conditions.grace, CpuTime::from_millis(250));
    assert_eq!((conditions.wall_limit_factor, conditions.wall_limit_extra), (5, WallTime::from_secs(1)));
    let limits = Limits {
        memory_bytes: 512 << 20,
        processes: 64,
        file_bytes: 1 << 20,
        directory_bytes: 2 << 20,
        directory_files: 8,
        open_files: 16,
        output_bytes: 4 << 10,
    };
    assert_eq!(conditions.limits, limits);
    let draws = DrawRules { idle_turns: Some(40), repetitions: None, turn_limit: None };
    assert_eq!(conditions.draws, draws);
    let CriterionKind::Games { first_move, play_times, .. } = &assignment.criteria[0].kind else {
        panic!("{:?}", assignment.criteria);
    };
    // Half of three games, rounded up; the play time of the clock.
    assert_eq!((*first_move, play_times), (FirstMoves::Count(2), &vec![CpuTime::from_millis(12_500); 3]));
    assert_eq!(max_points(&assignment.criteria[0], &[]).to_string(), "1.5");
}

#[test]
fn every_format_is_read() {
    let formats = [
        ("\"round-robin\"", Format::RoundRobin),
        ("\"gauntlet\"\nchallenger = \"ada\"", Format::Gauntlet { challenger: "ada".to_owned() }),
        ("\"swiss\"\nrounds = 7", Format::Swiss { rounds: 7 }),
        ("\"knockout\"", Format::Knockout),
        ("\"double-knockout\"", Format::DoubleKnockout),
        ("\"elimination\"\nround_limit = 9", Format::Elimination { round_limit: 9 }),
        ("\"random-rounds\"\nopponents = 4\nrounds = 20", Format::RandomRounds { opponents: 4, rounds: 20 }),
    ];
    for (lines, format) in formats {
        let text = format!("title = \"T\"\ngame = \"checkers\"\n[competition]\nopening_plies = 6\nformat = {lines}\n");
        let assignment = Assignment::parse(&text, Path::new("x.toml"), &KnownGames::builtin()).unwrap();
        let competition = assignment.competition.unwrap();
        assert_eq!((competition.format, competition.games_per_pairing, competition.opening_plies), (format, 2, 6));
        assert_eq!(competition.play_time, CpuTime::from_secs(300));
    }
}

/// With everything that they name: the points of the handouts, from the files that ship.
#[test]
fn the_shipped_assignments_are_worth_what_their_handouts_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments");
    for name in ["checkers-2021", "halma-2019", "duo-othello-2024", "star-circle-2018", "heirs-2026", "little-go-2020"]
    {
        let path = folder.join(name).with_extension("toml");
        let assignment = Assignment::load(&path, &KnownGames::builtin()).unwrap_or_else(|faults| panic!("{faults}"));
        let points: Points = assignment
            .criteria
            .iter()
            .map(|criterion| max_points(criterion, &criterion.kind.read_questions(assignment.game).unwrap()))
            .sum();
        assert_eq!(points.to_string(), "100", "{name}");
    }
}
