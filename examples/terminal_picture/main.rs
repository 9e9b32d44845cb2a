//! Draws what `referee` shows on a terminal, for the gallery (docs/gallery/make.sh).
//!
//! ```text
//! terminal_picture PROGRAM OUT.svg COLUMNSxROWS [press KEYS | until TEXT]... -- ARGUMENTS
//! ```
//! The steps are taken one after the other; the picture is what is shown then. Without steps it is what the command
//! leaves on the terminal. Keys are characters, or `Right`, `Left`, `Home`, `End`, `Enter`.

#[path = "../../tests/pseudo_terminal/mod.rs"]
mod pseudo_terminal;
mod svg;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pseudo_terminal::{PseudoTerminal, Size};

enum Step {
    Press(String),
    Until(String),
}

struct Request {
    program: PathBuf,
    out: PathBuf,
    size: Size,
    steps: Vec<Step>,
    arguments: Vec<String>,
}

fn main() -> ExitCode {
    let Some(request) = Request::read(std::env::args().skip(1)) else {
        eprintln!("usage: terminal_picture PROGRAM OUT.svg COLUMNSxROWS [press KEYS | until TEXT]... -- ARGUMENTS");
        return ExitCode::from(2);
    };
    let arguments: Vec<&str> = request.arguments.iter().map(String::as_str).collect();
    let mut terminal = PseudoTerminal::start(&request.program, &arguments, request.size, &[]);
    if request.steps.is_empty() {
        terminal.end();
    }
    for step in &request.steps {
        match step {
            Step::Press(keys) => terminal.press(keys),
            Step::Until(text) => terminal.until(|lines| lines.iter().any(|line| line.contains(text))),
        }
    }
    let rows = if request.steps.is_empty() { used(&terminal.lines()) } else { request.size.rows };
    let title = std::iter::once("referee").chain(arguments.iter().copied().map(in_short));
    let title = title.collect::<Vec<_>>().join(" ");
    match std::fs::write(&request.out, svg::picture(terminal.screen(), rows, &title)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write `{}`: {error}", request.out.display());
            ExitCode::from(5)
        }
    }
}

impl Request {
    fn read(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let (program, out, size) = (words.next()?, words.next()?, words.next()?);
        let (columns, rows) = size.split_once('x')?;
        let size = Size { rows: rows.parse().ok()?, columns: columns.parse().ok()? };
        let mut steps = Vec::new();
        loop {
            match words.next()?.as_str() {
                "press" => steps.push(Step::Press(bytes_of(&words.next()?))),
                "until" => steps.push(Step::Until(words.next()?)),
                "--" => break,
                _ => return None,
            }
        }
        Some(Self { program: program.into(), out: out.into(), size, steps, arguments: words.collect() })
    }
}

/// What a terminal sends for a key.
fn bytes_of(key: &str) -> String {
    match key {
        "Right" => "\x1b[C",
        "Left" => "\x1b[D",
        "Home" => "\x1b[H",
        "End" => "\x1b[F",
        "Enter" => "\r",
        characters => characters,
    }
    .to_owned()
}

/// An argument without the folder that the gallery happens to be made in.
fn in_short(argument: &str) -> &str {
    let path = Path::new(argument);
    let name = || path.file_name().and_then(|name| name.to_str());
    if path.is_absolute() { name().unwrap_or(argument) } else { argument }
}

/// How many rows there are down to the last that is not empty.
fn used(lines: &[String]) -> u16 {
    let last = lines.iter().rposition(|line| !line.is_empty());
    last.and_then(|last| u16::try_from(last + 1).ok()).unwrap_or(1)
}
