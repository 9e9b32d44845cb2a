//! Commands on real terminals of several sizes, with and without colours and UTF-8.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use nix::sys::signal::Signal;
use referee_games::{GameRef, KnownGames};
use referee_matches::referee::{GameSnapshot, snapshots};
use referee_records::{GameRecord, read_game};
use tempfile::TempDir;

use crate::invocation::{command as referee, listen_to_signals, words};
use crate::pseudo_terminal::{PseudoTerminal, Size};

const USUAL: Size = Size { rows: 24, columns: 80 };
const SMALL: Size = Size { rows: 12, columns: 40 };
const LARGE: Size = Size { rows: 60, columns: 200 };

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";
const PAGE_UP: &str = "\x1b[5~";
const PAGE_DOWN: &str = "\x1b[6~";

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_referee"))
}

fn start(arguments: &[&str], size: Size, environment: &[(&str, &str)]) -> PseudoTerminal {
    listen_to_signals();
    PseudoTerminal::start(program(), arguments, size, environment)
}

/// A run of one game, for all tests of it.
struct Run {
    folder: TempDir,
}

impl Run {
    fn of(game: &str, agents: [&str; 2], more: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("run");
        let mut command = referee(&["play"]);
        command.args(agents).args(["--game", game]).args(more);
        let played = command.args(["--games", "1", "--seed", "3", "--out"]).arg(out).output();
        let played = played.unwrap();
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        Self { folder }
    }

    fn path(&self) -> String {
        self.folder.path().join("run").to_str().unwrap().to_owned()
    }

    fn record(&self) -> PathBuf {
        self.folder.path().join("run/games/g0001.json")
    }

    fn replay(&self, size: Size, environment: &[(&str, &str)]) -> PseudoTerminal {
        start(&["replay", self.record().to_str().unwrap()], size, environment)
    }

    fn snapshots(&self) -> (GameRecord, Vec<GameSnapshot>) {
        let record = read_game(&self.record(), &KnownGames::builtin()).unwrap();
        let snapshots = snapshots(&record).unwrap();
        (record, snapshots)
    }
}

const RANDOM: [&str; 2] = ["builtin:random", "builtin:random"];

static CHECKERS: LazyLock<Run> = LazyLock::new(|| Run::of("checkers", RANDOM, &[]));
static OTHELLO: LazyLock<Run> = LazyLock::new(|| Run::of("duo-othello", RANDOM, &["--opening-plies", "60"]));
static STAR_CIRCLE: LazyLock<Run> = LazyLock::new(|| Run::of("star-circle", RANDOM, &[]));
/// So little time that the game is soon lost by it.
static HALMA: LazyLock<Run> = LazyLock::new(|| Run::of("halma", RANDOM, &["--time", "0.2"]));

/// The board that stands on the screen, found by the labels of its rows; marks of the last move are taken away.
fn board_on(lines: &[String], game: GameRef, rows: usize) -> Option<Vec<String>> {
    let (labels, first, wide): (Vec<String>, usize, usize) = match game.name() {
        "checkers" => ((1..=8).rev().map(|row| row.to_string()).collect(), 4, 2),
        "duo-othello" => ((1..=12).map(|row| row.to_string()).collect(), 4, 2),
        "halma" => ((0..16).map(|row| row.to_string()).collect(), 5, 3),
        _ => (('A'..='H').rev().map(String::from).collect(), 4, 4),
    };
    let is_first = |line: &String| {
        line.starts_with(&format!("{:>3} ", labels[0]))
            || line.starts_with(&format!("{:>3}(", labels[0]))
            || line.starts_with(&format!("{:>3}[", labels[0]))
    };
    let top = lines.iter().rposition(is_first)?;
    let mut board = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let line: Vec<char> = lines.get(top + index)?.chars().collect();
        if line.iter().take(3).collect::<String>().trim() != label {
            return None;
        }
        let columns = rows;
        let square = |column: usize| {
            let at = first + column * wide;
            let letter = line.get(at).copied().unwrap_or(' ');
            let letter = match letter {
                '·' | '×' => '.',
                letter if game == referee_games::othello::ID => letter.to_ascii_uppercase(),
                letter => letter,
            };
            if game != referee_games::star_circle::ID {
                return letter.to_string();
            }
            let count: String =
                line.get(at + 1..).unwrap_or_default().iter().take_while(|digit| digit.is_ascii_digit()).collect();
            match letter {
                '.' => "0".to_owned(),
                letter if count.is_empty() => format!("{letter}1"),
                letter => format!("{letter}{count}"),
            }
        };
        let separator = if game == referee_games::star_circle::ID { "," } else { "" };
        board.push((0..columns).map(square).collect::<Vec<_>>().join(separator));
    }
    Some(board)
}

