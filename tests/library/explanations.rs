//! Explanations: the exact texts for every way to lose, from fabricated runs.

use std::collections::BTreeSet;
use std::fmt::Write;

use proptest::prelude::*;
use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::DuoOthello;
use referee_games::{Builtin, Position, Side};
use referee_matches::referee::{Explanation, GameStep, OngoingGame, explain, explain_missing_answer};
use referee_messages::{OutputStyle, SideNames, explained, explained_in_short, verdict_sentence};
use referee_records::{Conditions, Fault, GameRecord, PlayerKind, TurnRecord, Verdict};
use referee_seat::{Bytes, Charge, Exceeded, OutputFile, Protocol, Run, Termination};
use referee_time::CpuTime;
use snapbox::assert_data_eq;

use crate::fabricated::{KINGS, SHUFFLE, checkers, conditions, ended, left, record_of, said, took, with_draws, wrote};

/// Of either clock.
const SECONDS: u64 = 10;

/// The record of the game in which `runs` follow each other from `start`; it has to be over after the last.
fn record_from<P: Builtin>(start: &P, conditions: Conditions, runs: impl IntoIterator<Item = Run>) -> GameRecord {
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone());
    for run in runs {
        assert!(matches!(ongoing_game.next_step(), GameStep::Run(_)), "the game is over too early");
        ongoing_game.report(run);
    }
    let uncertainty = CpuTime::from_micros(2);
    record_of(ongoing_game, start, conditions, ["ada", "bob"], uncertainty)
}

/// The record of a game of checkers that black loses, or not, by its first run.
fn lost_by(run: Run) -> GameRecord {
    record_from(&Checkers::start(()), conditions::<Checkers>(SECONDS), [run])
}

/// The same game of a black program that lives for the whole of it.
fn living(mut record: GameRecord) -> GameRecord {
    let PlayerKind::Program { protocol, .. } = &mut record.players.black.seated else { panic!("{record:?}") };
    *protocol = Protocol::Stdio;
    record
}

/// The record of a game of Duo-Othello that black wins in four turns.
fn won_by_score() -> GameRecord {
    let runs = ["c2", "k9", "d5", "i11"].map(said);
    record_from(&DuoOthello::start(()), conditions::<DuoOthello>(SECONDS), runs)
}

fn explanation(record: &GameRecord) -> Explanation {
    explain(record).expect("the record follows the rules")
}

fn whole(record: &GameRecord) -> String {
    explained(&explanation(record), &SideNames::of(record), OutputStyle::PLAIN).join("\n")
}

/// The explanation without the board, its labels and the blank line below.
fn without_board(record: &GameRecord) -> String {
    let text = whole(record);
    let (head, rest) = text.split_once("\n\n").expect("the board comes after a blank line");
    let (_, tail) = rest.split_once("\n\n").expect("the board is followed by a blank line");
    format!("{head}\n{tail}")
}

fn content(text: &str) -> OutputFile {
    OutputFile::Content { bytes: Bytes(text.as_bytes().to_vec()) }
}

const TRACEBACK: &str = "Traceback (most recent call last):\n  File \"homework.py\", line 3, in <module>\n\tmain()\n\
                         KeyError: 'c3\x1b[2J'\n";

