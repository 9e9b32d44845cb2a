//! Programs that live for a whole game: questions, answers, the time between turns, and every way to break the
//! protocol.

use std::thread;
use std::time::Duration;

use referee_seat::{
    Exceeded, Isolation, Limits, OutputFile, Program, Protocol, Run, RunRequest, Seat, SeatOptions, Task, Termination,
};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{charged, content, exited, marked, options_at, unique, worker};
use crate::fixtures::fixture;
use crate::levels::levels;

/// Reads a question, up to its empty line, into `$q`; ends with the input.
const READ: &str =
    "ask() { q=; while read -r line && [ -n \"$line\" ]; do q=\"$q$line;\"; done; [ -n \"$q\" ] || exit 0; }\n";

/// A living shell script, with the mark of its processes.
struct LivingSeat {
    seat: Seat,
    mark: String,
}

impl LivingSeat {
    fn new(script: &str) -> Self {
        Self::with(script, *levels().last().unwrap(), SeatOptions::default())
    }

    fn with(script: &str, level: Isolation, options: SeatOptions) -> Self {
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let command = ["/bin/sh", "-c", &format!("{READ}{script}"), &mark].map(Into::into).into();
        let SeatOptions { keeper, isolation, .. } = options_at(level);
        let options = SeatOptions { protocol: Protocol::Stdio, keeper, isolation, ..options };
        let seat = Seat::open(&Program { command, ..Program::default() }, &options).unwrap();
        Self { seat, mark }
    }

    fn ask(&mut self, question: &str) -> Run {
        self.ask_within(question, WallTime::from_secs(600))
    }

    fn ask_within(&mut self, question: &str, wall_limit: WallTime) -> Run {
        let task = Task::Move { input: question.to_owned() };
        self.seat.run(&RunRequest { task, kill_after: CpuTime::from_secs(60), wall_limit }).unwrap()
    }

    /// The CPU time of all its living processes and their threads, in nanoseconds.
    fn used(&self) -> u64 {
        let time = |thread: std::fs::DirEntry| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        };
        let threads = |pid: i32| std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        marked(&self.mark).into_iter().flat_map(threads).filter_map(time).sum()
    }

    /// Ends the game; nothing may be left of it.
    fn end(self) -> Option<(Termination, String)> {
        let directory = self.seat.directory().to_owned();
        let end = self.seat.end_game().unwrap();
        assert!(!directory.exists(), "{} is left", directory.display());
        assert_eq!(marked(&self.mark), [0; 0]);
        end
    }
}

fn unfinished(run: &Run) -> (&str, &str) {
    match &run.output {
        OutputFile::Unfinished { bytes, after_input } => {
            (str::from_utf8(&bytes.0).unwrap(), str::from_utf8(&after_input.0).unwrap())
        }
        other => panic!("expected an unfinished answer, found {other:?}; standard error: {}", run.stderr),
    }
}

/// For programs that wait for ever.
const SOON: WallTime = WallTime::from_millis(300);

#[test]
fn one_process_answers_all_questions_and_ends_with_its_input() {
    for level in levels() {
        let script = "n=0; while ask; do n=$((n + 1)); echo \"$n $q\"; echo; echo \"said $n\" >&2; done";
        let mut game = LivingSeat::with(script, *level, SeatOptions::default());
        for turn in 1..=3 {
            let run = game.ask("GAME\nBLACK\n");
            assert_eq!(
                (&run.ended, content(&run)),
                (&Termination::Answered, format!("{turn} GAME;BLACK;\n").as_bytes())
            );
            assert_eq!(run.between_turns, CpuTime::ZERO, "{level}");
            assert!(run.usage.peak_rss_bytes > 0 && run.startup == CpuTime::ZERO);
        }
        assert_eq!(game.end().unwrap().0, exited(0), "{level}");
    }
}

/// What goes on besides the answers; the first thing burns CPU time alone, the others signal.
const BESIDES: [&str; 4] = [
    "(while :; do :; done) &",
    "(while :; do kill -CONT $$; done) &",
    "(while :; do kill -STOP $$; kill -CONT $$; done) & (while :; do kill -CONT $!; kill -CONT $$; done) &",
    "(while :; do (:) & done) &",
];

#[test]
fn nothing_runs_between_two_turns() {
    for (level, besides) in levels().iter().flat_map(|level| BESIDES.map(|besides| (*level, besides))) {
        // All of it has the mark, and goes on from the first turn.
        let script = format!("while ask; do [ -n \"$begun\" ] || {{ begun=yes; {besides} }}; echo ok; echo; done");
        let mut game = LivingSeat::with(&script, level, SeatOptions::default());
        let mut before = None;
        for _ in 0..3 {
            let run = game.ask("go\n");
            assert_eq!(run.ended, Termination::Answered, "{level}, {besides}: {run:?}");
            let used = game.used();
            thread::sleep(Duration::from_millis(50));
            // A process that was stopped already, and is continued, takes some microseconds to be frozen.
            assert!(game.used() - used <= 1_000_000, "{level}, {besides}: {used}, then {}: {run:?}", game.used());
            if let Some(before) = before
                && besides == BESIDES[0]
            {
                let grown = Duration::from_nanos(used - before).as_secs_f64();
                assert!((charged(&run) - grown).abs() <= 0.005 + grown * 0.02, "{level}: {grown} s, {run:?}");
            }
            before = Some(used);
        }
        game.end();
    }
}

