//! `referee judge`

use std::io::{self, BufRead};
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::game::{GameArguments, read};
use super::output::{print, say};
use super::{Answer, Failure};
use crate::games::star_circle::solve;
use crate::games::{GameId, Position};
use crate::protocol::{
    ComparedLine, Finding, Game, GameVisitor, Refusal, Tolerance, compare_solution, quote, read_question,
};
use crate::wording::{compared, counted, plain};

/// Judges one answer, or with --batch one a line: JSON objects {"id", "input", "output"} on standard input, and for each
/// one {"id", "legal", "code", "message", "warnings", "next"} on standard output. An answer of Star and Circle has to be
/// right in all four lines; "lines" has each beside the expected one.
#[derive(Debug, Args)]
pub(super) struct Judge {
    #[command(flatten)]
    game: GameArguments,
    /// The input.txt that the agent was given
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    input: Option<PathBuf>,
    /// The output.txt that it wrote
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    output: Option<PathBuf>,
    /// Read the answer exactly: no stray blanks, empty lines or other letter case
    #[arg(long)]
    exact: bool,
    /// Judge a stream of JSON Lines
    #[arg(long, conflicts_with_all = ["input", "output"])]
    batch: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is said of one answer.
#[derive(Clone, Debug, Serialize)]
struct Judgement {
    legal: bool,
    code: String,
    message: String,
    warnings: Vec<Finding>,
    /// The board after the move, rows joined by LF; absent where the answer is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// The lines of an answer that has to be right rather than legal, beside the expected ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<ComparedLine>,
}

impl Judge {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let game = self.game.id()?;
        let tolerance = if self.exact {
            Tolerance::Exact
        } else {
            Tolerance::Tolerant
        };
        match (&self.input, &self.output) {
            (Some(input), Some(output)) => {
                let (text, answer) = (read(input)?, read(output)?);
                let judged = judge(game, &text, Some(&answer), tolerance);
                let judged = judged.map_err(|message| Failure::input(input, message))?;
                self.show(&judged)?;
                Ok(if judged.legal { Answer::Yes } else { Answer::No })
            }
            _ => judge_stream(game, tolerance),
        }
    }

    fn show(&self, judged: &Judgement) -> Result<(), Failure> {
        if self.json {
            return print(&to_line(judged)?);
        }
        let mut lines = vec![plain(&judged.message)];
        let warnings = judged.warnings.iter();
        lines.extend(warnings.map(|warning| format!("warning: {}", plain(&warning.to_string()))));
        if !judged.legal {
            lines.extend(compared(&judged.lines));
        }
        lines.extend(judged.next.clone());
        say(&(lines.join("\n") + "\n"))
    }
}

/// Judges one answer; `Err` says what is wrong with the input.
fn judge(game: GameId, input: &[u8], output: Option<&[u8]>, tolerance: Tolerance) -> Result<Judgement, String> {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => game.visit(OneAnswer {
            input,
            output,
            tolerance,
        }),
        GameId::StarCircle => judge_solution(input, output, tolerance),
    }
}

/// Judges an answer to the assignment's question of Star and Circle, which has to be the right one.
fn judge_solution(input: &[u8], output: Option<&[u8]>, tolerance: Tolerance) -> Result<Judgement, String> {
    let question = read_question(input).map_err(|fault| fault.to_string())?;
    let Some(output) = output else { return Ok(no_output()) };
    let solution = solve(&question);
    let compared = match compare_solution(&solution, output, tolerance) {
        Ok(compared) => compared,
        Err(refusal) => return Ok(refused_by(&refusal)),
    };
    let is_right = compared.is_right();
    let message = if is_right {
        "right: all four lines".to_owned()
    } else {
        let differing = compared.differing().map(|(number, line)| differs(number, line));
        format!("wrong: {}", differing.collect::<Vec<_>>().join("; "))
    };
    let mut next = question.position().clone();
    match solution.next_move {
        Some(mv) => next.play_unchecked(mv),
        None => next.pass(),
    }
    Ok(Judgement {
        legal: is_right,
        code: if is_right { "right" } else { "differs" }.to_owned(),
        message,
        warnings: compared.warnings,
        next: is_right.then(|| next.rows().join("\n")),
        lines: compared.lines.into(),
    })
}

