//! The laws of rules programs, and their trial. It prints nothing; its parent module reports.

use std::fs::File;
use std::io;
use std::time::Instant;

use super::report::{Contradiction, GameCheck, LawResult, QuestionSpeed};
use crate::agents::builtin::TurnRng;
use crate::games::{Game, Judged, State, Status};
use crate::protocol::{InputPurpose, Refusal, TimeLeft, Tolerance, plain, quote};
use crate::rules_program::game::CustomGame;
use crate::rules_program::protocol::{Ask, PROTOCOL};
use crate::rules_program::state::CustomState;
use crate::rules_program::{as_custom, playouts};
use crate::time::CpuTime;

/// How many texts that are no moves are tried at each position.
const STRANGE_TEXTS: usize = 6;

/// How many positions are asked about again after the program was started anew.
const ASKED_AGAIN: usize = 25;

/// A program that has failed so often is not asked any more.
const MOST_BREAKDOWNS: usize = 5;

/// Tries the laws on `count` positions, which depend on `seed`, and writes all messages to `log`. `None` if the
/// rules of `position` are not a program.
///
/// # Errors
///
/// The system's, of the log.
pub fn check(position: &State, count: usize, seed: u64, log: Option<File>) -> io::Result<Option<GameCheck>> {
    let Some(position) = as_custom(position) else {
        return Ok(None);
    };
    let client = &position.custom_game().client;
    if let Some(file) = log {
        client.log_messages(file);
    }
    let check = tried(position.custom_game(), count, seed);
    client.finish_log()?;
    Ok(Some(check))
}

fn tried(game: &'static CustomGame, count: usize, seed: u64) -> GameCheck {
    let mut trial = LawTrial::new(game, seed);
    trial.beginnings();
    let (mut met, mut games, mut ended) = (Vec::new(), 0, 0);
    while met.len() < count && games < count && !trial.has_failed() {
        let played = playouts::random_game(game, seed.wrapping_add(games as u64));
        games += 1;
        let last = played.last();
        ended += usize::from(last.is_some_and(|last| matches!(last.status(), Status::Over(_))));
        if let Some(broken) = last.filter(|last| last.breakdown().is_some()) {
            trial.answers(broken);
        }
        met.extend(played.into_iter().filter(|position| position.breakdown().is_none()));
    }
    met.truncate(count);
    for index in 0..met.len() {
        if trial.has_failed() {
            break;
        }
        trial.examine(&met, index);
    }
    if !trial.has_failed() {
        trial.keeps_nothing(&met);
    }
    trial.ends.note((ended == 0).then(|| Contradiction {
        position: String::new(),
        one: format!("{games} random games"),
        other: "none of them came to an end".to_owned(),
    }));
    trial.into_check(met.len(), games, ended)
}

struct LawTrial {
    game: &'static CustomGame,
    chance: TurnRng,
    answers: LawResult,
    same: LawResult,
    listed: LawResult,
    others: LawResult,
    reasons: LawResult,
    bytes: LawResult,
    over: LawResult,
    inputs: LawResult,
    values: LawResult,
    memory: LawResult,
    ends: LawResult,
    moves: QuestionSpeed,
    judge: QuestionSpeed,
    next: QuestionSpeed,
    input: QuestionSpeed,
    read_input: QuestionSpeed,
    evaluate: QuestionSpeed,
}