/// Every fault, some in several forms, each by the run that commits it.
fn every_fault() -> Vec<(&'static str, Run)> {
    let missing = |lookalike: Option<&str>| OutputFile::Missing { lookalike: lookalike.map(str::to_owned) };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let signal = |signal, name: &str| Termination::Signalled { signal, name: name.to_owned() };
    let limit = Exceeded::Memory { used_bytes: 3 << 30, limit_bytes: 2 << 30 };
    vec![
        ("out of time, killed", took(ended(Termination::OutOfCpu), 9_990, 20, 10_020)),
        ("out of time, returned with four threads", took(said("E b6 a5\n"), 11_000, 1_000, 3_000)),
        ("out of time by system time", took(said("E b6 a5\n"), 4_000, 7_000, 11_000)),
        ("never returned, idle", took(ended(Termination::Guarded), 10, 0, 40_000)),
        ("never returned, half at work", took(ended(Termination::Guarded), 8_000, 0, 40_000)),
        ("limit exceeded", ended(Termination::Exceeded { limit })),
        ("not started", ended(Termination::NotStarted { error: "no such file".to_owned() })),
        ("no output", left(missing(None))),
        ("no output, other letter case", Run { removed: names(&["OuTpUt.TxT"]), ..left(missing(Some("OuTpUt.TxT"))) }),
        ("no output, a name like it", Run { removed: names(&["debug.log", "ouput.txt"]), ..left(missing(None)) }),
        ("no output, crash", Run { stderr: TRACEBACK.to_owned(), ..ended(Termination::Exited { status: 1 }) }),
        ("no output, signal", ended(signal(11, "SIGSEGV"))),
        ("unusable output", left(OutputFile::NotAFile { found: "a directory".to_owned() })),
        ("unusable output, too large", left(OutputFile::TooLarge { bytes: 70_000 })),
        ("empty output", said("")),
        ("empty output, white space", said(" \n\t\n")),
        ("empty output, crash", Run { output: content(""), ..ended(signal(6, "SIGABRT")) }),
        ("wrong format", said("E b6 a5\nE d6 e5\n")),
        ("wrong format, hostile", wrote(b"\tE b6-a5\x1b]0;x\x07\xff\n")),
        ("illegal move", said("E b6 c7\n")),
    ]
}

/// What can go wrong only with a program that lives for a whole game.
fn every_fault_of_a_living_program() -> Vec<(&'static str, Run)> {
    let unfinished = |bytes: &str, after_input: &str| OutputFile::Unfinished {
        bytes: Bytes(bytes.as_bytes().to_vec()),
        after_input: Bytes(after_input.as_bytes().to_vec()),
    };
    let guarded = |output| Run { output, ..took(ended(Termination::Guarded), 10, 0, 40_000) };
    let answered = |text: &str| Run { output: content(text), ..ended(Termination::Answered) };
    let unasked = OutputFile::Unasked { bytes: Bytes(b"\ndepth 3\x1b[2J\n".to_vec()) };
    vec![
        ("never returned, no empty line", guarded(unfinished("E b6 a5\n", ""))),
        ("never returned, end of input", guarded(unfinished("", "E b6 a5\n"))),
        ("never returned, nothing", guarded(unfinished("", ""))),
        ("no answer", Run { output: unfinished("", ""), ..ended(Termination::Exited { status: 0 }) }),
        (
            "no answer, crash",
            Run {
                output: unfinished("", ""),
                stderr: TRACEBACK.to_owned(),
                ..ended(Termination::Exited { status: 1 })
            },
        ),
        ("unasked", Run { output: unasked, ..ended(Termination::Exited { status: 0 }) }),
        ("limit exceeded", ended(Termination::Exceeded { limit: Exceeded::AnswerSize { limit_bytes: 64 << 10 } })),
        ("out of time, answered", took(answered("E b6 a5\n"), 11_000, 1_000, 12_000)),
        ("wrong format", answered("E b6\n")),
        ("illegal move", answered("E b6 c7\n")),
    ]
}

/// The faults by their names; a new one has to be told here, and then in `every_fault`.
fn kind(fault: &Fault) -> &'static str {
    match fault {
        Fault::OutOfTime { .. } => "out of time",
        Fault::OutOfMoveTime { .. } => "out of move time",
        Fault::NeverReturned { .. } => "never returned",
        Fault::LimitExceeded { .. } => "limit exceeded",
        Fault::NotStarted { .. } => "not started",
        Fault::NoOutput { .. } => "no output",
        Fault::NoAnswer => "no answer",
        Fault::Unasked { .. } => "unasked",
        Fault::UnusableOutput { .. } => "unusable output",
        Fault::EmptyOutput => "empty output",
        Fault::WrongFormat { .. } => "wrong format",
        Fault::IllegalMove { .. } => "illegal move",
        // Only people do that.
        Fault::Resigned => "resigned",
    }
}