fn differs(number: usize, line: &ComparedLine) -> String {
    let got = line
        .got
        .as_deref()
        .map_or_else(|| "nothing".to_owned(), |got| quote(got.as_bytes()));
    format!("line {number} ({}): expected `{}`, got {got}", line.name, line.expected)
}

struct OneAnswer<'a> {
    input: &'a [u8],
    output: Option<&'a [u8]>,
    tolerance: Tolerance,
}

impl GameVisitor for OneAnswer<'_> {
    type Output = Result<Judgement, String>;

    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
        let position = P::read_input(self.input, rules)
            .map_err(|fault| fault.to_string())?
            .position;
        let Some(output) = self.output else {
            return Ok(no_output());
        };
        Ok(match position.read_output(output, self.tolerance) {
            Ok(answer) => {
                let message = format!("legal: {}", position.write_move(answer.mv).replace('\n', "; "));
                let mut next = position;
                next.play_unchecked(answer.mv);
                let (code, next) = ("legal".to_owned(), Some(next.rows().join("\n")));
                Judgement {
                    legal: true,
                    code,
                    message,
                    warnings: answer.warnings,
                    next,
                    lines: Vec::new(),
                }
            }
            Err(refusal) => refused_by(&refusal),
        })
    }
}

fn refused_by(refusal: &Refusal) -> Judgement {
    match refusal {
        Refusal::Empty => refused("empty", "the file is empty".to_owned()),
        Refusal::Format(found) => refused(&found.code, format!("wrong format: {found}")),
        Refusal::Illegal(found) => refused(&found.code, format!("illegal move: {found}")),
    }
}

fn no_output() -> Judgement {
    refused("no-output", "there is no `output.txt`".to_owned())
}

fn refused(code: &str, message: String) -> Judgement {
    Judgement {
        legal: false,
        code: code.to_owned(),
        message,
        warnings: Vec::new(),
        next: None,
        lines: Vec::new(),
    }
}

/// One line of a batch.
#[derive(Debug, Deserialize)]
struct Request {
    /// Given back as it was written.
    #[serde(default)]
    id: Option<Box<RawValue>>,
    input: Option<String>,
    /// `null` or absent where the agent left no file.
    output: Option<String>,
}

#[derive(Debug, Serialize)]
struct Reply {
    id: Option<Box<RawValue>>,
    #[serde(flatten)]
    judged: Judgement,
}

/// Judges every line of standard input. A line that cannot be judged gets a reply that says so; the others go on.
fn judge_stream(game: GameId, tolerance: Tolerance) -> Result<Answer, Failure> {
    let (mut all_legal, mut unreadable) = (true, 0_usize);
    for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
        let line = line.map_err(|error| Failure::Input(format!("standard input, line {number}: {error}")))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (id, judged) = judge_line(game, tolerance, &line);
        let judged = judged.unwrap_or_else(|message| {
            unreadable += 1;
            refused("bad-request", format!("line {number}: {message}"))
        });
        all_legal &= judged.legal;
        print(&to_line(&Reply { id, judged })?)?;
    }
    match unreadable {
        0 if all_legal => Ok(Answer::Yes),
        0 => Ok(Answer::No),
        lines => {
            let lines = counted(lines, "line");
            Err(Failure::Input(format!(
                "{lines} could not be judged: see code `bad-request`"
            )))
        }
    }
}

fn judge_line(game: GameId, tolerance: Tolerance, line: &[u8]) -> (Option<Box<RawValue>>, Result<Judgement, String>) {
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return (None, Err(error.to_string())),
    };
    let Some(input) = request.input else {
        return (request.id, Err("there is no `input`".to_owned()));
    };
    let output = request.output.as_ref().map(String::as_bytes);
    let judged = judge(game, input.as_bytes(), output, tolerance);
    (request.id, judged.map_err(|message| format!("input: {message}")))
}

fn to_line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::Write(error.to_string()))?;
    Ok(text + "\n")
}