/// They send SIGCONT every few moments.
#[test]
fn no_timers_let_a_stopped_program_go_on() {
    let Some(fixture) = fixture() else { return };
    for level in levels() {
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let script = format!("{READ}ask; \"$1\" timers \"$0\" & while echo ok; echo; do ask; done");
        let command = ["/bin/sh".into(), "-c".into(), script.into(), (&mark).into(), fixture.into()];
        let options = SeatOptions { protocol: Protocol::Stdio, ..options_at(*level) };
        let program = Program { command: command.into(), tools: vec![fixture.to_owned()], ..Program::default() };
        let mut game = LivingSeat { seat: Seat::open(&program, &options).unwrap(), mark };
        for _ in 0..3 {
            assert_eq!(game.ask("go\n").ended, Termination::Answered, "{level}");
            let used = game.used();
            thread::sleep(Duration::from_millis(50));
            assert!(game.used() - used <= 1_000_000, "{level}: {used}, then {}", game.used());
        }
        game.end();
    }
}

#[test]
fn what_is_written_before_the_question_loses_and_blank_lines_do_not() {
    let mut forgiven = LivingSeat::new("while ask; do echo ok; echo; echo; echo; done");
    for _ in 0..3 {
        assert_eq!(content(&forgiven.ask("go\n")), b"ok\n");
    }
    forgiven.end();
    for (script, expected) in [
        ("while ask; do printf 'one\\n\\ntwo\\n\\n'; done", "two\n\n"),
        ("while ask; do printf 'one\\n\\ndebug'; done", "debug"),
    ] {
        let mut game = LivingSeat::new(script);
        assert_eq!(content(&game.ask("go\n")), b"one\n");
        let run = game.ask("go\n");
        let OutputFile::Unasked { bytes } = &run.output else { panic!("{run:?}") };
        assert_eq!((&run.ended, bytes.0.as_slice()), (&Termination::Answered, expected.as_bytes()));
        assert_eq!(marked(&game.mark), [0; 0]);
        // Whoever asks again gets no answer.
        assert_eq!(unfinished(&game.ask("go\n")), ("", ""));
        game.end();
    }
}

#[test]
fn a_program_that_ends_has_finished_its_answer_and_gives_no_other() {
    let mut game = LivingSeat::new("ask; printf 'E c3 d4'; echo bye >&2; exit 3");
    let run = game.ask("go\n");
    assert_eq!((&run.ended, content(&run), run.stderr.as_str()), (&exited(3), b"E c3 d4".as_slice(), "bye\n"));
    let run = game.ask("go\n");
    assert_eq!((&run.ended, unfinished(&run), run.stderr.as_str()), (&exited(3), ("", ""), "bye\n"));
    assert_eq!(charged(&run).to_bits(), 0.0_f64.to_bits());
    game.end();
    // It ends between two turns, or without a word.
    for script in ["ask; echo ok; echo; exit 4", "ask; ask; exit 4"] {
        let mut game = LivingSeat::new(&script.replace("ask; ask", "ask; echo ok; echo; ask"));
        assert_eq!(content(&game.ask("go\n")), b"ok\n");
        let run = game.ask("go\n");
        assert_eq!((&run.ended, unfinished(&run)), (&exited(4), ("", "")), "{script}");
        game.end();
    }
}

#[test]
fn a_program_that_closes_its_output_is_not_waited_for() {
    for script in ["ask; exec >&-; sleep 1000", "exec >&-; ask; sleep 1000"] {
        let mut game = LivingSeat::new(script);
        let run = game.ask("go\n");
        assert_eq!((&run.ended, unfinished(&run)), (&Termination::Answered, ("", "")), "{script}");
        assert_eq!(marked(&game.mark), [0; 0], "{script}");
        game.end();
    }
    // As at its end, what it has written is an answer.
    let mut game = LivingSeat::new("ask; echo ok; exec >&-; sleep 1000");
    let run = game.ask("go\n");
    assert_eq!((&run.ended, content(&run)), (&Termination::Answered, b"ok\n".as_slice()));
    assert_eq!(unfinished(&game.ask("go\n")), ("", ""));
    game.end();
}

#[test]
fn an_answer_that_is_not_finished_is_reported_with_what_follows_the_end_of_the_input() {
    let cases = [
        ("ask; echo ok; sleep 1000", ("ok\n", "")),
        ("cat > /dev/null; echo late; echo", ("", "late\n")),
        ("ask; ask; :", ("", "")),
        ("ask; kill -STOP $$", ("", "")),
        ("sleep 1000", ("", "")),
    ];
    // Each is waited for until the guard ends it.
    thread::scope(|scope| {
        for (script, expected) in cases {
            scope.spawn(move || {
                let mut game = LivingSeat::new(script);
                let run = game.ask_within("go\n", SOON);
                assert_eq!((&run.ended, unfinished(&run)), (&Termination::Guarded, expected), "{script}");
                assert_eq!(marked(&game.mark), [0; 0], "{script}");
                game.end();
            });
        }
    });
}