impl LawTrial {
    fn new(game: &'static CustomGame, seed: u64) -> Self {
        Self {
            game,
            chance: TurnRng::new(seed, u64::MAX - 1),
            answers: LawResult::new("every question is answered, and the answer fits the game"),
            same: LawResult::new("the same question gives the same answer"),
            listed: LawResult::new("every listed move is accepted, and leads where the list says"),
            others: LawResult::new("no other move is accepted"),
            reasons: LawResult::new("a refusal has a code and a reason"),
            bytes: LawResult::new("any bytes get a verdict"),
            over: LawResult::new("a game that is over has no moves, one that is not has some"),
            inputs: LawResult::new("`input.txt` is read as it was written"),
            values: LawResult::new("a value is between -1000000 and 1000000"),
            memory: LawResult::new("the program keeps nothing between two questions"),
            ends: LawResult::new("games come to an end"),
            moves: QuestionSpeed::new("moves"),
            judge: QuestionSpeed::new("judge"),
            next: QuestionSpeed::new("moves, with the positions after them"),
            input: QuestionSpeed::new("input"),
            read_input: QuestionSpeed::new("read-input"),
            evaluate: QuestionSpeed::new("evaluate"),
        }
    }

    fn has_failed(&self) -> bool {
        self.answers.broken >= MOST_BREAKDOWNS
    }

    fn into_check(self, positions: usize, games: usize, ended: usize) -> GameCheck {
        let laws = [
            self.answers,
            self.same,
            self.listed,
            self.others,
            self.reasons,
            self.bytes,
            self.over,
            self.inputs,
            self.values,
            self.memory,
            self.ends,
        ];
        let speed = [
            self.judge,
            self.moves,
            self.next,
            self.input,
            self.read_input,
            self.evaluate,
        ];
        GameCheck {
            positions,
            games,
            ended,
            laws: laws.into_iter().filter(|law| law.tried > 0).collect(),
            speed: speed
                .into_iter()
                .filter(|speed| speed.asked > 0)
                .map(QuestionSpeed::averaged)
                .collect(),
        }
    }

    /// Notes whether all questions about the position were answered.
    fn answers(&mut self, position: &State) -> bool {
        let broken = position.breakdown();
        let is_broken = broken.is_some();
        self.answers.note(broken.map(|reason| Contradiction {
            position: shown(position),
            one: reason,
            other: "no answer that can be used".to_owned(),
        }));
        !is_broken
    }

    /// The description of the game and its start, each asked twice.
    fn beginnings(&mut self) {
        let (client, to_move) = (&self.game.client, self.game.word(self.game.start().side_to_move()));
        let description = [(); 2].map(|()| client.ask(Ask::Game { protocol: PROTOCOL }));
        let start = [(); 2].map(|()| client.ask(Ask::Start { to_move }));
        for (word, answers) in [("game", description), ("start", start)] {
            let [one, other] = answers.map(|answer: Result<serde_json::Value, _>| match answer {
                Ok(said) => said.to_string(),
                Err(fault) => fault.to_string(),
            });
            self.same.note((one != other).then(|| Contradiction {
                position: String::new(),
                one: format!("{word}: {}", plain(&one)),
                other: format!("{word}: {}", plain(&other)),
            }));
        }
    }

    fn examine(&mut self, met: &[State], index: usize) {
        // Anew, so that no answer is remembered.
        let Some(position) = as_custom(&met[index]).map(|state| State::new(state.copy())) else {
            return;
        };
        let began = Instant::now();
        let listed = asked_moves(&position);
        self.moves.note(began.elapsed());
        self.over(&position, &listed);
        if matches!(position.status(), Status::ToMove) && self.answers(&position) {
            self.listed_moves(&position, &listed);
            self.other_moves(&position, &listed, met);
            self.strange_bytes(&position, &listed);
            self.inputs(&position);
            self.values(&position);
        }
        let again = asked_moves(&position);
        let is_same = listed == again;
        self.same.note((!is_same).then(|| Contradiction {
            position: shown(&position),
            one: format!("moves: {}", listed.join(", ")),
            other: format!("moves: {}", again.join(", ")),
        }));
        self.answers(&position);
    }