#[test]
fn every_fault_is_explained_in_exactly_these_words() {
    let mut told = BTreeSet::new();
    let mut text = String::new();
    let by_files = every_fault().into_iter().map(|(name, run)| (name, lost_by(run)));
    let by_stdio = every_fault_of_a_living_program().into_iter().map(|(name, run)| (name, living(lost_by(run))));
    for (name, record) in by_files.chain(by_stdio) {
        let Verdict::Forfeit { fault, .. } = &record.verdict else { panic!("{name}: black should have lost") };
        assert!(name.starts_with(kind(fault)), "{name} is {}", kind(fault));
        told.insert(kind(fault));
        writeln!(text, "=== {name}\n{}\n", without_board(&record)).unwrap();
    }
    assert_eq!(told.len(), 11, "{told:?}");
    assert_data_eq!(text, snapbox::file!["snapshots/every_fault.txt"].raw());
}

/// In Little-Go a clock of 300 s for the game never runs out; the limit is that of each move.
#[test]
fn with_a_limit_for_each_move_the_longest_move_is_compared_with_it() {
    let answers = [took(said("2,2"), 3_000, 0, 3_000), took(said("1,1"), 1_000, 0, 1_000)];
    let too_long = took(ended(Termination::OutOfCpu), 10_500, 0, 10_500);
    let with_limit = conditions::<LittleGo>(300);
    assert_eq!(with_limit.move_time, Some(CpuTime::from_secs(10)));
    let record = record_from(&LittleGo::start(()), with_limit, answers.into_iter().chain([too_long]));
    let text = without_board(&record).split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "ada (Black): 10.50 s of 10 s used in the longest of 2 runs, 13.50 s in all, charging user and system time",
        "bob (White): 1.00 s of 10 s used in the longest of 1 run, 1.00 s in all, charging user and system time",
        "hint no move may take more than 10 s: stop the search well before",
    ] {
        assert!(text.contains(line), "expected `{line}` in {text}");
    }
}

#[test]
fn a_lost_game_is_explained_as_a_whole() {
    // Jumping is compulsory, and the piece that can jump has to jump twice.
    let rows = ["........", "........", "...b....", "..w.....", "........", "w...w...", "........", "........"];
    let record = record_from(&checkers(rows, Side::Black), conditions::<Checkers>(SECONDS), [said("E d6 e5")]);
    assert_data_eq!(whole(&record), snapbox::file!["snapshots/compulsory_jump.txt"].raw());
}

#[test]
fn addendum_b_is_named_with_a_play_that_would_have_done() {
    let runs = ["E 4,0 5,0", "E 11,15 10,15", "E 5,0 6,0"].map(said);
    let record = record_from(&Halma::start(Rules::Addendum), conditions::<Halma>(SECONDS), runs);
    assert_data_eq!(whole(&record), snapbox::file!["snapshots/addendum_b.txt"].raw());
}

#[test]
fn a_disk_that_flips_nothing_is_explained_in_the_words_of_othello() {
    let record = record_from(&DuoOthello::start(()), conditions::<DuoOthello>(SECONDS), [said("a1\n")]);
    assert_data_eq!(whole(&record), snapbox::file!["snapshots/flips_nothing.txt"].raw());
}

/// The names of the rules that `answers` break in the position that `rows` draw, as they are cited.
fn cited<P: Builtin>(rows: &[&str], side: Side, answers: &[&str]) -> Vec<String> {
    let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
    let start = P::from_rows(&rows, side, P::Rules::default()).expect("the rows are a board");
    let cited = answers.iter().map(|answer| {
        let told = whole(&record_from(&start, conditions::<P>(SECONDS), [said(answer)]));
        let rule = told.lines().find_map(|line| line.strip_prefix("rule"));
        rule.unwrap_or_else(|| panic!("{answer}: no rule in\n{told}")).trim().to_owned()
    });
    cited.collect()
}

