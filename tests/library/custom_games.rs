//! Checkers and Heirs, written a second time as rules programs, held against the built-in games.
//!
//! Positions of random games and of real ones; every move, next board and end has to be the same, and of every answer
//! the whole finding: code, line, column, length, message, hint. `REFEREE_POSITIONS` says how many positions of each
//! game, 400 unless it is set; with it, all real games are replayed.

use std::path::Path;

use referee_games::builtin::TurnRng;
use referee_games::protocol::{Finding, InputPurpose, Refusal, TimeLeft, Tolerance};
use referee_games::{BoardDraw, BoardWin, Ending, GameRef, Side, State, Status};
use referee_matches::rules_program;
use referee_time::CpuTime;
use serde::Deserialize;

use crate::corpora::corpus;

/// The game of `examples/rules/FILE`.
fn second_writing(file: &str) -> GameRef {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/rules").join(file);
    rules_program::known_games(Some(Path::new(env!("CARGO_BIN_EXE_referee")))).at(&path).unwrap()
}

fn how_many() -> usize {
    let asked = std::env::var("REFEREE_POSITIONS").ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(400)
}

/// The status in words that both kinds of games share.
fn in_words(status: Status) -> String {
    match status {
        Status::ToMove => "to move".to_owned(),
        Status::MustPass => "must pass".to_owned(),
        Status::Over(Ending::Won { winner, by }) => {
            let by = match by {
                BoardWin::NoPieces => "no pieces",
                BoardWin::NoMoves => "no moves",
                BoardWin::Goal(goal) => goal.code,
                BoardWin::HigherScore { .. } => "score",
            };
            format!("{winner:?} won by {by}")
        }
        Status::Over(Ending::Drawn(level)) => match level {
            BoardDraw::Blocked => "blocked".to_owned(),
            BoardDraw::NoMoves => "no moves".to_owned(),
            BoardDraw::EqualScores { .. } => "equal".to_owned(),
            BoardDraw::Reason(reason) => reason.code.to_owned(),
        },
    }
}

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort_unstable();
    moves
}

/// What a judge makes of a text: the move, whether it is progress, the warnings and the board; or the refusal.
type JudgedText = Result<(String, bool, Vec<Finding>, String, String), Refusal>;

fn judged(position: &State, text: &[u8], tolerance: Tolerance) -> JudgedText {
    let judged = position.judge(text, tolerance)?;
    let (next, status) = (judged.next.board(), in_words(judged.next.status()));
    Ok((judged.mv, judged.is_progress, judged.warnings, next, status))
}

/// Asks both about one position.
fn compare(ours: &State, theirs: &State, texts: &[Vec<u8>]) {
    assert_eq!(theirs.breakdown(), None);
    assert_eq!(theirs.board(), ours.board());
    assert_eq!(theirs.side_to_move(), ours.side_to_move());
    assert_eq!(in_words(theirs.status()), in_words(ours.status()), "{ours:?}");
    if ours.status() == Status::ToMove {
        assert_eq!(sorted(theirs.moves()), sorted(ours.moves()), "{ours:?}");
        for text in texts {
            for tolerance in [Tolerance::Tolerant, Tolerance::Exact] {
                assert_eq!(
                    judged(theirs, text, tolerance),
                    judged(ours, text, tolerance),
                    "{} in\n{}",
                    text.escape_ascii(),
                    ours.board()
                );
            }
        }
    }
    let time = TimeLeft { own: CpuTime::from_millis(12_340), opponent: CpuTime::from_secs(7) };
    for purpose in [InputPurpose::Single, InputPurpose::Game] {
        assert_eq!(theirs.write_input(purpose, time), ours.write_input(purpose, time));
    }
    for side in Side::BOTH {
        assert_eq!(theirs.pieces(side), ours.pieces(side));
    }
}

