//! What a run does beside its games, so that no processor waits for it: a game's seats are opened before it is its
//! turn, and a result is kept when the next game is under way.
//!
//! Each step waits for the one that it may not come before, and would wait for ever if the run did one after the other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use referee_games::{DrawRules, KnownGames, checkers};
use referee_matches::tournament::{RunEvent, Runner, SelfTest, Slots, TaskList, agent_record, encounter};
use referee_records::{AgentRole, Conditions, Manifest, RunFolder};
use referee_seat::{SeatOptions, meters_available};
use referee_submissions::agents::{AgentSpec, Participant};
use referee_time::CpuTime;

use crate::builder::builder;

/// A run of three short games between built-in agents.
fn runner(folder: &Path) -> Runner {
    let builder = builder();
    let spec: AgentSpec = "builtin:random".parse().expect("it is built in");
    let random = builder.prepare(&spec, folder).expect("it is ready");
    let player = |name: &str| Participant::new(random.clone()).renamed(name.to_owned());
    let participants = ["a", "b"].map(player);
    let conditions = Conditions {
        draws: DrawRules { turn_limit: Some(4), ..DrawRules::default() },
        ..Conditions::usual(checkers::ID, CpuTime::from_secs(300))
    };
    let manifest = Manifest {
        agents: participants.iter().map(|one| agent_record(one, AgentRole::Participant)).collect(),
        games: encounter(checkers::ID, "a", "b", 3),
        ..Manifest::new(checkers::ID, conditions, 1)
    };
    Runner {
        folder: RunFolder::begin(&folder.join("run"), &manifest, &KnownGames::builtin()).expect("the run begins"),
        self_test: SelfTest::new(&manifest, &builder).expect("it is built in"),
        manifest,
        seats: SeatOptions { keeper: Some(env!("CARGO_BIN_EXE_referee").into()), ..SeatOptions::default() },
        participants: BTreeMap::from(participants.map(|one| (one.name().to_owned(), one))),
    }
}

/// The events of a run so far.
#[derive(Clone, Default)]
struct EventLog(Arc<(Mutex<Vec<String>>, Condvar)>);

impl EventLog {
    fn add(&self, what: &str, id: &str) {
        self.0.0.lock().push(format!("{what} {id}"));
        self.0.1.notify_all();
    }

    fn wait_for(&self, expected: &str) {
        let mut events = self.0.0.lock();
        let missing = |events: &mut Vec<String>| !events.iter().any(|event| event == expected);
        let waited = self.0.1.wait_while_for(&mut events, missing, FOR_EVER);
        assert!(!waited.timed_out(), "expected `{expected}`: {events:?}");
    }
}

/// Decides nothing: the event comes in the end on any machine, or never. It makes a fault fail instead of hanging.
const FOR_EVER: Duration = Duration::from_mins(10);

/// The processes that this one has started and not waited for.
fn children() -> usize {
    let threads = fs::read_dir("/proc/self/task").expect("`/proc` is mounted").flatten();
    let listed = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    listed.map(|children| children.split_ascii_whitespace().count()).sum()
}

/// Plays so many games at a time.
fn play(
    runner: Runner,
    games: usize,
    task_list: TaskList,
    on_event: impl Fn(RunEvent) + Clone + Send + Sync + 'static,
) {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be had");
    let played = runtime.block_on(runner.run(task_list, Slots::anywhere(games), on_event));
    played.expect("nothing fails");
}

