//! A person at the board: whole games at a terminal that is a pipe, their records, their clocks.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use referee_games::protocol::Tolerance;
use referee_games::{Ending, KnownGames, Side, Status};
use referee_matches::human::TypedMove;
use referee_matches::referee::{explain, snapshots, verify};
use referee_records::{Draw, DrawAward, Fault, GameRecord, PersonClock, RunFolder, TurnRecord, Verdict, read_game};
use referee_time::CpuTime;

use crate::invocation::{assert_contains, command, referee, referee_reading, stderr, stdout, words};

const RANDOM: &str = "builtin:random";

/// A person, as black, against a random player at checkers, recorded in `out`.
fn checkers_in(out: &Path) -> Vec<&str> {
    words("play human {} --game checkers --out {}", &[RANDOM, out.to_str().unwrap()])
}

fn record(out: &Path) -> GameRecord {
    read_game(&out.join("games/g0001.json"), &KnownGames::builtin()).unwrap()
}

/// Somebody who plays: reads what is said, up to the prompt, and types what it likes.
struct Typist {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Typist {
    fn start(arguments: &[&str]) -> Self {
        let mut child =
            command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    /// All that is said until the next prompt; nothing once it is over.
    fn prompted(&mut self) -> Option<String> {
        let mut said = Vec::new();
        loop {
            match self.stdout.read_until(b' ', &mut said) {
                Ok(0) | Err(_) => return None,
                Ok(_) if said.ends_with(b"> ") => return Some(String::from_utf8(said).unwrap()),
                Ok(_) => {}
            }
        }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }
}

/// Plays the moves of the record of a game once more, through the library.
fn again(record: &GameRecord) -> Status {
    let rows: Vec<&[u8]> = record.start.iter().map(String::as_bytes).collect();
    let mut position = record.game.read_board(&rows, record.first).unwrap();
    for turn in &record.turns {
        position = match turn.mv() {
            Some(mv) => position.judge(mv.as_bytes(), Tolerance::Exact).unwrap().next,
            None => position.pass(),
        };
    }
    position.status()
}

/// The moves that are listed at a prompt after `?`: the piece, and where it goes.
fn listed(said: &str) -> Vec<String> {
    let mut moves = Vec::new();
    let mut piece = "";
    for line in said.lines().filter(|line| line.starts_with("  ") && line.trim() != "?") {
        if !line.starts_with("        ") {
            piece = line[2..7.min(line.len())].trim();
        }
        let ways = line.get(8..).unwrap_or_default().split(", ");
        let ways = ways.map(|way| way.trim().trim_end_matches(','));
        moves.extend(ways.filter(|way| !way.is_empty()).map(|way| format!("{piece} {way}").trim().to_owned()));
    }
    moves
}

/// Plays `arguments` to the end, always the move of the list whose number is next in turn; gives what was said before
/// each move of the person.
fn played_to_its_end(arguments: &[&str]) -> Vec<String> {
    let mut typist = Typist::start(arguments);
    let mut number = 7;
    let mut told = Vec::new();
    while let Some(said) = typist.prompted() {
        told.push(said);
        typist.types("?");
        let Some(said) = typist.prompted() else { break };
        let moves = listed(&said);
        assert!(!moves.is_empty(), "{said}");
        number = (number * 5 + 1) % 1009;
        typist.types(&moves[number % moves.len()]);
    }
    assert!(typist.child.wait().unwrap().success(), "{arguments:?}");
    told
}

#[test]
#[ignore = "long: plays games of every kind"]
fn games_of_all_kinds_are_played_to_their_ends_from_either_side() {
    let games: [&[&str]; 5] = [
        &["--game", "checkers"],
        &["--game", "duo-othello", "--opening-plies", "100"],
        &["--game", "star-circle"],
        &["--game", "halma", "--turn-limit", "12"],
        &words("--game halma --rules original --turn-limit 12 --time none", &[]),
    ];
    for (index, game) in games.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run");
        let players = if index % 2 == 0 { ["human", RANDOM] } else { [RANDOM, "human"] };
        let common = ["--seed", "3", "--out", out.to_str().unwrap()];
        played_to_its_end(&[&["play"], &players[..], game, &common].concat());
        let record = record(&out);
        assert_eq!(verify(&record), Ok(()), "{game:?}");
        assert_is_a_game_of_a_person(&record, index % 2 == 0);
        for reader in ["verify", "explain", "replay", "export", "report", "standings", "status"] {
            assert_reads(reader, &out);
        }
    }
}

fn assert_is_a_game_of_a_person(record: &GameRecord, begins: bool) {
    let own = if begins { record.first } else { record.first.other() };
    let people = record.people();
    assert_eq!(record.players.of(own).name, "human");
    assert!(people.of(own).is_some() && people.of(own.other()).is_none(), "{people:?}");
    let is_over = matches!(again(record), Status::Over(Ending::Won { .. } | Ending::Drawn(_)));
    let is_drawn_by_history = matches!(
        record.verdict,
        Verdict::Drawn { by: Draw::TurnLimit { .. } | Draw::IdleTurns { .. } | Draw::Repetition { .. }, .. }
    );
    assert!(is_over || is_drawn_by_history, "{:?}", record.verdict);
    for turn in record.turns.iter().filter(|turn| turn.side() == own) {
        let TurnRecord::Run { charged, run, warnings, .. } = turn else {
            continue;
        };
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(run.usage.user + run.usage.system, CpuTime::ZERO, "a person uses no CPU time");
        match people.of(own) {
            Some(PersonClock::WallTime) => assert_eq!(charged.micros(), run.usage.wall.micros()),
            _ => assert_eq!(*charged, CpuTime::ZERO),
        }
    }
    if let (Some(PersonClock::NoClock), Verdict::Drawn { decided, .. }) = (people.of(own), &record.verdict) {
        assert_eq!(*decided, DrawAward::NoClock, "there are no times to compare");
    }
}

fn assert_reads(reader: &str, out: &Path) {
    let game = out.join("games/g0001.json");
    let target = if ["explain", "replay"].contains(&reader) { game.as_path() } else { out };
    let mut arguments = vec![reader, target.to_str().unwrap()];
    if reader == "export" {
        arguments.extend(["--format", "jsonl"]);
    }
    let page = out.join("page.html");
    if reader == "report" {
        arguments.extend(["--out", page.to_str().unwrap()]);
    }
    let output = command(&arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
}

#[test]
fn what_is_no_move_is_explained_and_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let lines = "b6\nb6 c6\nE b6 b5\na3 b4\nz9 a1\npass\nx\nhelp\n? d6\nb6 a\nresign\n";
    let output = referee_reading(&checkers_in(&out), lines);
    let said = stdout(&output);
    let expected = [
        "several moves begin with `b6`:\n  b6    c5, a5\n",
        "`c6` is a light square: pieces stand on dark squares only\n",
        "the piece on `a3` is the opponent's\n",
        "expected a square from `a1` to `h8`, found `z9`\n",
        "no legal move begins with `pass`: `?` lists the moves\n",
        "no legal move begins with `x`: `?` lists the moves\n",
        "resign         resign: the game is recorded as lost\n",
        "  d6    e5, c5\n",
        "human (black) plays E b6 a5\n",
        "human (black) loses: resigned\n",
    ];
    for text in expected {
        assert!(said.contains(text), "{text:?} is missing in:\n{said}");
    }
    assert!(!said.contains('\u{1b}'), "no colours and no cursor in a pipe");
    assert!(!said.contains("put.txt"), "a person writes no file: {said}");
    assert!(output.status.success());
    let replayed = stdout(&referee(&["replay", &format!("{}/games/g0001.json", out.display())]));
    assert!(replayed.contains("human (black) resigns (") && !replayed.contains("stderr"), "{replayed}");
    let record = record(&out);
    assert_eq!(record.turns[0].mv(), Some("E b6 a5"));
    let fault = Fault::Resigned;
    assert_eq!(record.verdict, Verdict::Forfeit { loser: Side::Black, fault });
    assert_eq!(verify(&record), Ok(()));
    let explanation = explain(&record).unwrap();
    assert_eq!(explanation.happened, ["it resigned"]);
    assert_eq!(explanation.forfeit.unwrap().answer, None);
}

#[test]
fn captured_pieces_are_told_by_their_letters() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let told = played_to_its_end(&[&checkers_in(&out)[..], &["--seed", "3"]].concat());
    let record = record(&out);
    let boards: Vec<String> = snapshots(&record).unwrap().iter().map(|snapshot| snapshot.rows().concat()).collect();
    // What the person saw before each own move: the board of that turn.
    let turns = record.turns.iter().zip(&boards);
    let own = turns.filter(|(turn, _)| turn.side() == Side::Black && turn.mv().is_some());
    let mut most = [0, 0];
    for (said, (_, board)) in told.iter().zip(own) {
        let names = [("human (black)", 'w'), ("random (white)", 'b')];
        for ((name, letter), most) in names.into_iter().zip(&mut most) {
            let left = board.chars().filter(|piece| piece.to_ascii_lowercase() == letter).count();
            let captured = said.lines().find_map(|line| line.split(&format!("captured by {name}: ")).nth(1));
            let captured = captured.map_or("", |letters| letters.split("   ").next().unwrap());
            let count = captured.split_whitespace().count();
            assert_eq!(count, 12 - left, "{name}: {said}");
            assert!(captured.split_whitespace().all(|it| it.eq_ignore_ascii_case(&letter.to_string())), "{said}");
            *most = count.max(*most);
        }
    }
    assert!(most.into_iter().all(|count| count > 2), "few captures: {most:?}");
}