/// Plays random games by both rules at once. `strange` makes a text that is hardly a move of one that is.
fn play_both(ours: GameRef, theirs: GameRef, strange: fn(&str) -> String) {
    let (mut met, mut seed) = (0, 0);
    while met < how_many() {
        seed += 1;
        let (mut one, mut other) = (ours.start(), theirs.start());
        // A game whose draws are the referee's business may go on for ever.
        for ply in 0..300 {
            let mut chance = TurnRng::new(seed, ply);
            let moves = one.moves();
            let places: Vec<usize> = (0..moves.len()).collect();
            let Some(place) = chance.choose(&places) else {
                compare(&one, &other, &[]);
                break;
            };
            let mv = moves[place].clone();
            let elsewhere = ours.start().moves()[0].clone();
            let mut texts = [mv.clone(), strange(&mv), elsewhere, mv.to_uppercase(), "x".to_owned()]
                .map(String::into_bytes)
                .to_vec();
            texts.extend((0..MUTANTS).map(|_| mutated(mv.as_bytes(), &ours, &mut chance)));
            compare(&one, &other, &texts);
            met += 1;
            one = one.judge(mv.as_bytes(), Tolerance::Exact).unwrap().next;
            other = other.judge(mv.as_bytes(), Tolerance::Exact).unwrap().next;
        }
    }
}

/// How many answers with mistakes are tried at each position.
const MUTANTS: usize = 4;

/// What agents write by mistake, or never.
const SCRAPS: &[&[u8]] = &[
    b" ",
    b"  ",
    b"\t",
    b"\x0b",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"\n ",
    b"E",
    b"J",
    b"j",
    b"e",
    b"pass",
    b"No Move",
    b"3c",
    b"3,4",
    b"7,7",
    b"i5",
    b"L12",
    b"n13",
    b"12a",
    b",",
    b"-",
    b"->",
    b"['E', ",
    b")",
    b"`",
    b"\\",
    b"\0",
    b"\x1b[2J",
    b"\xff",
    b"\xa0",
    b"\x85",
    "\u{2192}\u{202e}".as_bytes(),
    b"\xef\xbb\xbf",
    b"\xff\xfeE\0\n\0",
    b" # the best there is of many good ones",
];

/// The answer with one to three mistakes: bytes changed, scraps added, words and lines exchanged, doubled and left out,
/// squares replaced by others.
fn mutated(answer: &[u8], game: &GameRef, chance: &mut TurnRng) -> Vec<u8> {
    let mut upto = |end: usize| chance.choose(&(0..end.max(1)).collect::<Vec<_>>()).unwrap();
    let look = &game.profile().board;
    let mut text = answer.to_vec();
    for _ in 0..=upto(3) {
        let at = upto(text.len() + 1);
        let splitter = [b' ', b'\n'][upto(2)];
        let mut parts: Vec<Vec<u8>> = text.split(|&byte| byte == splitter).map(<[u8]>::to_vec).collect();
        let part = upto(parts.len());
        match upto(8) {
            0 | 1 => {
                let square = look.square(upto(look.rows.len()), upto(look.columns.len()));
                parts[part] = square.into_bytes();
            }
            2 => parts.swap(part, 0),
            3 => parts.insert(part, parts[part].clone()),
            4 => {
                parts.remove(part);
            }
            5 => parts[part].make_ascii_uppercase(),
            6 => {
                let scrap = SCRAPS[upto(SCRAPS.len())];
                text.splice(at..at, scrap.iter().copied());
                continue;
            }
            _ => {
                let byte = u8::try_from(upto(256)).unwrap();
                text.splice(at..(at + 1).min(text.len()), [byte]);
                continue;
            }
        }
        text = parts.join(&splitter);
    }
    text
}

/// A text with its squares in the other order.
fn turned(mv: &str) -> String {
    let mut words: Vec<&str> = mv.split(' ').collect();
    words.reverse();
    words.join(" ")
}