/// Presses `keys` and expects the board after `turn` turns.
fn expect_turn(
    terminal: &mut PseudoTerminal,
    keys: &str,
    turn: usize,
    record: &GameRecord,
    snapshots: &[GameSnapshot],
) {
    terminal.press(keys);
    let header = format!("turn {turn} of {}", snapshots.len() - 1);
    let rows = &snapshots[turn].rows();
    let is_it = |lines: &[String]| board_on(lines, record.game, rows.len()).as_ref() == Some(rows);
    // A picture is drawn from the top, and may arrive in pieces.
    terminal.until(|lines| lines[0].ends_with(&header) && is_it(lines) && lines[lines.len() - 1].contains("q quit"));
    let lines = terminal.lines();
    for side in referee_games::Side::BOTH {
        let left = format!("{:.2} s", snapshots[turn].clocks.of(side).as_secs_f64());
        let is_small = lines.len() < 20;
        assert!(is_small || lines.iter().any(|line| line.contains(&left)), "{left}:\n{}", lines.join("\n"));
    }
}

fn step_through(run: &Run, size: Size) {
    let (record, snapshots) = run.snapshots();
    let last = snapshots.len() - 1;
    assert!(last > 14, "the game is too short: {last} turns");
    let mut terminal = run.replay(size, &[]);
    let mut expect = |keys: &str, turn: usize| expect_turn(&mut terminal, keys, turn, &record, &snapshots);
    expect("", 0);
    expect(RIGHT, 1);
    expect(&RIGHT.repeat(4), 5);
    expect(LEFT, 4);
    expect("g13\r", 13);
    expect("7\r", 7);
    expect(END, last);
    expect(RIGHT, last);
    expect(HOME, 0);
    expect(LEFT, 0);
    expect(PAGE_DOWN, 10);
    expect(PAGE_UP, 0);
    expect("g999999\r", last);
    terminal.press("q");
    assert!(terminal.end().success());
    assert!(terminal.is_as_found());
}

#[test]
fn checkers_on_a_usual_terminal() {
    step_through(&CHECKERS, USUAL);
}

#[test]
fn checkers_on_a_small_terminal() {
    step_through(&CHECKERS, SMALL);
}

#[test]
fn duo_othello_on_a_usual_terminal() {
    step_through(&OTHELLO, USUAL);
}

#[test]
fn halma_on_a_usual_terminal() {
    step_through(&HALMA, USUAL);
}

#[test]
fn halma_on_a_large_terminal() {
    step_through(&HALMA, LARGE);
}

#[test]
fn star_and_circle_on_a_small_terminal() {
    step_through(&STAR_CIRCLE, SMALL);
}

#[test]
fn star_and_circle_on_a_large_terminal() {
    step_through(&STAR_CIRCLE, LARGE);
}

