//! A program that is not `referee` runs a match, a competition and a grading, and hears what happens.

use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use referee::runs::{
    CompetitionRequest, GamePlan, GradingRequest, MatchRequest, MatchTerms, NamedClass, OnProgress, PlanState,
    Progress, RunFailure, RunOptions, compete, grade, load_competition, load_grading, plan_next, play_match,
    prepare_competition,
};
use referee_course::grading::GradingState;
use referee_games::{GameRef, KnownGames};
use referee_matches::tournament::{RunEvent, Slots};
use referee_records::{Conditions, RunFolder, RunKind};
use referee_seat::{Isolation, SeatOptions};
use referee_submissions::agents::Python2;
use referee_time::CpuTime;
use tempfile::TempDir;

use crate::toolbox::{PYTHON3, require};

const ASSIGNMENT: &str = r#"
title = "Homework of the tests"
game = "checkers"
minimum_isolation = "bare"

[draws]
turn_limit = 4

[[grade]]
kind = "games"
name = "random"
opponent = "builtin:random"
games = 2
points_each = 1

[competition]
format = "knockout"
agents = ["ann=builtin:random,seed=1", "bob=builtin:random,seed=2", "cyd=builtin:random,seed=3"]
"#;

fn referee() -> PathBuf {
    env!("CARGO_BIN_EXE_referee").into()
}

fn assignment(room: &TempDir) -> PathBuf {
    let path = room.path().join("assignment.toml");
    fs::write(&path, ASSIGNMENT).unwrap();
    path
}

fn options(out: PathBuf) -> RunOptions {
    RunOptions {
        out,
        slots: Slots::anywhere(2),
        isolation: Some(Isolation::Bare),
        meter: None,
        python2: Python2::Required,
        referee: Some(referee()),
        known_games: KnownGames::builtin(),
    }
}

/// The progress that was told of, a word each.
#[derive(Clone, Default)]
struct ProgressLog(Arc<Mutex<Vec<&'static str>>>);

impl ProgressLog {
    fn on_progress(&self) -> OnProgress {
        let words = Arc::clone(&self.0);
        Arc::new(move |progress| {
            let word = match progress {
                Progress::ClassRead(_) => "class",
                Progress::Opened { .. } => "opened",
                Progress::PlayBegan { .. } => "began",
                Progress::Event(RunEvent::GameFinished(_)) => "finished",
                Progress::PlayEnded => "ended",
                Progress::RoundsPlanned(_) => "planned",
                _ => return,
            };
            words.lock().push(word);
        })
    }

    /// The words since the last time.
    fn words(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.0.lock())
    }
}

fn done<T>(work: impl Future<Output = Result<T, RunFailure>>) -> Result<T, RunFailure> {
    tokio::runtime::Runtime::new().unwrap().block_on(work)
}

fn match_in(out: &Path, games: u32) -> MatchRequest {
    let game: GameRef = "checkers".parse().unwrap();
    let conditions = Conditions::usual(game, CpuTime::from_secs(300));
    MatchRequest {
        agents: ["builtin:random", "builtin:random"].map(|agent| agent.parse().unwrap()).into(),
        plan: GamePlan { game, seed: 7, games, opening_plies: 0 },
        sprt: None,
        terms: MatchTerms {
            assignment: None,
            seats: SeatOptions { keeper: Some(referee()), ..SeatOptions::default() },
            python2: Python2::default(),
            conditions,
            out: Some(out.to_owned()),
            known_games: KnownGames::builtin(),
        },
        slots: Slots::anywhere(2),
    }
}

#[test]
fn a_match_is_played_resumed_and_refused_where_another_is() {
    let room = TempDir::new().unwrap();
    let (out, log) = (room.path().join("run"), ProgressLog::default());
    let played = done(play_match(match_in(&out, 2), log.on_progress())).unwrap();
    let names: Vec<&str> = played.manifest.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["random-1", "random-2"]);
    assert_eq!(played.folder.finished(&played.manifest).len(), 2);
    assert_eq!(log.words(), ["opened", "began", "finished", "finished", "ended"]);
    done(play_match(match_in(&out, 2), log.on_progress())).unwrap();
    assert_eq!(log.words(), ["opened", "began", "ended"]);
    let other = done(play_match(match_in(&out, 4), log.on_progress()));
    assert!(matches!(&other, Err(RunFailure::Request(_))), "{other:?}");
    let within = done(play_match(match_in(&out.join("games"), 2), log.on_progress()));
    assert!(matches!(&within, Err(RunFailure::Request(_))), "{within:?}");
    assert_eq!(log.words(), [""; 0]);
}

/// Where this process keeps the copy of the file `name` of a submission.
fn copies(name: &str) -> Vec<PathBuf> {
    let scratch = fs::read_dir(std::env::temp_dir()).unwrap().map_while(Result::ok);
    let builds = scratch.filter(|entry| entry.file_name().to_string_lossy().starts_with("referee-builds."));
    let agents = builds.filter_map(|builds| fs::read_dir(builds.path()).ok()).flatten().map_while(Result::ok);
    agents.map(|agent| agent.path().join("sources").join(name)).filter(|copy| copy.exists()).collect()
}