#[test]
fn the_board_is_shown_again_with_the_marks_of_the_last_move() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let output = referee_reading(&checkers_in(&out), "E b6 a5\nboard\nresign\n");
    let said = stdout(&output);
    let boards: Vec<&str> = said.split("\n\n").filter(|part| part.lines().count() > 7).collect();
    let [start, played, again, ..] = boards[..] else { panic!("{said}") };
    assert_ne!(start, played);
    assert_eq!(played, again, "{said}");
}

#[test]
fn only_a_person_can_resign() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    assert!(referee_reading(&checkers_in(&out), "resign\n").status.success());
    let file = out.join("games/g0001.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let a_program = r#""meter":"rusage","uncertainty_cpu_us":0,"isolation":"bare""#;
    assert!(text.contains(r#""person":"wall-time""#), "{text}");
    std::fs::write(&file, text.replace(r#""person":"wall-time""#, a_program)).unwrap();
    assert!(verify(&record(&out)).is_err(), "`resign` is a wrong format of an agent's");
}

#[test]
fn a_person_who_leaves_leaves_no_record_and_can_start_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out_text = out.to_str().unwrap();
    for lines in ["", "b6 a5\n", "b6 a5\nquit\n"] {
        let output = referee_reading(&checkers_in(&out), lines);
        assert_eq!(output.status.code(), Some(130), "{lines:?}");
        let expected = format!(
            "referee: you left the game; an unfinished game is not recorded; rerun the same command with `--out \
             {out_text}` to play it again\n"
        );
        assert_eq!(stderr(&output), expected);
        let folder = RunFolder::open(&out, &KnownGames::builtin()).unwrap();
        assert!(folder.finished(&folder.manifest().unwrap()).is_empty());
    }
    assert!(referee_reading(&checkers_in(&out), "resign\n").status.success());
    assert_eq!(record(&out).turns.len(), 1);
    let other_clock = referee_reading(&[&checkers_in(&out)[..], &["--time", "none"]].concat(), "");
    assert_eq!(other_clock.status.code(), Some(2), "it is another run");
    assert_contains(stderr(&other_clock), "contains another run");
}

#[test]
fn an_interrupt_ends_it_while_the_person_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut typist = Typist::start(&checkers_in(&out));
    assert!(typist.prompted().is_some());
    let id = nix::unistd::Pid::from_raw(typist.child.id().cast_signed());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    assert_eq!(typist.child.wait().unwrap().code(), Some(130));
    assert!(!out.join("games/g0001.json").exists());
}

#[test]
fn the_clock_on_the_wall_runs_out() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut typist = Typist::start(&[&checkers_in(&out)[..], &["--time", "0.3"]].concat());
    let mut rest = String::new();
    typist.stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("your time is up\n"), "{rest}");
    assert!(typist.child.wait().unwrap().success());
    let record = record(&out);
    let Verdict::Forfeit { loser: Side::Black, fault: Fault::OutOfTime { left, charged, .. } } = &record.verdict else {
        panic!("{:?}", record.verdict);
    };
    assert!(*left == CpuTime::from_millis(300) && charged >= left, "{charged} of {left}");
    assert_eq!(verify(&record), Ok(()));
    let told = command(&["explain", out.join("games/g0001.json").to_str().unwrap()]).output().unwrap();
    assert!(stdout(&told).contains("of wall-clock time used"), "{}", stdout(&told));
}