#[test]
fn every_refusal_of_a_stone_cites_its_rule() {
    // Black's stone on `1,2` was just captured by White's on `1,1`.
    let rows = ["01200", "10120", "01200", "00002", "00020", "01200", "12020", "01200", "00002", "00020"];
    assert_eq!(
        cited::<LittleGo>(&rows, Side::Black, &["0,1", "4,4", "1,2", "5,5", "c3", "2 3"]),
        [
            "an empty point (handout)",
            "no suicide (handout)",
            "ko (handout)",
            "names of points (handout)",
            "a point or a pass (handout)",
            "a point or a pass (handout)",
        ]
    );
}

#[test]
fn every_refusal_of_a_move_of_heirs_cites_its_rule() {
    let mut rows = ["............"; 12];
    (rows[0], rows[7], rows[9]) = ("p...........", "..b......N..", "....B.S.....");
    (rows[10], rows[11]) = ("..B.G.......", "P..........X");
    let answers = ["c2 d2", "c2 d3", "c2 c5", "g3 g7", "e2 f3", "e2 e4", "e2 e3", "k5 k6", "h2 i4", "c2"];
    let rules = [
        "how pieces move",
        "how pieces move",
        "how pieces move",
        "how pieces move",
        "how pieces move",
        "no jumping",
        "capturing",
        "Siblings stay in company",
        "names of squares",
        "two squares",
    ];
    let expected = rules.map(|rule| format!("{rule} (handout)"));
    assert_eq!(cited::<Heirs>(&rows, Side::White, &answers), expected);
}

#[test]
fn a_win_and_a_draw_say_what_ended_the_game() {
    let won = won_by_score();
    assert_data_eq!(without_board(&won), snapbox::file!["snapshots/won.txt"].raw());
    let conditions = with_draws(SECONDS, |draws| draws.turn_limit = Some(2));
    let runs = [took(said("E b6 a5"), 100, 300, 400), took(said("E a3 b4"), 200, 100, 300)];
    let level = record_from(&Checkers::start(()), conditions, runs);
    assert_data_eq!(without_board(&level), snapbox::file!["snapshots/drawn.txt"].raw());
}

#[test]
fn an_agent_out_of_time_is_shown_the_course_of_its_clock() {
    let conditions = Conditions { charge: Charge::User, ..with_draws(SECONDS, |draws| draws.repetitions = None) };
    let cost = |turn: u64| if turn == 24 { 5_000 } else { 100 + 20 * turn };
    let turns = (0..25_u64).zip(SHUFFLE.iter().cycle());
    let record = record_from(
        &checkers(KINGS, Side::Black),
        conditions,
        turns.map(|(turn, text)| took(said(text), cost(turn) * 2, 50, cost(turn) * 3)),
    );
    assert!(matches!(record.verdict, Verdict::Forfeit { loser: Side::Black, fault: Fault::OutOfTime { .. } }));
    assert_data_eq!(without_board(&record), snapbox::file!["snapshots/course_of_the_clock.txt"].raw());
}

#[test]
fn an_overrun_that_the_other_clock_would_forgive_says_so() {
    let record = lost_by(took(said("E b6 a5"), 9_000, 2_000, 11_000));
    let happened = &explanation(&record).happened;
    assert_eq!(happened[2], "with user time only charged it would not have run out of time here");
}

#[test]
fn an_answer_of_an_earlier_turn_is_recognised() {
    let record =
        record_from(&Checkers::start(()), conditions::<Checkers>(SECONDS), ["E b6 a5", "E a3 b4", "E b6 a5"].map(said));
    let forfeit = explanation(&record).forfeit.unwrap();
    let stale = "it is identical to the answer of turn 1: does the program choose a new move each time?";
    assert!(forfeit.hints.iter().any(|hint| hint == stale), "{:?}", forfeit.hints);
}

