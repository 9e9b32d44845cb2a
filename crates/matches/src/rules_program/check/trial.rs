//! Tries the laws on one position after the other. `games` chooses the positions, and how much is tried at each.

use std::collections::HashMap;
use std::time::Instant;

use serde_json::Value;

use super::difference::first_difference;
use super::evaluations::EvaluationTally;
use super::laws::LAWS;
use super::report::{Law, LawResult, LawViolation, QuestionSpeed};
use crate::rules_program::as_custom;
use crate::rules_program::fault::RulesFault;
use crate::rules_program::game::CustomGame;
use crate::rules_program::protocol::{PROTOCOL, RulesQuestion};
use crate::rules_program::state::{CustomState, SAME_SIDE};
use referee_games::builtin::TurnRng;
use referee_games::protocol::{InputPurpose, Refusal, TimeLeft, Tolerance, counted, plain, quote};
use referee_games::{Game, Judged, State, Status};
use referee_seat::Protocol;
use referee_time::CpuTime;

/// How many texts that are no moves are tried at each position.
const STRANGE_TEXTS: usize = 6;

/// How many moves of a position are also tried in a spelling that is not exact, and after its `input.txt` was read.
const TRIED_AGAIN: usize = 2;

/// A program that has failed so often is not asked any more.
const MAX_BREAKDOWNS: usize = 5;

/// The codes of refusals that come from the module, and not from the author.
const CODES_OF_MODULE: &str = "byte-order-mark carriage-return carriage-return-within empty-line exact-format \
                               illegal-move leading-blanks stray-blanks trailing-blanks";

/// The end of a standard error that is shown, in lines.
const LINES_OF_STDERR: usize = 12;

/// How much is tried at one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveShare {
    /// At most so many of its moves.
    pub(super) most: usize,
    /// Whether the positions after all moves are asked for together.
    pub(super) asks_next: bool,
}

/// The results so far.
pub(super) struct LawTrial {
    pub(super) game: &'static CustomGame,
    chance: TurnRng,
    laws: Vec<LawResult>,
    speed: Vec<QuestionSpeed>,
    has_hung: bool,
    /// Whether the program looks for changed states and names without effect, as the module in Python does.
    watches: bool,
    /// The first state that was written so, by its `input.txt`.
    written: HashMap<String, Value>,
    pub(super) evaluations: EvaluationTally,
    /// How many listed moves were tried.
    pub(super) moves_tried: usize,
}

impl LawTrial {
    pub(super) fn new(game: &'static CustomGame, seed: u64, protocol: Protocol) -> Self {
        let is_tried = |law: &LawResult| law.id != Law::Framed || protocol == Protocol::Stdio;
        Self {
            game,
            chance: TurnRng::new(seed, u64::MAX - 1),
            laws: LAWS.into_iter().filter(is_tried).collect(),
            speed: Vec::new(),
            has_hung: false,
            watches: false,
            written: HashMap::new(),
            evaluations: EvaluationTally::default(),
            moves_tried: 0,
        }
    }

    /// Whether the program is not worth asking any more. A question that hangs takes half a minute.
    pub(super) fn has_failed(&self) -> bool {
        let of_answers = self.laws.iter().filter(|law| matches!(law.id, Law::Answers | Law::Turns));
        let broken: usize = of_answers.map(|law| law.broken).sum();
        self.has_hung || broken >= MAX_BREAKDOWNS
    }

    /// Notes the laws about all evaluations.
    pub(super) fn evaluated(&mut self) {
        for (law, found) in std::mem::take(&mut self.evaluations).laws() {
            self.note(law, found);
        }
    }

    /// All laws, and the questions that were asked.
    pub(super) fn into_results(self) -> (Vec<LawResult>, Vec<QuestionSpeed>) {
        (self.laws, self.speed.into_iter().map(QuestionSpeed::averaged).collect())
    }

    /// Notes one try of `law`.
    pub(super) fn note(&mut self, law: Law, contradiction: Option<LawViolation>) {
        if let Some(result) = self.laws.iter_mut().find(|result| result.id == law) {
            result.note(contradiction);
        }
    }

    /// Notes one try of `law` at `position`, and what was found against it.
    pub(super) fn note_at(&mut self, law: Law, position: &State, found: Option<String>) {
        self.note(law, found.map(|found| LawViolation::at(position, found)));
    }