#[test]
fn an_agent_whose_copy_is_removed_has_lost_nothing() {
    require!(PYTHON3);
    let room = TempDir::new().unwrap();
    let agent = room.path().join(format!("cleaned-{}.py", std::process::id()));
    fs::write(&agent, "open('output.txt', 'w').write('E a1 h8\\n')\n").unwrap();
    let name = agent.file_name().unwrap().to_string_lossy().into_owned();
    let clean: OnProgress = Arc::new(move |progress| {
        if let Progress::Event(RunEvent::GameBegan(_)) = progress {
            for copy in copies(&name) {
                fs::remove_file(copy).unwrap();
            }
        }
    });
    let out = room.path().join("run");
    let mut request = match_in(&out, 2);
    request.agents[0] = agent.to_string_lossy().parse().unwrap();
    request.slots = Slots::anywhere(1);
    match done(play_match(request, clean)) {
        Err(RunFailure::Machine(problem)) => {
            assert!(
                problem.what.starts_with("cannot continue: files of an agent were removed from `"),
                "{}",
                problem.what
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read_dir(out.join("games")).unwrap().count(), 0);
}

fn competition(path: &Path, out: PathBuf) -> CompetitionRequest {
    let (assignment, competition) = load_competition(path, &KnownGames::builtin()).unwrap();
    CompetitionRequest {
        path: path.to_owned(),
        assignment,
        competition,
        agents: vec!["dan=builtin:random,seed=4".to_owned()],
        class: None,
        roster: None,
        part: None,
        withdraw: vec![],
        options: options(out),
    }
}

#[test]
fn a_competition_is_planned_played_round_by_round_and_over() {
    let room = TempDir::new().unwrap();
    let path = assignment(&room);
    let (out, log) = (room.path().join("run"), ProgressLog::default());
    let builds = TempDir::new().unwrap();
    let request = competition(&path, out.clone());
    let runner = prepare_competition(&request, builds.path(), &log.on_progress()).unwrap();
    assert_eq!(runner.participants.len(), 4);
    assert_eq!(log.words(), ["class", "opened"]);
    let first = plan_next(&out, &[], &KnownGames::builtin()).unwrap().state;
    assert!(matches!(first, PlanState::Planned { round: 1, .. }), "{first:?}");
    let played = done(compete(request, log.on_progress())).unwrap();
    assert!(played.is_over);
    assert_eq!(played.manifest.kind, RunKind::Competition);
    let mut words = log.words();
    words.retain(|word| *word != "finished");
    // The first round was planned before, and drawn encounters are played again.
    let rounds = ["began", "ended", "planned"].into_iter().cycle();
    let rounds = rounds.take(3 * played.manifest.rounds.len() - 1);
    let expected: Vec<&str> = ["class", "opened"].into_iter().chain(rounds).collect();
    assert_eq!(words, expected);
    let over = plan_next(&out, &[], &KnownGames::builtin()).unwrap().state;
    assert!(matches!(&over, PlanState::Over { winners } if winners.len() == 1), "{over:?}");
}

#[test]
fn a_grading_gives_points_or_the_reason_why_not() {
    require!(PYTHON3);
    let room = TempDir::new().unwrap();
    let path = assignment(&room);
    let submit = |student: &str, file: &str, text: &str| {
        let folder = room.path().join("class").join(student);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
    };
    submit("ada", "homework.py", "open('output.txt', 'w').write('E a1 h8\\n')\n");
    submit("bob", "essay.txt", "I could not do it.\n");
    let log = ProgressLog::default();
    let request = |out: PathBuf| {
        let assignment = load_grading(&path, &KnownGames::builtin()).unwrap();
        let class = NamedClass::import(
            Some(&room.path().join("class")),
            &[],
            &assignment.submission.names,
            (None, None),
            &room.path().join("unpacked"),
            &log.on_progress(),
        );
        GradingRequest {
            path: path.clone(),
            assignment,
            class: class.unwrap(),
            regrade: vec![],
            recheck: 0,
            exports: vec![],
            options: options(out),
        }
    };
    let out = room.path().join("run");
    let gradebook = done(grade(request(out.clone()), log.on_progress())).unwrap();
    let states = gradebook.students.iter().map(|student| {
        let is_graded = matches!(student.state, GradingState::Graded);
        (student.name.as_str(), is_graded, student.points.to_string())
    });
    let expected = [("ada", true, "0".to_owned()), ("bob", false, "0".to_owned())];
    assert_eq!(states.collect::<Vec<_>>(), expected);
    assert_eq!(log.words(), ["class", "opened", "began", "finished", "finished", "ended"]);
    let (folder, manifest) = RunFolder::open_with_manifest(&out, &KnownGames::builtin()).unwrap();
    assert_eq!((manifest.kind, folder.finished(&manifest).len()), (RunKind::Grading, 2));
    assert_eq!(done(grade(request(out), log.on_progress())).unwrap(), gradebook);
    assert_eq!(log.words(), ["class", "opened"]);
    let among = done(grade(request(room.path().join("class/run")), log.on_progress()));
    assert!(matches!(&among, Err(RunFailure::Request(_))), "{among:?}");
}