/// It follows the verdict, which has the hint.
#[test]
fn the_short_explanation_does_not_repeat_the_hint_of_the_verdict() {
    let record = lost_by(said("['E', 'b6', 'a5']\n"));
    let Verdict::Forfeit { fault: Fault::WrongFormat { finding }, .. } = &record.verdict else {
        panic!("{:?}", record.verdict);
    };
    let hint = finding.hint.as_deref().expect("the move meant is clear");
    assert!(verdict_sentence(&record.verdict, &SideNames::of(&record)).contains(hint), "{hint}");
    let short = explained_in_short(&explanation(&record), OutputStyle::PLAIN).join("\n");
    assert!(short.contains("rule") && !short.contains("hint "), "{short}");
    assert!(whole(&record).contains("hint "));
}

#[test]
fn a_game_that_was_not_lost_by_a_fault_has_no_short_explanation() {
    let won = won_by_score();
    assert_eq!(explained_in_short(&explanation(&won), OutputStyle::PLAIN), Vec::<String>::new());
    assert!(!explained_in_short(&explanation(&lost_by(said("nonsense"))), OutputStyle::PLAIN).is_empty());
}

#[test]
fn a_record_that_breaks_the_rules_is_not_explained() {
    let mut record = lost_by(said("nonsense"));
    record.turns.insert(0, TurnRecord::Pass { side: Side::Black });
    assert!(explain(&record).is_err());
}

#[test]
fn an_unknown_code_is_explained_by_the_rules_as_a_whole() {
    let mut record = lost_by(said("nonsense"));
    let Verdict::Forfeit { fault: Fault::WrongFormat { finding }, .. } = &mut record.verdict else { panic!() };
    finding.code = "invented-later".into();
    finding.place = Some(referee_games::protocol::Location { line: 77, column: 1, length: 1 });
    let explanation = explanation(&record);
    // The rule is that of the answer, judged anew, and not looked up by the code.
    assert_eq!(explanation.citations[0].rule, "step-and-jump-letters");
    assert_eq!(explanation.forfeit.unwrap().answer.unwrap().lines[0].mark, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn nothing_of_an_agent_reaches_the_terminal_unescaped(
        output in prop::collection::vec(any::<u8>(), 0..300),
        letters in "[EJ a-h0-9,\\n\u{1b}\u{202e}]{0,40}",
        stderr in "(\\PC|[\\x00-\\x1f\\x7f\u{202e}]){0,300}",
        name in "(\\PC|[\\x00-\\x1f\u{202e}]){0,80}",
        form in 0..5,
    ) {
        let run = match form {
            0 => wrote(&output),
            1 => said(&letters),
            2 => left(OutputFile::Missing { lookalike: Some(name.clone()) }),
            3 => left(OutputFile::NotAFile { found: name.clone() }),
            _ => ended(Termination::Signalled { signal: 1, name: name.clone() }),
        };
        let mut record = lost_by(Run { stderr, removed: vec![name], ..run });
        record.players.black.name.push('\u{7}');
        let shown = whole(&record);
        let is_harmless = |c: char| !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
        prop_assert!(shown.lines().all(|line| line.chars().all(is_harmless)), "{shown:?}");
        prop_assert!(shown.split('\n').count() < 80, "{shown}");
    }
}

/// It has not ended by itself, so nothing is said of a program that ends too early.
#[test]
fn a_living_program_that_reaches_a_limit_is_not_told_to_live_on() {
    let output = OutputFile::Unfinished { bytes: Bytes(vec![]), after_input: Bytes(vec![]) };
    for end in [Termination::OutOfCpu, Termination::Exceeded { limit: Exceeded::AnswerSize { limit_bytes: 64 << 10 } }]
    {
        let missing = explain_missing_answer(&Run { output: output.clone(), ..ended(end.clone()) });
        assert_eq!(missing.hints, [""; 0], "{end:?}");
    }
    let early = Run { output, ..ended(Termination::Exited { status: 0 }) };
    assert!(explain_missing_answer(&early).hints[0].starts_with("the program must live"), "{early:?}");
}