    fn over(&mut self, position: &State, listed: &[String]) {
        let goes_on = match position.status() {
            Status::ToMove => true,
            Status::MustPass | Status::Over(_) => false,
        };
        self.over.note((goes_on == listed.is_empty()).then(|| {
            Contradiction {
                position: shown(position),
                one: if goes_on {
                    "status: to-move"
                } else {
                    "status: not to-move"
                }
                .to_owned(),
                other: format!("{} moves: {}", listed.len(), listed.join(", ")),
            }
        }));
    }

    fn listed_moves(&mut self, position: &State, listed: &[String]) {
        let began = Instant::now();
        let next = position.successors();
        self.next.note(began.elapsed());
        for (mv, next) in listed.iter().zip(&next) {
            let began = Instant::now();
            let judged = position.judge(mv.as_bytes(), Tolerance::Exact);
            self.judge.note(began.elapsed());
            let again = position.judge(format!("{mv}\n").as_bytes(), Tolerance::Tolerant);
            let led = |judged: &Result<Judged, Refusal>| match judged {
                Ok(judged) => format!("{}, then {}", judged.mv, shown(&judged.next)),
                Err(refusal) => told(refusal),
            };
            let expected = format!("{mv}, then {}", shown(next));
            let found = [led(&judged), led(&again)].into_iter().find(|found| *found != expected);
            self.listed.note(found.map(|found| Contradiction {
                position: shown(position),
                one: format!("moves: {expected}"),
                other: format!("judge: {found}"),
            }));
        }
    }

    /// Moves of other positions, and moves that were changed a little.
    fn other_moves(&mut self, position: &State, listed: &[String], met: &[State]) {
        for _ in 0..STRANGE_TEXTS {
            let places: Vec<usize> = (0..met.len()).collect();
            let other = self
                .chance
                .choose(&places)
                .map(|place| met[place].moves())
                .unwrap_or_default();
            let places: Vec<usize> = (0..other.len()).collect();
            let Some(mv) = self.chance.choose(&places).map(|place| other[place].clone()) else {
                continue;
            };
            let mut letters: Vec<char> = mv.chars().collect();
            if self.chance.choose(&[true, false]) == Some(true) {
                self.chance.shuffle(&mut letters);
            }
            let text: String = letters.into_iter().collect();
            self.judge_strange(position, listed, text.as_bytes());
        }
    }

    fn strange_bytes(&mut self, position: &State, listed: &[String]) {
        let long = vec![b'a'; 64 << 10];
        let lines = b"\n".repeat(1000);
        let texts: [&[u8]; 12] = [
            b"",
            b"\n",
            b"\0",
            b"\xff\xfe",
            b"\xc3\x28 \xe2\x80\xae",
            b"a1\x1b[2J",
            b"-1 99999999999999999999",
            b"\xef\xbb\xbfa1",
            b"{\"move\":1}",
            b"a1 b2 c3 d4\ne5\r\n\r\n",
            &long,
            &lines,
        ];
        let Some(text) = self.chance.choose(&texts) else {
            return;
        };
        for tolerance in [Tolerance::Tolerant, Tolerance::Exact] {
            let copy = as_custom(position).map(|state| State::new(state.copy()));
            let Some(copy) = copy else { return };
            let _ = copy.judge(text, tolerance);
            self.bytes.note(copy.breakdown().map(|reason| Contradiction {
                position: shown(position),
                one: format!("output.txt: {}", quote(text)),
                other: reason,
            }));
        }
        self.judge_strange(position, listed, text);
    }