#[test]
fn impossible_pairings_are_refused() {
    let cases: [(&[&str], &str); 4] = [
        (&["human", "human"], "a person plays one agent"),
        (&["human", RANDOM, RANDOM], "a person plays one agent"),
        (&["human", RANDOM, "--jobs", "2"], "a person plays one game at a time"),
        (&[RANDOM, RANDOM, "--time", "none"], "`--time none` is only for a person"),
    ];
    for (arguments, expected) in cases {
        let output = referee_reading(&[&["play", "--game", "checkers"], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_move_may_be_typed_in_many_ways() {
    let halma = referee_games::halma::ORIGINAL;
    let cases = [
        (referee_games::checkers::ID, "E b6 a5", "E b6 a5"),
        (referee_games::checkers::ID, "e B6 A5", "E b6 a5"),
        (referee_games::checkers::ID, "  b6-a5 ", "E b6 a5"),
        (referee_games::checkers::ID, "b6 a", "E b6 a5"),
        (referee_games::checkers::ID, "h6", "E h6 g5"),
        (halma, "3,0 5,0", "J 3,0 5,0"),
        (halma, "J 3,0 5,0; J 5,0 3,0 ; J 3,0 5,0", "J 3,0 5,0\nJ 5,0 3,0\nJ 3,0 5,0"),
        (referee_games::othello::ID, "C2", "c2"),
        (referee_games::star_circle::ID, "b2 c1", "B2-C1"),
    ];
    for (game, line, answer) in cases {
        assert_eq!(TypedMove::read(&game.start(), line), TypedMove::Answer(answer.to_owned()), "{game}: {line:?}");
    }
}

#[test]
fn help_and_introduction_are_of_the_game_that_is_played() {
    let folder = tempfile::tempdir().unwrap();
    for (game, move_form, limit) in [
        ("little-go", "such as `0,0`\n", ", at most 10 s for each move\n"),
        ("checkers", "its squares, such as `b6 ", "the agent 300 s of CPU time\n"),
        ("heirs", "its squares, such as `", "the agent 300 s of CPU time\n"),
    ] {
        let out = folder.path().join(game);
        let arguments = words("play human {} --game {} --out {}", &[RANDOM, game, out.to_str().unwrap()]);
        let mut typist = Typist::start(&arguments);
        assert_contains(typist.prompted().unwrap(), limit);
        typist.types("help");
        assert_contains(typist.prompted().unwrap(), move_form);
    }
}