#[test]
fn a_game_plays_by_itself() {
    let (_, snapshots) = CHECKERS.snapshots();
    let last = snapshots.len() - 1;
    let mut terminal = CHECKERS.replay(USUAL, &[]);
    terminal.press(&format!("g{}\r+++ ", last - 2));
    let end = format!("turn {last} of {last}");
    terminal.until(|lines| lines[0].ends_with(&end) && lines[23].contains("space play"));
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn a_long_explanation_scrolls() {
    let mut terminal = CHECKERS.replay(SMALL, &[]);
    terminal.press("e");
    terminal.until(|lines| lines[1].starts_with("on turn ") && lines[11].contains("lines 1 to 10 of "));
    terminal.press(PAGE_DOWN);
    terminal.until(|lines| lines[11].contains("lines 10 to 19 of "));
    terminal.press(END);
    terminal.until(|lines| !lines[11].contains("lines 10 to 19 of "));
    // The first q leaves the page.
    terminal.press("q");
    terminal.until(|lines| lines[11].contains("space play"));
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn the_terminal_is_left_as_it_was_found() {
    let end = |keys: &str, signal: Option<Signal>| {
        let mut terminal = CHECKERS.replay(USUAL, &[]);
        terminal.until(|lines| lines[0].contains("turn 0 of"));
        assert!(!terminal.is_as_found() && terminal.screen().alternate_screen());
        terminal.press(keys);
        if let Some(signal) = signal {
            terminal.signal(signal);
        }
        let status = terminal.end();
        assert!(terminal.is_as_found(), "after {keys:?} and {signal:?}");
        status.code()
    };
    assert_eq!(end("q", None), Some(0));
    assert_eq!(end("\x1b", None), Some(0));
    assert_eq!(end("\x03", None), Some(0));
    assert_eq!(end("g1\x03", None), Some(0));
    assert_eq!(end("", Some(Signal::SIGTERM)), Some(130));
    assert_eq!(end("", Some(Signal::SIGINT)), Some(130));
    assert_eq!(end("", Some(Signal::SIGHUP)), Some(130));
}

#[test]
fn a_replay_ends_when_its_terminal_is_gone() {
    let mut terminal = CHECKERS.replay(USUAL, &[]);
    terminal.until(|lines| lines[0].contains("turn 0 of"));
    terminal.hang_up();
    assert_eq!(terminal.end().code(), Some(130));
}

#[test]
fn a_key_that_has_no_meaning_holds_nothing_up() {
    let mut terminal = CHECKERS.replay(USUAL, &[]);
    // F5, Alt-x, a letter that is not ASCII; Control-Right; the beginning of a sequence.
    terminal.press("\x1b[15~\x1bx\u{e9}\x1b[1;5C\x1b[1");
    terminal.until(|lines| lines[0].contains("turn 1 of"));
    terminal.signal(Signal::SIGTERM);
    assert_eq!(terminal.end().code(), Some(130));
    assert!(terminal.is_as_found());
}

#[test]
fn a_replay_that_was_stopped_takes_the_terminal_again() {
    let mut terminal = CHECKERS.replay(USUAL, &[]);
    terminal.until(|lines| lines[0].contains("turn 0 of"));
    let before = terminal.written.len();
    terminal.signal(Signal::SIGSTOP);
    terminal.signal(Signal::SIGCONT);
    terminal.until_so(|terminal| {
        let again = String::from_utf8_lossy(&terminal.written[before..]);
        again.contains("\x1b[?1049l") && again.contains("\x1b[?1049h")
    });
    terminal.press(RIGHT);
    terminal.until(|lines| lines[0].contains("turn 1 of"));
    terminal.press("q");
    assert!(terminal.end().success());
    assert!(terminal.is_as_found());
}

#[test]
fn another_size_is_another_picture() {
    let (record, snapshots) = OTHELLO.snapshots();
    let mut terminal = OTHELLO.replay(LARGE, &[]);
    expect_turn(&mut terminal, RIGHT, 1, &record, &snapshots);
    terminal.resize(SMALL);
    terminal.until(|lines| lines.len() == 12 && lines[1].starts_with("the board needs 28 columns and 15 lines"));
    terminal.resize(USUAL);
    terminal.until(|lines| lines.len() == 24 && lines[23].contains("q quit"));
    expect_turn(&mut terminal, "", 1, &record, &snapshots);
    terminal.press("q");
    assert!(terminal.end().success());
}

/// Once, a key that came together with the signal was not read until another one came.
#[test]
fn no_key_is_lost_when_the_size_changes() {
    let (record, snapshots) = OTHELLO.snapshots();
    let mut terminal = OTHELLO.replay(USUAL, &[]);
    expect_turn(&mut terminal, HOME, 0, &record, &snapshots);
    for turn in [1, 0].into_iter().cycle().take(300) {
        terminal.signal(Signal::SIGWINCH);
        terminal.press(if turn == 1 { RIGHT } else { LEFT });
        terminal.until(|lines| lines[0].contains(&format!("turn {turn} of")));
    }
    terminal.press("q");
    assert!(terminal.end().success());
}

/// Whether `written` sets a colour or another rendition (SGR).
fn has_colours(written: &[u8]) -> bool {
    let text = String::from_utf8_lossy(written);
    let mut sequences = text.split("\x1b[").skip(1);
    sequences.any(|rest| rest.trim_start_matches(|part: char| part.is_ascii_digit() || part == ';').starts_with('m'))
}

/// All that is written to a terminal by a replay of the whole game, with its pages.
fn replayed(run: &Run, size: Size, environment: &[(&str, &str)]) -> Vec<u8> {
    let mut terminal = run.replay(size, environment);
    terminal.press(RIGHT);
    terminal.until(|lines| lines[0].contains("turn 1 of"));
    terminal.press(END);
    terminal.until(|lines| !lines[0].contains("turn 1 of"));
    terminal.press("e");
    terminal.until(|lines| lines[1].starts_with("on turn "));
    terminal.press("?");
    terminal.until(|lines| lines[1].contains("next turn"));
    terminal.press("qq");
    assert!(terminal.end().success());
    terminal.written.clone()
}

#[test]
fn colours_are_there_unless_they_are_not_wanted() {
    assert!(has_colours(&replayed(&OTHELLO, USUAL, &[])));
    assert!(!has_colours(&replayed(&OTHELLO, USUAL, &[("NO_COLOR", "1")])));
    assert!(!has_colours(&replayed(&OTHELLO, USUAL, &[("CLICOLOR", "0")])));
    assert!(has_colours(&replayed(&OTHELLO, USUAL, &[("NO_COLOR", "")])));
}

#[test]
fn a_terminal_without_utf_8_gets_ascii_alone() {
    for run in [&*CHECKERS, &*HALMA] {
        let written = replayed(run, USUAL, &[("LC_ALL", "C")]);
        assert!(written.is_ascii(), "{}", String::from_utf8_lossy(&written));
    }
    let run = CHECKERS.path();
    let record = CHECKERS.record();
    let record = record.to_str().unwrap();
    let commands: [&[&str]; 6] = [
        &["standings", &run, "--ratings", "--crosstable"],
        &["explain", record],
        &["replay", record, "--turn", "5"],
        &["status", &run],
        &["verify", &run],
        &words("play builtin:random builtin:random --game duo-othello --opening-plies 130 --jobs 1", &[]),
    ];
    let folder = TempDir::new().unwrap();
    for arguments in commands {
        let out = folder.path().join("run");
        let mut arguments = arguments.to_vec();
        if arguments[0] == "play" {
            arguments.extend(["--out", out.to_str().unwrap()]);
        }
        let mut terminal = start(&arguments, SMALL, &[("LC_ALL", "POSIX"), ("LANG", "C.UTF-8")]);
        assert!(terminal.end().success(), "{arguments:?}");
        assert!(terminal.written.is_ascii(), "{arguments:?}: {}", String::from_utf8_lossy(&terminal.written));
    }
}

#[test]
fn nothing_goes_on_in_the_next_line() {
    let run = CHECKERS.path();
    let record = HALMA.record();
    let record = record.to_str().unwrap();
    let commands: [&[&str]; 4] = [
        &["standings", &run, "--ratings", "--crosstable"],
        &["explain", record],
        &["replay", record, "--turn", "5"],
        &["status", &run],
    ];
    for arguments in commands {
        let size = Size { rows: 200, columns: 40 };
        let mut terminal = start(arguments, size, &[]);
        assert!(terminal.end().success(), "{arguments:?}");
        let wrapped = (0..size.rows).filter(|&row| terminal.screen().row_wrapped(row)).count();
        assert_eq!(wrapped, 0, "{arguments:?}:\n{}", terminal.lines().join("\n"));
    }
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_the_text() {
    let mut terminal = CHECKERS.replay(LARGE, &[("TERM", "dumb")]);
    assert!(terminal.end().success());
    let text = String::from_utf8(terminal.written.clone()).unwrap();
    assert!(!text.contains('\x1b') && text.contains("turn 1 of "), "{text}");
}

#[test]
fn a_pipe_gets_the_same_text_in_any_locale() {
    let text = |environment: &[(&str, &str)]| {
        let mut command = referee(&["replay"]);
        command.arg(CHECKERS.record()).envs(environment.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let usual = text(&[("LC_ALL", "C.UTF-8"), ("TERM", "xterm")]);
    assert_eq!(usual, text(&[("LC_ALL", "C"), ("TERM", "dumb")]));
    assert!(usual.contains("  8 · b · b · b · b\n") && !usual.contains('\x1b'));
}

#[test]
fn a_hostile_record_does_no_harm() {
    let text = std::fs::read_to_string(CHECKERS.record()).unwrap();
    let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
    record["players"]["black"]["name"] = format!("\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}{}", "x".repeat(10_000)).into();
    record["players"]["white"]["name"] = format!("{}\u{5d0}\u{5d1}", "漢字".repeat(200)).into();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hostile.json");
    std::fs::write(&path, record.to_string()).unwrap();
    let (_, snapshots) = CHECKERS.snapshots();
    for size in [USUAL, SMALL, LARGE] {
        for environment in [&[][..], &[("LC_ALL", "C")][..]] {
            let mut terminal = start(&["replay", path.to_str().unwrap()], size, environment);
            for keys in ["", RIGHT, END, "e", END] {
                terminal.press(keys);
            }
            terminal.until(|lines| lines[1].starts_with("on turn ") || lines[lines.len() - 1].contains("lines "));
            terminal.press(&format!("q{HOME}"));
            let header = format!("turn 0 of {}", snapshots.len() - 1);
            terminal.until(|lines| lines[0].ends_with(&header) && lines[lines.len() - 1].contains("q quit"));
            terminal.press("q");
            assert!(terminal.end().success());
            let written = String::from_utf8(terminal.written.clone()).unwrap();
            assert!(!written.contains("\x1b]") && !written.contains('\u{202e}'));
        }
    }
}

#[test]
fn a_live_game_has_its_board_and_ends_with_its_result() {
    for (size, environment, has_board) in [
        (USUAL, &[][..], true),
        (USUAL, &[("LC_ALL", "C")][..], true),
        (SMALL, &[][..], false),
        (LARGE, &[("NO_COLOR", "1")][..], true),
    ] {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("run");
        let arguments = words(
            "play builtin:random builtin:minimax,depth=1 --game duo-othello --opening-plies 120 --jobs 1 \
             --seed 1 --out {}",
            &[out.to_str().unwrap()],
        );
        let mut terminal = start(&arguments, size, environment);
        assert!(terminal.end().success());
        let written = String::from_utf8(terminal.written.clone()).unwrap();
        let plain = console::strip_ansi_codes(&written);
        assert!(plain.contains("0/1 games"), "{plain}");
        assert_eq!(plain.contains("a b c d e f g h i j k l"), has_board, "{plain}");
        assert_eq!(written.is_ascii(), environment.contains(&("LC_ALL", "C")), "{written}");
        assert!(!environment.contains(&("NO_COLOR", "1")) || !has_colours(written.as_bytes()));
        let lines = terminal.lines();
        assert!(lines.iter().any(|line| line.starts_with("g0001  ")), "{}", lines.join("\n"));
        assert!(lines.iter().any(|line| line.starts_with("records: ")), "{}", lines.join("\n"));
        // The moving part is gone.
        assert!(!lines.iter().any(|line| line.contains("0/1 games")), "{}", lines.join("\n"));
        assert!(terminal.is_as_found());
    }
}
