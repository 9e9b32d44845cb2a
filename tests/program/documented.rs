//! README and the pages under `docs/` show commands that exist and what they really print.
//!
//! A block marked `console` is run: its commands in order, in a scratch directory with the samples of this repository,
//! and what it shows below a command is what the command prints (`...` stands for any lines, `[..]` for any words;
//! times differ from run to run, so any time stands for any other). Commands in `sh` blocks are run, too, on small runs
//! with the names that the pages give to longer ones. Of those that take long or never end, and of those in `bash`
//! blocks, which have placeholders, the program only reads options and values.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::invocation::{assert_contains, referee, stderr};
use crate::toolbox::{PYTHON3, require};

/// A fenced block of a page.
struct Block {
    /// The page and the line, for messages.
    place: String,
    language: String,
    lines: Vec<String>,
}

/// Every page for users.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let in_docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = in_docs
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .chain(["README.md", "agents/README.md", "tournaments/README.md"].map(|page| root.join(page)))
        .collect();
    pages.sort();
    pages
}

fn blocks(page: &Path) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in fs::read_to_string(page).unwrap().lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => {
                open = Some(Block {
                    place: format!("{}:{}", page.display(), number + 1),
                    language: language.to_owned(),
                    lines: Vec::new(),
                });
            }
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    blocks
}

fn blocks_in(languages: &[&str]) -> Vec<Block> {
    // `custom_games` runs the page about custom games as a whole: its blocks follow each other in one directory.
    let pages = pages().into_iter().filter(|page| !page.ends_with("custom-games.md"));
    let all = pages.flat_map(|page| blocks(&page));
    all.filter(|block| languages.contains(&block.language.as_str())).collect()
}

/// A scratch directory with links to what the pages name.
fn repository() -> TempDir {
    let scratch = TempDir::new().unwrap();
    for name in ["agents", "tournaments"] {
        symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join(name), scratch.path().join(name)).unwrap();
    }
    scratch
}

/// Runs a line in a shell whose `referee` is the one under test.
fn shell(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{line}: {}: {}", output.status, stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Every time of every run alike: `0.25 s` is `N s`.
fn timeless(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', ',', ']', ')']).collect::<Vec<_>>();
    let is_time = |at: usize| {
        let word = words[at].trim_end_matches(' ').trim_start_matches(['[', '(']);
        let is_number = word.contains('.') && word.parse::<f64>().is_ok();
        is_number && words.get(at + 1).is_some_and(|unit| unit.trim_end_matches([' ', '\n', ',', ']', ')']) == "s")
    };
    let shown = |(at, word): (usize, &&str)| {
        if is_time(at) { "N ".to_owned() } else { (*word).to_owned() }
    };
    words.iter().enumerate().map(shown).collect()
}

#[test]
fn what_the_pages_show_is_what_the_program_prints() {
    let consoles = blocks_in(&["console"]);
    assert!(consoles.len() >= 5, "{}", consoles.len());
    for block in consoles {
        let folder = repository();
        let mut steps: Vec<(String, String)> = Vec::new();
        for line in &block.lines {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push((command.to_owned(), String::new())),
                (None, Some((_, expected))) => expected.extend([line, "\n"]),
                (None, None) => panic!("{}: a block begins with a command", block.place),
            }
        }
        for (command, expected) in steps {
            println!("{}: {command}", block.place);
            snapbox::assert_data_eq!(timeless(&shell(&command, folder.path())), timeless(&expected));
        }
    }
}

/// The commands in `sh` blocks that are run.
const QUICK: &str = "analyze cat completions cp explain export gradebook judge merge moves perft plan printf python3 \
                     replay report standings status verify";

/// Those that are not: they play many games, wait for people or visitors, judge the machine, or build this program.
const LONG: &str = "cargo check compete doctor grade ladder play serve shard tournaments/samples/grade-all.sh";

/// Makes the runs that the pages have made by commands that take long.
const PREPARED: [&str; 4] = [
    "python3 -m zipfile -c submissions.zip tournaments/samples/checkers-2021/",
    "referee play builtin:random builtin:random --game checkers --games 2 --seed 1 --out results/mine",
    "cp -r results/mine results/selfplay-checkers-competition",
    "referee grade tournaments/star-circle-2018.toml --class tournaments/samples/star-circle-2018 --only good \
     --isolation bare --out results/checkers-2021",
];

#[test]
fn quick_commands_on_the_pages_run_as_written() {
    require!(PYTHON3);
    let folder = repository();
    for line in PREPARED {
        shell(line, folder.path());
    }
    let mut run = 0;
    for block in blocks_in(&["sh"]) {
        for line in &block.lines {
            let mut words = line.split_whitespace();
            let program = words.next().unwrap_or_default();
            let command = if program == "referee" { words.next().unwrap_or_default() } else { program };
            let is_one_of = |list: &str| list.split_whitespace().any(|word| word == command);
            if is_one_of(QUICK) || line.ends_with("--dry-run") {
                println!("{}: {line}", block.place);
                // Its exit code says whether games are missing, as they are after `plan`.
                let allowed = if command == "status" { " || [ $? = 1 ]" } else { "" };
                shell(&(line.to_owned() + allowed), folder.path());
                run += 1;
            } else {
                assert!(is_one_of(LONG), "{}: is this run or not? {line}", block.place);
            }
        }
    }
    assert!(run >= 25, "{run} commands");
}

/// The commands of a line of shell: `referee` and the words behind it.
fn commands(line: &str) -> Vec<Vec<String>> {
    let parts = line.split(['|', ';', '&']).filter_map(|part| part.split_once("referee "));
    let is_command = |(before, _): &(&str, &str)| before.is_empty() || before.ends_with(' ');
    parts
        .filter(is_command)
        .map(|(_, words)| words.split_whitespace().map(|word| word.replace("$i", "0").replace("{}", "0")).collect())
        .collect()
}

#[test]
fn every_command_on_the_pages_has_options_that_exist() {
    const UNKNOWN: &str = "--no-option-is-called-so";
    let mut read = 0;
    for block in blocks_in(&["sh", "bash"]) {
        for mut words in block.lines.iter().flat_map(|line| commands(line)) {
            for word in &words {
                let is_ours = word.starts_with("agents/") || word.starts_with("tournaments/");
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(word);
                assert!(!is_ours || path.exists(), "{}: there is no `{word}`", block.place);
            }
            // The first argument that cannot be read is complained of: this one, if all before it can.
            words.push(UNKNOWN.to_owned());
            let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = referee(&arguments);
            let complaint = stderr(&output);
            assert_contains(&complaint, &format!("unexpected argument '{UNKNOWN}'"));
            read += 1;
        }
    }
    assert!(read >= 40, "{read} commands");
}
