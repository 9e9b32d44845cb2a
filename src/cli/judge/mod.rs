//! `referee judge`: judges one answer or a stream of them, by the judge of games.

mod answer_file;
mod batch;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::game::{GameArguments, read};
use super::limits::OutputSizeArgument;
use super::output::SoundOutput;
use super::{CommandOutcome, Failure};
use crate::console::{Stream, Terminal};
use referee_games::protocol::{ComparedLine, Finding, Tolerance, quote};
use referee_games::{GameRef, Puzzles, State, Status};
use referee_matches::referee::text_of;
use referee_messages::{LastMove, compared, draw_board_after, ending_sentence, fault_sentence, plain};
use referee_records::Fault;
use referee_seat::OutputFile;

/// Judge one answer, or a stream of answers with --batch
///
/// --batch reads JSON Lines {"id", "input", "output"} from stdin and writes {"id", "legal", "code", "message",
/// "warnings", "next"} to stdout, and "end" if the move ends the game. If the question has exactly one correct answer,
/// "lines" compares each line with it.
#[derive(Debug, Args)]
pub(super) struct JudgeCommand {
    #[command(flatten)]
    game: GameArguments,
    /// The agent's input.txt
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    input: Option<PathBuf>,
    /// The agent's output.txt; a missing file is judged as no answer
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    output: Option<PathBuf>,
    /// Require the exact format: no extra blanks, no empty lines, no other letter case
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    output_size: OutputSizeArgument,
    /// Judge a stream of JSON Lines
    #[arg(long, conflicts_with_all = ["input", "output"])]
    batch: bool,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

/// The judgement of one answer.
#[derive(Clone, Debug, Default, Serialize)]
struct JudgedText {
    legal: bool,
    code: String,
    message: String,
    warnings: Vec<Finding>,
    /// The board after the move, rows joined by LF; absent for an illegal answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// What stands beside that board.
    #[serde(skip_serializing_if = "String::is_empty")]
    notes: String,
    /// How the move ends the game, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// The change of the board.
    #[serde(skip)]
    last: LastMove,
    /// The lines of an answer that must be right, with the expected ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<ComparedLine>,
}

impl JudgeCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let game = self.game.game(output.games)?;
        let tolerance = if self.exact { Tolerance::Exact } else { Tolerance::Tolerant };
        let limit = self.output_size.bytes();
        match (&self.input, &self.output) {
            (Some(input), Some(answer)) => {
                let (text, answer) = (read(input)?, answer_file::find(answer, limit)?);
                let judged = judge(game, &text, &answer, tolerance);
                let judged = judged.map_err(|message| Failure::input(input, message))?;
                self.show(game, &judged, output)?;
                Ok(judged.legal.into())
            }
            _ => batch::judge_stream(game, tolerance, limit, output),
        }
    }

    fn show(&self, game: GameRef, judged: &JudgedText, output: SoundOutput<'_>) -> Result<(), Failure> {
        if self.json {
            return output.print_json(judged);
        }
        let mut lines = vec![plain(&judged.message)];
        lines.extend(judged.end.iter().map(|end| format!("the game is over: {end}")));
        lines.extend(judged.warnings.iter().map(|warning| format!("warning: {}", plain(&warning.to_string()))));
        if !judged.legal {
            lines.extend(compared(&judged.lines));
        }
        if let Some(next) = &judged.next {
            let rows: Vec<String> = next.lines().map(str::to_owned).collect();
            let look = Terminal::of(Stream::Stdout).look();
            lines.extend(draw_board_after(game, &rows, &judged.last, look));
            lines.extend(look.notes(&judged.notes));
        }
        output.say(&(lines.join("\n") + "\n"))
    }
}

/// Judges one answer; `Err` is a fault of the input.
fn judge(game: GameRef, input: &[u8], output: &OutputFile, tolerance: Tolerance) -> Result<JudgedText, String> {
    if let Some(puzzles) = game.puzzles() {
        return judge_solution(puzzles, input, output, tolerance);
    }
    let position = game.read_input(input).map_err(|fault| fault.to_string())?.position;
    let judged = text_of(output).and_then(|text| Ok(position.judge(text, tolerance)?));
    Ok(match judged {
        Ok(judged) => JudgedText {
            legal: true,
            code: "legal".to_owned(),
            message: format!("legal: {}", judged.mv.replace('\n', "; ")),
            warnings: judged.warnings,
            next: Some(judged.next.rows().join("\n")),
            notes: judged.next.notes(),
            end: ended(game, &judged.next),
            last: LastMove::of(game, &position.rows(), &judged.next.rows(), &judged.mv),
            ..JudgedText::default()
        },
        Err(fault) => lost_by(&fault),
    })
}

/// How the game ends on the board in `position`, if it does.
fn ended(game: GameRef, position: &State) -> Option<String> {
    let Status::Over(ending) = position.status() else {
        return None;
    };
    Some(ending_sentence(game, ending))
}

/// Judges an answer to a question that has one right answer.
fn judge_solution(
    puzzles: &Puzzles,
    input: &[u8],
    output: &OutputFile,
    tolerance: Tolerance,
) -> Result<JudgedText, String> {
    let solution = (puzzles.solve)(input).map_err(|fault| fault.to_string())?;
    let compared = text_of(output).and_then(|text| Ok((puzzles.compare)(&solution.text, text, tolerance)?));
    let compared = match compared {
        Ok(compared) => compared,
        Err(fault) => return Ok(lost_by(&fault)),
    };
    let is_right = compared.is_right();
    let message = if is_right {
        "right: every line".to_owned()
    } else {
        let differing = compared.differing().map(|(number, line)| differs(number, line));
        format!("wrong: {}", differing.collect::<Vec<_>>().join("; "))
    };
    Ok(JudgedText {
        legal: is_right,
        code: if is_right { "right" } else { "differs" }.to_owned(),
        message,
        warnings: compared.warnings,
        next: is_right.then(|| solution.next.rows().join("\n")),
        lines: compared.lines,
        ..JudgedText::default()
    })
}

fn differs(number: usize, line: &ComparedLine) -> String {
    let got = line.got.as_deref().map_or_else(|| "nothing".to_owned(), |got| quote(got.as_bytes()));
    format!("line {number} ({}): expected `{}`, got {got}", line.name, line.expected)
}

/// The judgement of an answer that loses the game: the code of the finding, or the kind of fault.
fn lost_by(fault: &Fault) -> JudgedText {
    let code = fault.finding().map_or_else(|| fault.kind().into(), |finding| finding.code.as_ref());
    refused(code, fault_sentence(fault))
}

fn refused(code: &str, message: String) -> JudgedText {
    JudgedText { code: code.to_owned(), message, ..JudgedText::default() }
}