/// Waits until this process has so many children.
fn wait_for_children(expected: usize) {
    let began = Instant::now();
    while children() < expected {
        assert!(began.elapsed() < FOR_EVER, "nobody has opened the seats of the next game");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Set for a test as a program of its own: it counts the processes of the program that it runs in.
const INSIDE: &str = "REFEREE_TEST_OF_PROCESSES";

/// Whether this program runs the test `name` alone. If not, runs it in a program that does, and expects it to pass.
fn is_alone(name: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let mut alone = Command::new(std::env::current_exe().expect("this program has a path"));
    let name = format!("side_by_side::{name}");
    let ended = alone.args(["--include-ignored", "--exact", &name, "--nocapture"]).env(INSIDE, "1").output();
    let ended = ended.expect("it runs");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let counted = String::from_utf8_lossy(&ended.stdout);
    assert!(counted.contains("1 passed"), "{counted}");
    false
}

#[test]
fn seats_are_opened_ahead_results_are_kept_concurrently_and_no_unwanted_game_is_played() {
    if !is_alone("seats_are_opened_ahead_results_are_kept_concurrently_and_no_unwanted_game_is_played") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a folder can be made");
    let runner_here = runner(scratch.path());
    let log = EventLog::default();
    let events = log.clone();
    let task_list = TaskList::from(runner_here.pending());
    play(runner_here, 2, task_list, move |event| match event {
        RunEvent::GameBegan(pairing) => events.add("began", &pairing.id),
        // The first two games stand still until their own seats and those of the next one are open.
        RunEvent::PositionChanged(id, snapshot) if &*id != "g0003" && snapshot.turns == 1 => {
            wait_for_children(6);
            events.add("counted", &id);
            // A game that goes on and ends takes its seats with it, before the other may have counted them.
            for id in ["g0001", "g0002"] {
                events.wait_for(&format!("counted {id}"));
            }
        }
        // What is told of is on disk, and its place has gone to the next game.
        RunEvent::GameFinished(record) if record.id != "g0003" => {
            events.wait_for("began g0003");
            events.add("finished", &record.id);
        }
        RunEvent::GameFinished(record) => events.add("finished", &record.id),
        RunEvent::PositionChanged(..) | RunEvent::Superseded { .. } | RunEvent::Asked(_) | RunEvent::Answered(_) => {}
        RunEvent::Voided { reason, .. } => panic!("expected no void: {reason}"),
    });
    log.wait_for("finished g0003");
    assert_eq!(children(), 0, "of all seats none is left");

    // Where results decide what is played, the next game waits for a result.
    let scratch = tempfile::tempdir().expect("a folder can be made");
    let runner_here = runner(scratch.path());
    let (log, folder) = (EventLog::default(), runner_here.folder.clone());
    let begun = ["g0001", "g0002"].map(|id| folder.path_of(id));
    let task_list = TaskList::while_wanted(runner_here.pending(), move |_| !begun.iter().any(|record| record.exists()));
    play(runner_here, 2, task_list, move |event| match event {
        RunEvent::GameBegan(pairing) => log.add("began", &pairing.id),
        RunEvent::PositionChanged(..) => log.wait_for("began g0002"),
        RunEvent::GameFinished(_)
        | RunEvent::Superseded { .. }
        | RunEvent::Asked(_)
        | RunEvent::Answered(_)
        | RunEvent::Voided { .. } => {}
    });
    let played = ["g0001", "g0002", "g0003"].map(|id| folder.path_of(id).exists());
    assert_eq!(played, [true, true, false]);
    assert_eq!(children(), 0, "the seats that were opened for nothing are closed");
}

#[test]
fn beside_an_only_game_seats_are_open_only_if_the_meter_keeps_them_apart() {
    if !is_alone("beside_an_only_game_seats_are_open_only_if_the_meter_keeps_them_apart") {
        return;
    }
    let available =
        meters_available(&SeatOptions { keeper: Some(env!("CARGO_BIN_EXE_referee").into()), ..SeatOptions::default() });
    for (meter, _) in available.into_iter().filter(|(_, outcome)| outcome.is_ok()) {
        let scratch = tempfile::tempdir().expect("a folder can be made");
        let mut runner_here = runner(scratch.path());
        runner_here.seats.meter = Some(meter);
        let task_list = TaskList::from(runner_here.pending());
        play(runner_here, 1, task_list, move |event| match event {
            RunEvent::PositionChanged(id, _) if !meter.has_witness() => assert_eq!(children(), 2, "{id}, {meter}"),
            // The first game tells which meter there is.
            RunEvent::PositionChanged(id, _) if &*id == "g0002" => wait_for_children(4),
            RunEvent::Voided { reason, .. } => panic!("expected no void: {reason}"),
            _ => {}
        });
        assert_eq!(children(), 0, "of all seats none is left: {meter}");
    }
}