    fn timed<T>(&mut self, question: &'static str, ask: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let answer = ask();
        let took = began.elapsed();
        if self.speed.iter().all(|speed| speed.question != question) {
            self.speed.push(QuestionSpeed::new(question));
        }
        if let Some(speed) = self.speed.iter_mut().find(|speed| speed.question == question) {
            speed.note(took);
        }
        answer
    }

    /// A game in which a question was not answered: at `last`, or on the way to it from `before`. Whether it was asked
    /// in this game: otherwise the start itself is broken.
    pub(super) fn fails(&mut self, last: &State, before: Option<&State>) -> bool {
        let place = before.filter(|_| last.rows().is_empty()).unwrap_or(last);
        self.note_fault(place, None)
    }

    /// Notes the fault of the last question, about `position` or a copy of it, as a breach of `law`; by default of the
    /// one that it breaks. Whether there was one: a fault is noted once.
    fn note_fault(&mut self, position: &State, law: Option<Law>) -> bool {
        let Some(fault) = self.game.take_fault() else {
            return false;
        };
        self.has_hung |= fault.hangs;
        let broken = if fault.what.contains(SAME_SIDE) { Law::Turns } else { law.unwrap_or(Law::Answers) };
        self.note(broken, Some(located_fault(&fault, position)));
        true
    }

    /// Notes whether all questions about the position were answered.
    fn answers(&mut self, position: &State) -> bool {
        if position.breakdown().is_some() {
            self.fails(position, None);
            return false;
        }
        self.note(Law::Answers, None);
        true
    }

    /// The description of the game and its start, each asked twice.
    pub(super) fn beginnings(&mut self) {
        let (client, to_move) = (&self.game.client, self.game.word(self.game.start().side_to_move()));
        let description = [(); 2].map(|()| client.ask(RulesQuestion::Game { protocol: PROTOCOL }));
        let start = [(); 2].map(|()| client.ask(RulesQuestion::Start { to_move }));
        let warnings = description[0].as_ref().ok().and_then(|said: &Value| said.get("warnings").cloned());
        self.watches = warnings.is_some();
        let warnings: Vec<String> = warnings.and_then(|said| serde_json::from_value(said).ok()).unwrap_or_default();
        for (word, answers) in [("game", description), ("start", start)] {
            let [one, other] = answers.map(|answer| answer.unwrap_or_else(|fault| fault.brief().into()));
            let found = first_difference(&one, &other);
            self.note(Law::Same, found.map(|found| said(format!("`{word}`, asked twice: {found}"))));
        }
        if self.watches {
            self.note(Law::Names, None);
        }
        for warning in warnings {
            self.note(Law::Names, Some(said(plain(&warning))));
        }
    }

    /// Tries all laws on the last position. Returns its moves.
    pub(super) fn examine(&mut self, met: &[State], share: MoveShare) -> Vec<String> {
        let Some(position) = met.last().and_then(fresh_copy) else {
            return Vec::new();
        };
        let listed = self.timed("moves", || asked_moves(&position));
        if !self.answers(&position) {
            return listed;
        }
        self.over(&position, &listed);
        if matches!(position.status(), Status::ToMove) {
            self.squares(&position, &listed);
            self.listed_moves(&position, &listed, share);
            if position.breakdown().is_none() {
                self.other_moves(&position, &listed, met);
                self.strange_bytes(&position, &listed);
                self.inputs(&position);
            }
            if position.breakdown().is_none() {
                self.values(&position);
            }
        }
        if let Some(changed) = self.game.take_change() {
            let before = as_custom(&position).map(|state| state.as_json()["state"].clone()).unwrap_or_default();
            let difference = first_difference(&before, &changed.state).unwrap_or_default();
            let of = changed.mv.map(|mv| format!(" of the move `{}`", plain(&mv))).unwrap_or_default();
            let told = format!("`{}`{of} changed the state that it was given: {difference}", plain(&changed.by));
            self.note_at(Law::Unchanged, &position, Some(told));
        } else if self.watches {
            self.note(Law::Unchanged, None);
        }
        if self.has_failed() || !self.answers(&position) {
            return listed;
        }
        let again = asked_moves(&position);
        if self.answers(&position) {
            let told = || format!("`moves`, asked twice: {}", lists_differ(&listed, &again));
            self.note_at(Law::Same, &position, (listed != again).then(told));
        }
        listed
    }