/// The first line alone, backwards: `E b4 c3`.
fn backwards(mv: &str) -> String {
    let mut words = mv.lines().next().unwrap_or_default().split(' ');
    let (kind, from, to) = (words.next(), words.next(), words.next());
    [kind, to, from].map(Option::unwrap_or_default).join(" ")
}

#[test]
#[ignore = "long: compares whole games"]
fn checkers_in_python_is_checkers() {
    let ours: GameRef = "checkers".parse().unwrap();
    play_both(ours, second_writing("checkers.py"), backwards);
}

#[test]
fn heirs_in_python_is_heirs() {
    let ours: GameRef = "heirs".parse().unwrap();
    play_both(ours, second_writing("heirs.py"), turned);
}

/// A game of the class of 2021.
#[derive(Deserialize)]
struct RealGame {
    id: String,
    moves: Vec<RealMove>,
}

#[derive(Deserialize)]
struct RealMove {
    side: String,
    play: String,
}

/// Unless all are wanted, one game in so many is replayed.
const ONE_IN: usize = 10;

/// What agents of a class wrote, legal or not, is judged alike, up to the first refusal of a game.
#[test]
#[ignore = "long: compares whole games"]
fn real_games_of_checkers_are_judged_alike() {
    let Some(text) = corpus("checkers-2021-sample.jsonl") else {
        return;
    };
    let (ours, theirs): (GameRef, GameRef) = ("checkers".parse().unwrap(), second_writing("checkers.py"));
    let one_in = if std::env::var_os("REFEREE_POSITIONS").is_some() { 1 } else { ONE_IN };
    let (mut answers, mut refused, mut over) = (0, 0, 0);
    for line in text.lines().step_by(one_in) {
        let game: RealGame = serde_json::from_str(line).unwrap();
        let (mut one, mut other) = (ours.start(), theirs.start());
        for mv in &game.moves {
            let side = ours.profile().side(one.side_to_move()).word;
            // The log of some games lacks answers.
            if side != mv.side {
                break;
            }
            let output = mv.play.replace(" ; ", "\n");
            compare(&one, &other, &[output.clone().into_bytes()]);
            answers += 1;
            match (
                one.judge(output.as_bytes(), Tolerance::Tolerant),
                other.judge(output.as_bytes(), Tolerance::Tolerant),
            ) {
                (Ok(left), Ok(right)) => (one, other) = (left.next, right.next),
                (Err(_), Err(_)) => {
                    refused += 1;
                    break;
                }
                (left, right) => panic!("{}: {output:?}: {left:?}, {right:?}", game.id),
            }
        }
        compare(&one, &other, &[]);
        over += usize::from(matches!(one.status(), Status::Over(_)));
    }
    println!("{answers} answers, {refused} refused, {over} games over on the board");
    assert!(answers >= 20 * text.lines().count() / one_in, "{answers}");
    assert!(refused > 0 && over > 0, "{refused} refused, {over} over");
}

/// The corpus of positions that the games share.
#[test]
fn both_count_the_same_sequences_of_moves() {
    assert_eq!(second_writing("checkers.py").start().perft(5), 7361);
    assert_eq!(second_writing("heirs.py").start().perft(2), 1296);
}

#[test]
fn an_input_is_read_as_the_built_in_game_reads_it() {
    for (name, file) in [("checkers", "checkers.py"), ("heirs", "heirs.py")] {
        let (ours, theirs): (GameRef, GameRef) = (name.parse().unwrap(), second_writing(file));
        let time = TimeLeft { own: CpuTime::from_secs(100), opponent: CpuTime::from_secs(99) };
        let text = ours.start().write_input(InputPurpose::Game, time);
        let (one, other) = (ours.read_input(text.as_bytes()).unwrap(), theirs.read_input(text.as_bytes()).unwrap());
        compare(&one.position, &other.position, &[]);
        assert!(theirs.read_input(b"nonsense").is_err());
    }
}