    /// Whatever is accepted has to be a listed move, whatever is not has to have a reason.
    fn judge_strange(&mut self, position: &State, listed: &[String], text: &[u8]) {
        let Some(copy) = as_custom(position).map(|state| State::new(state.copy())) else {
            return;
        };
        let judged = copy.judge(text, Tolerance::Tolerant);
        if copy.breakdown().is_some() {
            return;
        }
        let found = |other: String| Contradiction {
            position: shown(position),
            one: format!("output.txt: {}", quote(text)),
            other,
        };
        match judged {
            Ok(judged) => {
                let is_listed = listed.contains(&judged.mv);
                let complaint = format!(
                    "judge: accepted as `{}`, which `moves` does not list",
                    plain(&judged.mv)
                );
                self.others.note((!is_listed).then(|| found(complaint)));
            }
            Err(refusal) => {
                self.others.note(None);
                let has_reason = match &refusal {
                    Refusal::Empty => true,
                    Refusal::Format(finding) | Refusal::Illegal(finding) => {
                        let is_code = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                        !finding.message.trim().is_empty()
                            && !finding.code.is_empty()
                            && finding.code.chars().all(is_code)
                    }
                };
                self.reasons.note((!has_reason).then(|| found(told(&refusal))));
            }
        }
    }

    fn inputs(&mut self, position: &State) {
        let time = TimeLeft {
            own: CpuTime::from_millis(98_765),
            opponent: CpuTime::from_secs(77),
        };
        let began = Instant::now();
        let input = position.write_input(InputPurpose::Game, time);
        self.input.note(began.elapsed());
        let again = position.write_input(InputPurpose::Game, time);
        let found = |one: &str, other: String| Contradiction {
            position: shown(position),
            one: format!("input.txt: {}", plain(one)),
            other,
        };
        let differs = input != again;
        self.inputs
            .note(differs.then(|| found(&input, format!("input.txt: {}", plain(&again)))));
        if !self.game.described.reads_input || position.breakdown().is_some() {
            return;
        }
        let began = Instant::now();
        let read = self.game.read_input(input.as_bytes());
        self.read_input.note(began.elapsed());
        let fault = match read {
            Err(fault) => Some(format!("read as: {fault}")),
            Ok(read) => {
                let (rows, moves) = (read.position.rows(), read.position.moves());
                let is_same = rows == position.rows() && moves == position.moves();
                (!is_same).then(|| format!("read as: {}", shown(&read.position)))
            }
        };
        self.inputs.note(fault.map(|fault| found(&input, fault)));
    }

    fn values(&mut self, position: &State) {
        let Some(state) = as_custom(position).filter(|_| self.game.described.evaluates) else {
            return;
        };
        let began = Instant::now();
        let values = CustomState::evaluate(self.game, &[state], position.side_to_move());
        self.evaluate.note(began.elapsed());
        let value = values.and_then(|values| values.first().copied()).unwrap_or(0);
        self.values.note((value.abs() >= 1_000_000).then(|| Contradiction {
            position: shown(position),
            one: format!("evaluate: {value}"),
            other: "expected a value between -1000000 and 1000000".to_owned(),
        }));
    }

    /// Asks about some positions again, in another order, of a program that has just been started.
    fn keeps_nothing(&mut self, met: &[State]) {
        let before: Vec<Vec<String>> = met.iter().map(asked_moves).collect();
        self.game.client.restart();
        let step = (met.len() / ASKED_AGAIN).max(1);
        for (position, before) in met.iter().zip(before).rev().step_by(step) {
            let after = asked_moves(position);
            let differs = before != after;
            self.memory.note(differs.then(|| Contradiction {
                position: shown(position),
                one: format!("moves, asked in the order of the games: {}", before.join(", ")),
                other: format!("moves, asked of a program just started: {}", after.join(", ")),
            }));
        }
    }
}

/// What the program lists, also where nobody would ask it.
fn asked_moves(position: &State) -> Vec<String> {
    as_custom(position).map(CustomState::listed_moves).unwrap_or_default()
}

fn told(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Empty => "refused as empty".to_owned(),
        Refusal::Format(finding) => format!("refused as a wrong format: {finding}"),
        Refusal::Illegal(finding) => format!("refused as illegal: {finding}"),
    }
}

/// The position in one line, which `--input` reads.
fn shown(position: &State) -> String {
    match position.breakdown() {
        Some(_) => "a position that could not be made".to_owned(),
        None => position.position_line().unwrap_or_default(),
    }
}