#[test]
fn an_answer_without_an_end_is_limited() {
    let limits = Limits { output_bytes: 1000, ..Limits::default() };
    let expected = Termination::Exceeded { limit: Exceeded::AnswerSize { limit_bytes: 1000 } };
    for script in ["ask; yes | tr -d '\\n'", "ask; yes", "ask; yes ''", "ask; cat /dev/zero"] {
        let options = SeatOptions { limits, ..SeatOptions::default() };
        let mut game = LivingSeat::with(script, *levels().last().unwrap(), options);
        let run = game.ask("go\n");
        assert_eq!(run.ended, expected, "{script}");
        assert_eq!(unfinished(&run).0.len(), 1000, "{script}");
        game.end();
    }
}

#[test]
fn limits_hold_for_the_whole_game() {
    let limits = Limits { directory_bytes: 8 << 20, ..Limits::default() };
    let script = "n=0; while ask; do n=$((n + 1)); head -c 3000000 /dev/zero > f$n; echo ok; echo; done";
    for level in levels() {
        let mut game = LivingSeat::with(script, *level, SeatOptions { limits, ..SeatOptions::default() });
        for _ in 0..2 {
            assert_eq!(game.ask("go\n").ended, Termination::Answered, "{level}");
        }
        let run = game.ask("go\n");
        let exceeded = matches!(run.ended, Termination::Exceeded { limit: Exceeded::DirectorySize { .. } });
        assert!(exceeded, "{level}: {run:?}");
        game.end();
    }
}

#[test]
fn a_question_longer_than_a_pipe_arrives_whole() {
    let script = "n=0; while read -r line && [ -n \"$line\" ]; do n=$((n + 1)); done; echo $n; echo; ask";
    let mut game = LivingSeat::new(script);
    let question = "x".repeat(70) + "\n";
    assert_eq!(content(&game.ask(&question.repeat(2000))), b"2000\n");
    game.end();
}

/// A loop that every shell takes some CPU time for.
const WORK: &str = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done\n";

#[test]
fn what_is_used_before_the_first_question_may_be_free() {
    let script = format!("{WORK} while ask; do echo ok; echo; done");
    let with = |startup| {
        let options = SeatOptions { startup, ..SeatOptions::default() };
        let mut game = LivingSeat::with(&script, *levels().last().unwrap(), options);
        let runs = [game.ask("go\n"), game.ask("go\n")];
        game.end();
        assert_eq!(runs[1].startup, CpuTime::ZERO);
        runs
    };
    let [free, next] = with(CpuTime::from_secs(60));
    assert!(free.startup > CpuTime::from_millis(1), "{free:?}");
    let [none, _] = with(CpuTime::ZERO);
    assert_eq!(none.startup, CpuTime::ZERO);
    // The work is in the first turn, or before it; in either case it is most of what the program does.
    assert!(charged(&none) > charged(&next) && free.startup.as_secs_f64() > charged(&free), "{free:?} {none:?}");
    let [part, _] = with(CpuTime::from_millis(1));
    assert_eq!(part.startup, CpuTime::from_millis(1), "the rest is charged");
}

#[test]
fn a_program_that_ignores_the_end_of_its_input_is_ended() {
    for level in levels() {
        let script = "ask; echo ok; echo; ask() { :; }; while :; do read -r line || sleep 1000; done";
        let mut game = LivingSeat::with(script, *level, SeatOptions::default());
        assert_eq!(game.ask("go\n").ended, Termination::Answered);
        assert_eq!(game.end().unwrap().0, Termination::Guarded, "{level}");
    }
}

#[test]
fn a_stopped_program_does_not_outlive_a_killed_keeper() {
    for level in levels() {
        let mut game =
            LivingSeat::with("(sleep 1000) & while ask; do echo ok; echo; done", *level, SeatOptions::default());
        assert_eq!(game.ask("go\n").ended, Termination::Answered);
        assert_ne!(marked(&game.mark), [0; 0]);
        let keeper = nix::unistd::Pid::from_raw(worker(&game.seat).cast_signed());
        nix::sys::signal::kill(keeper, nix::sys::signal::Signal::SIGKILL).unwrap();
        let LivingSeat { seat, mark } = game;
        drop(seat);
        assert_eq!(marked(&mark), [0; 0], "{level}");
    }
}

#[test]
fn a_program_that_cannot_be_started_is_reported() {
    let options = SeatOptions { protocol: Protocol::Stdio, ..options_at(*levels().last().unwrap()) };
    let program = Program { command: vec!["/no/such/program".into()], ..Program::default() };
    let mut seat = Seat::open(&program, &options).unwrap();
    let task = Task::Move { input: "go\n".to_owned() };
    let job = RunRequest { task, kill_after: CpuTime::from_secs(60), wall_limit: WallTime::from_secs(600) };
    let run = seat.run(&job).unwrap();
    assert_eq!(run.ended, Termination::NotStarted { error: "no such file".to_owned() });
}