    fn over(&mut self, position: &State, listed: &[String]) {
        let goes_on = matches!(position.status(), Status::ToMove);
        let told = || {
            let (status, moves) = (if goes_on { "" } else { "not " }, counted(listed.len(), "move"));
            format!("`status` says {status}`to_move`, and `moves` lists {moves}")
        };
        self.note_at(Law::Over, position, (goes_on == listed.is_empty()).then(told));
    }

    /// A move without any square may be a pass; one with digits looks like a square that has another name.
    fn squares(&mut self, position: &State, listed: &[String]) {
        let board = self.game.profile().board;
        let is_sign = |c: char| !c.is_ascii_alphanumeric() && c != ',';
        let names = |mv: &&String| mv.split(is_sign).any(|word| board.place(word).is_some());
        let has_digit = |mv: &&String| mv.contains(|c: char| c.is_ascii_digit());
        let strange = if listed.iter().any(|mv| names(&mv)) {
            listed.iter().find(|mv| has_digit(mv) && !names(mv))
        } else {
            // In some positions the pass is all that a side can do.
            listed.first().filter(|mv| listed.len() > 1 || has_digit(mv))
        };
        let told = |mv: &String| {
            format!(
                "the move `{}` names no square; by `columns`, `rows` and `square` they are `{}` to `{}`",
                plain(mv),
                board.square(board.rows.len() - 1, 0),
                board.square(0, board.columns.len() - 1)
            )
        };
        self.note_at(Law::Squares, position, strange.map(told));
    }

    fn listed_moves(&mut self, position: &State, listed: &[String], share: MoveShare) {
        let next = share.asks_next.then(|| self.timed("next", || position.successors()));
        if next.is_some() && !self.answers(position) {
            return;
        }
        let twice = (1..listed.len()).find(|&place| listed[..place].contains(&listed[place]));
        if let Some(place) = twice {
            self.note_at(Law::Listed, position, Some(format!("`moves` lists `{}` twice", plain(&listed[place]))));
        }
        let mut places: Vec<usize> = (0..listed.len()).collect();
        if share.most < places.len() {
            self.chance.shuffle(&mut places);
            places.truncate(share.most);
        }
        for (tried, place) in places.into_iter().enumerate() {
            let mv = &listed[place];
            let judged = self.timed("judge", || position.judge(mv.as_bytes(), Tolerance::Exact));
            if !self.answers(position) {
                return;
            }
            self.moves_tried += 1;
            self.note(Law::Turns, None);
            let list = next.as_ref().and_then(|next| next.get(place));
            let mut found = leads(&judged, mv, list);
            if tried < TRIED_AGAIN && found.is_none() {
                let again = position.judge(format!("{mv}\n").as_bytes(), Tolerance::Tolerant);
                found = leads(&again, mv, judged.as_ref().ok().map(|judged| &judged.next));
            }
            self.note_at(Law::Listed, position, found);
        }
    }

    /// Moves of other positions, and moves that were changed a little.
    fn other_moves(&mut self, position: &State, listed: &[String], met: &[State]) {
        for _ in 0..STRANGE_TEXTS {
            let other = self.chance.choose(met).map(|other| other.moves()).unwrap_or_default();
            let Some(mv) = self.chance.choose(&other) else { continue };
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
            let Some(copy) = fresh_copy(position) else { return };
            let _ = copy.judge(text, tolerance);
            if copy.breakdown().is_none() || !self.note_fault(position, Some(Law::Bytes)) {
                self.note(Law::Bytes, None);
            }
        }
        self.judge_strange(position, listed, text);
    }

    /// Whatever is accepted has to be a listed move, whatever is not has to have a reason.
    fn judge_strange(&mut self, position: &State, listed: &[String], text: &[u8]) {
        let Some(copy) = fresh_copy(position) else { return };
        let judged = copy.judge(text, Tolerance::Tolerant);
        if copy.breakdown().is_some() {
            self.note_fault(position, None);
            return;
        }
        let found = |what: String| format!("output.txt {}: {what}", quote(text));
        match judged {
            Ok(judged) => {
                let told = || found(format!("accepted as `{}`, which `moves` does not list", plain(&judged.mv)));
                self.note_at(Law::Others, position, (!listed.contains(&judged.mv)).then(told));
            }
            Err(Refusal::Empty) => self.note(Law::Others, None),
            Err(Refusal::Format(finding) | Refusal::Illegal(finding)) => {
                self.note(Law::Others, None);
                let is_code = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                let has_reason =
                    !finding.message.trim().is_empty() && !finding.code.is_empty() && finding.code.chars().all(is_code);
                let told = || found(format!("refused with the code `{}`: {finding}", finding.code));
                self.note_at(Law::Reasons, position, (!has_reason).then(told));
                let rules = &self.game.described.rules;
                if !rules.is_empty() && !CODES_OF_MODULE.split(' ').any(|code| code == finding.code) {
                    let told = || found(format!("refused with the code `{}`, which is none of `rules`", finding.code));
                    self.note_at(Law::Codes, position, (!rules.contains_key(&*finding.code)).then(told));
                }
            }
        }
    }

