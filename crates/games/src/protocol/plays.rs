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

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use super::*;
    use crate::RuleText;
    use crate::protocol::Tolerance;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Letters([u8; 2]);

    impl Display for Letters {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.iter().try_for_each(|&letter| write!(f, "{}", char::from(letter)))
        }
    }

    impl WrittenSquare for Letters {
        const EXPECTED: &'static str = "two small letters";

        const NAMES: &'static RuleText = &crate::protocol::rules::FORMAT;

        fn read(word: &[u8]) -> Option<Self> {
            let letters = word.try_into().ok()?;
            word.iter().all(u8::is_ascii_lowercase).then_some(Self(letters))
        }
    }

    fn read(text: &str, tolerance: Tolerance) -> Result<(Play<Letters>, Vec<String>), Refusal> {
        let mut notes = FormatDeviations::new(tolerance);
        let written = read_play(text.as_bytes(), &mut notes)?;
        Ok((written.play, notes.into_warnings().into_iter().map(|found| found.code.into_owned()).collect()))
    }

    fn refusal(text: &str) -> String {
        match read(text, Tolerance::Tolerant) {
            Err(Refusal::Format(found)) => found.to_string(),
            other => panic!("expected a format refusal of {text:?}, got {other:?}"),
        }
    }

    fn hop(from: [u8; 2], to: [u8; 2]) -> Hop<Letters> {
        Hop { from: Letters(from), to: Letters(to) }
    }

    #[test]
    fn a_step_is_one_line_and_a_chain_one_line_a_jump() {
        assert_eq!(read("E ab cd\n", Tolerance::Exact), Ok((Play::Step(hop(*b"ab", *b"cd")), vec![])));
        let chain = Play::Jumps(vec![hop(*b"ab", *b"cd"), hop(*b"cd", *b"ef")]);
        assert_eq!(read("J ab cd\nJ cd ef", Tolerance::Exact), Ok((chain, vec![])));
    }

    #[test]
    fn case_is_tolerated_with_a_warning() {
        let expected = Play::Step(hop(*b"ab", *b"cd"));
        let warnings = vec!["letter-case".to_owned(), "square-case".to_owned()];
        assert_eq!(read("e aB cd", Tolerance::Tolerant), Ok((expected, warnings)));
        assert!(matches!(read("e ab cd", Tolerance::Exact), Err(Refusal::Format(_))));
    }

    #[test]
    fn a_wrong_format_says_where_and_what_was_expected() {
        let said = [
            (
                "X ab cd",
                "line 1, column 1: expected `E` for a step or `J` for a jump, found `X` \
                 (write `E ab cd` for a step, `J ab cd` for a jump)",
            ),
            ("J ab cd ef", "line 1, column 9: `ef` is an extra word (one jump per line: `J ab cd`, then `J cd ef`)"),
            (
                "E ab",
                "line 1, column 1: `E ab` is not a complete move (expected a letter, a square, a square, with one \
                 blank \
                 between them)",
            ),
            ("E ab c", "line 1, column 6: expected two small letters, found `c`"),
            (
                "E ab cd\nE cd ef",
                "line 2, column 1: a step ends the play: remove what follows \
                 (jumps use the letter `J`, one jump per line, and a step ends the play)",
            ),
            (
                "E ab cd\nE xy yz",
                "line 2, column 1: a step ends the play: remove what follows \
                 (an answer is only the play of this turn: is the file rewritten on every run?)",
            ),
            (
                "E ab cd\nJ cd ef",
                "line 2, column 1: a step ends the play: remove what follows \
                 (a play is one step or a chain of jumps, not both)",
            ),
            ("J ab cd\n\nE cd ef", "line 3, column 1: a play is one step or a chain of jumps, not both"),
        ];
        for (text, message) in said {
            assert_eq!(refusal(text), message);
        }
    }
}
