//! `referee replay`

use std::path::PathBuf;

use clap::Args;
use console::{Key, Term};

use super::output::print;
use super::{Answer, Failure};
use crate::games::Side;
use crate::records::{GameRecord, TurnRecord, read_game};
use crate::referee::{Scene, explain, scenes};
use crate::wording::{
    Names, board_words, clock, close_call_sentence, draw_board, explained_in_short, plain, verdict_sentence,
};

/// Shows a recorded game turn by turn: with the arrow keys on a terminal, as one long text when piped.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The record of the game: a file under RUN/games
    record: PathBuf,
    /// Show only the position after this many turns; 0 is the start
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
}

impl Replay {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let record = read_game(&self.record)?;
        let scenes = scenes(&record).map_err(|difference| {
            Failure::Input(format!(
                "`{}` does not follow the rules: {difference}",
                self.record.display()
            ))
        })?;
        let explanation = explain(&record)
            .map(|explanation| explained_in_short(&explanation))
            .unwrap_or_default();
        let reel = Reel {
            record,
            scenes,
            explanation,
        };
        match self.turn {
            Some(turn) if turn > reel.last() => {
                let last = reel.last();
                return Err(Failure::Usage(format!(
                    "`--turn {turn}` is past the end: the game has {last} turns"
                )));
            }
            Some(turn) => print(&(reel.frame(turn, console::colors_enabled()).join("\n") + "\n"))?,
            None if Term::stdout().is_term() => reel.show(&Term::stdout()).map_err(|error| {
                Failure::Machine(format!(
                    "cannot use the terminal: {error}; pipe the output to see it as a text"
                ))
            })?,
            None => print(&reel.text())?,
        }
        Ok(Answer::Yes)
    }
}

/// A game cut into scenes: one before the first turn and one after each.
struct Reel {
    record: GameRecord,
    scenes: Vec<Scene>,
    /// Why it ended as it did, where that takes more than a sentence.
    explanation: Vec<String>,
}

impl Reel {
    fn last(&self) -> usize {
        self.scenes.len() - 1
    }

    /// Everything there is to see after `turn` turns, line by line.
    fn frame(&self, turn: usize, coloured: bool) -> Vec<String> {
        let scene = &self.scenes[turn];
        let names = Names::of(&self.record);
        let mut lines = draw_board(self.record.game, &scene.rows, coloured);
        lines.extend(Side::BOTH.map(|side| format!("{}: {} s left", names.side(side), clock(*scene.clocks.of(side)))));
        lines.push(format!("turn {turn} of {}{}", self.last(), self.caption(turn, &names)));
        if turn == self.last() {
            lines.extend(self.ending(&names));
        }
        lines
    }

    /// The turn that led here, in words.
    fn caption(&self, turn: usize, names: &Names) -> String {
        let Some(turn) = turn.checked_sub(1).map(|index| &self.record.turns[index]) else {
            return String::new();
        };
        match turn {
            TurnRecord::Pass { side } => format!(": {} passes", names.side(*side)),
            TurnRecord::Run { side, charged, mv, .. } => {
                let played = mv.as_deref().map_or("no legal move".to_owned(), board_words);
                format!(": {} {played} ({charged} s)", names.side(*side))
            }
        }
    }

    fn ending(&self, names: &Names) -> Vec<String> {
        let mut lines = vec![verdict_sentence(&self.record.verdict, names)];
        lines.extend(
            self.record
                .close_calls
                .iter()
                .map(|call| format!("close call: {}", close_call_sentence(call, names))),
        );
        if !self.explanation.is_empty() {
            lines.push(String::new());
            lines.extend_from_slice(&self.explanation);
            lines.push("`referee explain` has the rest: the program's end, its standard error, the clocks".to_owned());
        }
        lines
    }

    fn text(&self) -> String {
        let mut text = format!("{}: {}\n", plain(&self.record.id), self.record.game);
        for turn in 0..=self.last() {
            text.push('\n');
            text.push_str(&self.frame(turn, false).join("\n"));
            text.push('\n');
        }
        text
    }

    /// Goes through the game by keys until the user has seen enough.
    fn show(&self, term: &Term) -> std::io::Result<()> {
        let mut turn = 0;
        loop {
            let mut lines = self.frame(turn, console::colors_enabled());
            lines.push("→ next  ← back  home start  end last  q quit".to_owned());
            term.clear_screen()?;
            for line in lines {
                term.write_line(&console::truncate_str(&line, usize::from(term.size().1), "…"))?;
            }
            turn = match term.read_key()? {
                Key::ArrowRight | Key::ArrowDown | Key::Enter | Key::Char(' ' | 'n' | 'l' | 'j') => {
                    (turn + 1).min(self.last())
                }
                Key::ArrowLeft | Key::ArrowUp | Key::Backspace | Key::Char('p' | 'h' | 'k') => turn.saturating_sub(1),
                Key::PageDown => (turn + 10).min(self.last()),
                Key::PageUp => turn.saturating_sub(10),
                Key::Home | Key::Char('g') => 0,
                Key::End | Key::Char('G') => self.last(),
                Key::Char('q') | Key::Escape | Key::CtrlC => return Ok(()),
                _ => turn,
            };
        }
    }
}