    fn inputs(&mut self, position: &State) {
        let time = TimeLeft { own: CpuTime::from_millis(98_765), opponent: CpuTime::from_secs(77) };
        let input = self.timed("input", || position.write_input(InputPurpose::Game, time));
        let again = position.write_input(InputPurpose::Game, time);
        if !self.answers(position) {
            return;
        }
        if input != again {
            let [one, other] =
                [&input, &again].map(|text| text.lines().map(|line| Value::from(plain(line))).collect::<Value>());
            let told = first_difference(&one, &other).unwrap_or_default();
            self.note_at(Law::Inputs, position, Some(format!("`to_input`, asked twice: {told}")));
        }
        self.lines_of_input(position, &input, time);
        self.shows_everything(position, &input);
        if !self.game.described.reads_input {
            return;
        }
        let game = self.game;
        let read = self.timed("read-input", || game.read_input(input.as_bytes()));
        let found = match read {
            Err(_) if self.note_fault(position, Some(Law::Inputs)) => return,
            Err(fault) => Some(format!("`from_input` refuses what `to_input` wrote: {fault}")),
            Ok(read) => self.read_differently(position, &read.position),
        };
        self.note_at(Law::Inputs, position, found);
    }

    /// Where a position that was read is not the one that was written: in what the referee sees now or after some
    /// moves. A difference of states alone is only noted.
    fn read_differently(&mut self, position: &State, read: &State) -> Option<String> {
        if let Some(found) = differ(position, read, SEEN) {
            return Some(format!("written, then read: {found}"));
        }
        let (moves, read_moves) = (position.moves(), read.moves());
        if moves != read_moves {
            return Some(format!("`moves`, before and after reading: {}", lists_differ(&moves, &read_moves)));
        }
        let state = differ(position, read, &["state"]);
        self.note_at(Law::WholeState, position, state.map(|found| format!("written, then read: {found}")));
        for _ in 0..TRIED_AGAIN {
            let mv = self.chance.choose(&moves)?;
            let [one, other] = [position, read].map(|position| position.judge(mv.as_bytes(), Tolerance::Exact));
            if let (Ok(one), Ok(other)) = (&one, &other)
                && let Some(found) = differ(&one.next, &other.next, SEEN)
            {
                return Some(format!("after `{}`, without and with reading: {found}", plain(&mv)));
            }
        }
        None
    }

    fn lines_of_input(&mut self, position: &State, input: &str, time: TimeLeft) {
        let form = self.game.profile().input;
        let empty = input.lines().position(|line| line.trim_end_matches('\r').is_empty());
        self.note_at(Law::Framed, position, empty.map(|line| format!("line {} is empty", line + 1)));
        if let Some(number) = form.time_line {
            let line = input.lines().nth(number.saturating_sub(1) as usize).unwrap_or_default();
            let own = time.own.to_string();
            let read = line.split_ascii_whitespace().map(CpuTime::read_remaining).next().flatten();
            let told = || format!("line {number} is `{}`, and `clocks.own` is `{own}`", plain(line));
            self.note_at(Law::TimeLine, position, (read != Some(time.own)).then(told));
        }
    }

    /// The same input of two states hides what they differ in.
    fn shows_everything(&mut self, position: &State, input: &str) {
        let Some(state) = as_custom(position).map(|custom| custom.as_json()["state"].clone()) else {
            return;
        };
        let Some(before) = self.written.get(input) else {
            self.written.insert(input.to_owned(), state);
            return self.note(Law::Visible, None);
        };
        let found = first_difference(&serde_json::json!({ "state": before }), &serde_json::json!({ "state": state }));
        let told = found.map(|found| format!("two positions with the same `input.txt` differ: {found}"));
        self.note_at(Law::Visible, position, told);
    }

