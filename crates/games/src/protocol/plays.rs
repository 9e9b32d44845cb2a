//! Parses lines like `E from to` and `J from to`, the answers of checkers, Halma and similar games. It knows no rules;
//! each game checks legality.

use super::finding::{Finding, Location, Refusal};
use super::lines::{AnswerLine, AnswerWord, FormatDeviations, lines};
use super::respell::{WrittenSquare, is_pass, respelt};
use super::rules::{ONE_MOVE_A_LINE, ONE_PLAY_A_TURN};
use super::squares::read_square;
use crate::{Hop, Play, STEP_AND_JUMP_LETTERS};

/// An answer as written: its hops, and their places in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenPlay<S> {
    pub(crate) play: Play<S>,
    /// The place of each hop's line, in the order of [`Play::hops`].
    pub(crate) places: Vec<Location>,
}

enum Letter {
    Step,
    Jump,
}

struct Sentence<S> {
    letter: Letter,
    hop: Hop<S>,
    place: Location,
}

/// Parses a whole answer: one `E` line, or one or more `J` lines.
pub(crate) fn read_play<S: WrittenSquare>(
    text: &[u8],
    notes: &mut FormatDeviations,
) -> Result<WrittenPlay<S>, Refusal> {
    let lines = lines(text, notes)?;
    let mut sentences = lines
        .iter()
        .map(|line| read_sentence(line, notes).map_err(|refusal| hinted::<S>(refusal, line)))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter();
    let Some(Sentence { letter, hop, place }) = sentences.next() else {
        return Err(Refusal::Empty);
    };
    let mut places = vec![place];
    match letter {
        Letter::Step => match sentences.next() {
            None => Ok(WrittenPlay { play: Play::Step(hop), places }),
            Some(more) => {
                let found =
                    Finding::new("after-a-step", "a step ends the play: remove what follows").under(&ONE_PLAY_A_TURN);
                Err(Refusal::Format(found.at(more.place).hint(after_a_step(&hop, &more))))
            }
        },
        Letter::Jump => {
            let mut hops = vec![hop];
            for Sentence { letter, hop, place } in sentences {
                if matches!(letter, Letter::Step) {
                    let found = Finding::new("step-after-jump", "a play is one step or a chain of jumps, not both")
                        .under(&ONE_PLAY_A_TURN);
                    return Err(Refusal::Format(found.at(place)));
                }
                hops.push(hop);
                places.push(place);
            }
            Ok(WrittenPlay { play: Play::Jumps(hops), places })
        }
    }
}

/// The remedy for a line after a step.
fn after_a_step<S: WrittenSquare>(step: &Hop<S>, more: &Sentence<S>) -> String {
    let what = match more.letter {
        Letter::Step if step.to == more.hop.from => {
            "jumps use the letter `J`, one jump per line, and a step ends the play"
        }
        Letter::Step => "an answer is only the play of this turn: is the file rewritten on every run?",
        Letter::Jump => "a play is one step or a chain of jumps, not both",
    };
    what.to_owned()
}

/// The refusal of `line`, with a hint if it has none yet: most wrong formats contain a right move in another form.
fn hinted<S: WrittenSquare>(refusal: Refusal, line: &AnswerLine<'_>) -> Refusal {
    let finding = match refusal {
        Refusal::Format(finding) if finding.hint.is_none() => finding,
        Refusal::Empty | Refusal::Format(_) | Refusal::Illegal(_) => return refusal,
    };
    let hint = if is_pass(line.whole.text) {
        Some(S::NO_PASS.to_owned())
    } else {
        respelt::<S>(line.whole.text).or_else(|| match &*finding.code {
            "extra-word" | "missing-word" => Some(THE_FORM.to_owned()),
            _ => None,
        })
    };
    Refusal::Format(finding.hinted(hint))
}

/// The form of a line.
const THE_FORM: &str = "expected a letter, a square, a square, with one blank between them";

fn read_sentence<S: WrittenSquare>(
    line: &AnswerLine<'_>,
    notes: &mut FormatDeviations,
) -> Result<Sentence<S>, Refusal> {
    let letter = read_letter(&line.words[0], notes)?;
    match line.words.as_slice() {
        [_, from, to] => {
            let hop = Hop { from: read_square(from, notes)?, to: read_square(to, notes)? };
            Ok(Sentence { letter, hop, place: line.whole.place })
        }
        [_, _, _, extra, ..] => Err(Refusal::Format(extra.extra_word().under(&ONE_MOVE_A_LINE))),
        _ => {
            let found = Finding::new("missing-word", format!("{} is not a complete move", line.whole.quoted()))
                .under(&ONE_MOVE_A_LINE);
            Err(Refusal::Format(found.at(line.whole.place)))
        }
    }
}

fn read_letter(word: &AnswerWord<'_>, notes: &mut FormatDeviations) -> Result<Letter, Refusal> {
    let letter = match word.text {
        b"E" | b"e" => Letter::Step,
        b"J" | b"j" => Letter::Jump,
        _ => {
            let found = word.unexpected("not-a-letter", "`E` for a step or `J` for a jump");
            return Err(Refusal::Format(found.under(&STEP_AND_JUMP_LETTERS)));
        }
    };
    if word.text[0].is_ascii_lowercase() {
        let message = format!("{} is written in lower case", word.quoted());
        notes.note(Finding::new("letter-case", message).at(word.place).hint("`E` and `J` are capitals"))?;
    }
    Ok(letter)
}