    fn values(&mut self, position: &State) {
        let Some(state) = as_custom(position).filter(|_| self.game.described.evaluates) else {
            return;
        };
        let game = self.game;
        let side = position.side_to_move();
        let values = self.timed("evaluate", || CustomState::evaluate(game, &[state], side));
        if !self.answers(position) {
            return;
        }
        let value = values.and_then(|values| values.first().copied()).unwrap_or(0);
        self.note_at(Law::Values, position, (value.abs() >= 1_000_000).then(|| format!("`evaluate` returned {value}")));
        if let Some(found) = self.evaluations.position(game, position, value) {
            self.note_at(Law::Opposite, position, found);
        }
    }
}

impl LawViolation {
    /// What was found at a position.
    pub(super) fn at(position: &State, found: String) -> Self {
        let board = position.rows();
        let line = position.position_line().filter(|_| !board.is_empty());
        Self { board, position: line, ..said(found) }
    }
}

/// What was found without a position.
fn said(found: String) -> LawViolation {
    LawViolation { found: vec![found], ..LawViolation::default() }
}

/// A fault at a position: first the place in the author's file.
fn located_fault(fault: &RulesFault, position: &State) -> LawViolation {
    let question: Option<Value> = serde_json::from_str(&fault.question).ok();
    let output = question.as_ref().and_then(|question| question["output"].as_str());
    let output =
        output.map(|text| format!(", output.txt {}", quote(&text.chars().map(|c| c as u8).collect::<Vec<_>>())));
    let asked = format!("question: {}{}", fault.word(), output.unwrap_or_default());
    let answered = fault.answer_shown().map(|answer| format!("answer: {answer}"));
    let lines = fault.stderr_left();
    let end = lines[lines.len().saturating_sub(LINES_OF_STDERR)..].iter().map(|line| plain(line));
    let end = end.collect::<Vec<_>>().join("\n");
    LawViolation {
        found: [fault.brief(), asked].into_iter().chain(answered).collect(),
        stderr: Some(end).filter(|end| !end.trim().is_empty()),
        ..LawViolation::at(position, String::new())
    }
}

/// What the referee sees of a position.
const SEEN: &[&str] = &["to_move", "status", "board", "key"];

/// Where two positions differ in one of these keys.
fn differ(one: &State, other: &State, keys: &[&str]) -> Option<String> {
    let [one, other] = [one, other].map(|state| as_custom(state).map(CustomState::as_json).unwrap_or_default());
    keys.iter().find_map(|key| {
        let pair = [&one, &other].map(|told| serde_json::json!({ *key: told[*key] }));
        first_difference(&pair[0], &pair[1])
    })
}

/// What is wrong with the verdict on a listed move that leads to `next`.
fn leads(judged: &Result<Judged, Refusal>, mv: &str, next: Option<&State>) -> Option<String> {
    match judged {
        Err(Refusal::Empty) => Some(format!("the listed move `{}` is refused as empty", plain(mv))),
        Err(Refusal::Format(finding) | Refusal::Illegal(finding)) => {
            Some(format!("the listed move `{}` is refused: {finding}", plain(mv)))
        }
        // The question failed, which is noted as a fault of the program.
        Ok(judged) if judged.next.breakdown().is_some() => None,
        Ok(judged) if judged.mv != mv => {
            Some(format!("the listed move `{}` is taken for `{}`", plain(mv), plain(&judged.mv)))
        }
        Ok(judged) => {
            let keys = [SEEN, &["state"]].concat();
            let found = differ(next?, &judged.next, &keys)?;
            Some(format!("after `{}`, by the list and by the verdict: {found}", plain(mv)))
        }
    }
}

/// Where two lists of moves differ.
pub(super) fn lists_differ(one: &[String], other: &[String]) -> String {
    let [one, other] = [one, other].map(|list| serde_json::json!({ "moves": list }));
    first_difference(&one, &other).unwrap_or_default()
}

/// The same position, of which nothing has been asked.
fn fresh_copy(position: &State) -> Option<State> {
    as_custom(position).map(|state| State::new(state.copy()))
}

/// What the program lists, also where nobody would ask it.
pub(super) fn asked_moves(position: &State) -> Vec<String> {
    as_custom(position).map(CustomState::listed_moves).unwrap_or_default()
}
