//! `E from to` and `J from to`: the lines in which checkers and Halma answers are written.

use super::finding::{Finding, Place, Refusal};
use super::lines::{Departures, Line, Word, lines};
use crate::games::{Hop, Play};

/// How a game writes its squares.
pub(super) trait WrittenSquare: Copy {
    /// What a square looks like, for messages: ``a square from `a1` to `h8` ``.
    const EXPECTED: &'static str;

    /// Reads a square exactly as the handout writes it.
    fn read(word: &[u8]) -> Option<Self>;
}

/// An answer as it was written: what it claims, and where each hop stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenPlay<S> {
    pub(super) play: Play<S>,
    /// The place of each hop's line, in the order of [`Play::hops`].
    pub(super) places: Vec<Place>,
}

enum Letter {
    Step,
    Jump,
}

struct Sentence<S> {
    letter: Letter,
    hop: Hop<S>,
    place: Place,
}

/// Reads a whole answer: one `E` line, or one or more `J` lines.
pub(super) fn read_play<S: WrittenSquare>(text: &[u8], notes: &mut Departures) -> Result<WrittenPlay<S>, Refusal> {
    let lines = lines(text, notes)?;
    let mut sentences = lines
        .iter()
        .map(|line| read_sentence(line, notes))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter();
    let Some(Sentence { letter, hop, place }) = sentences.next() else {
        return Err(Refusal::Empty);
    };
    let mut places = vec![place];
    match letter {
        Letter::Step => match sentences.next() {
            None => Ok(WrittenPlay {
                play: Play::Step(hop),
                places,
            }),
            Some(more) => Err(refuse(
                "after-a-step",
                "a step ends the play, nothing may follow it",
                more.place,
            )),
        },
        Letter::Jump => {
            let mut hops = vec![hop];
            for Sentence { letter, hop, place } in sentences {
                if matches!(letter, Letter::Step) {
                    return Err(refuse(
                        "step-after-jump",
                        "a play is one step or a chain of jumps, not both",
                        place,
                    ));
                }
                hops.push(hop);
                places.push(place);
            }
            Ok(WrittenPlay {
                play: Play::Jumps(hops),
                places,
            })
        }
    }
}

fn refuse(code: &'static str, message: &str, place: Place) -> Refusal {
    Refusal::Format(Finding::new(code, message).at(place))
}

fn read_sentence<S: WrittenSquare>(line: &Line<'_>, notes: &mut Departures) -> Result<Sentence<S>, Refusal> {
    let letter = read_letter(&line.words[0], notes)?;
    match line.words.as_slice() {
        [_, from, to] => {
            let hop = Hop {
                from: read_square(from, notes)?,
                to: read_square(to, notes)?,
            };
            Ok(Sentence {
                letter,
                hop,
                place: line.whole.place,
            })
        }
        [_, _, _, extra, ..] => {
            let found = Finding::new("extra-word", format!("{} is one word too many", extra.quoted())).at(extra.place);
            Err(Refusal::Format(match letter {
                Letter::Step => found.hint("a step is `E`, a square, a square"),
                Letter::Jump => found.hint("one jump a line: `J`, a square, a square"),
            }))
        }
        _ => {
            let message = format!("{} is not a whole move", line.whole.quoted());
            let found = Finding::new("missing-word", message).at(line.whole.place);
            Err(Refusal::Format(found.hint(
                "expected a letter, a square, a square, with one blank between them",
            )))
        }
    }
}

fn read_letter(word: &Word<'_>, notes: &mut Departures) -> Result<Letter, Refusal> {
    let letter = match word.text {
        b"E" | b"e" => Letter::Step,
        b"J" | b"j" => Letter::Jump,
        _ => {
            let message = format!("expected `E` for a step or `J` for a jump, found {}", word.quoted());
            return Err(Refusal::Format(Finding::new("not-a-letter", message).at(word.place)));
        }
    };
    if word.text[0].is_ascii_lowercase() {
        let message = format!("{} is written in lower case", word.quoted());
        notes.note(
            Finding::new("letter-case", message)
                .at(word.place)
                .hint("`E` and `J` are capitals"),
        )?;
    }
    Ok(letter)
}

/// Reads a square, noting where only its letter case is wrong.
pub(super) fn read_square<S: WrittenSquare>(word: &Word<'_>, notes: &mut Departures) -> Result<S, Refusal> {
    if let Some(square) = S::read(word.text) {
        return Ok(square);
    }
    let Some(square) = S::read(&word.text.to_ascii_lowercase()) else {
        let message = format!("expected {}, found {}", S::EXPECTED, word.quoted());
        return Err(Refusal::Format(Finding::new("not-a-square", message).at(word.place)));
    };
    let message = format!("{} is written in upper case", word.quoted());
    notes.note(
        Finding::new("square-case", message)
            .at(word.place)
            .hint("squares are written in lower case"),
    )?;
    Ok(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Tolerance;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Letters([u8; 2]);

    impl WrittenSquare for Letters {
        const EXPECTED: &'static str = "two small letters";

        fn read(word: &[u8]) -> Option<Self> {
            let letters = word.try_into().ok()?;
            word.iter().all(u8::is_ascii_lowercase).then_some(Self(letters))
        }
    }

    fn read(text: &str, tolerance: Tolerance) -> Result<(Play<Letters>, Vec<String>), Refusal> {
        let mut notes = Departures::new(tolerance);
        let written = read_play(text.as_bytes(), &mut notes)?;
        Ok((
            written.play,
            notes
                .into_warnings()
                .into_iter()
                .map(|found| found.code.into_owned())
                .collect(),
        ))
    }

    fn refusal(text: &str) -> String {
        match read(text, Tolerance::Tolerant) {
            Err(Refusal::Format(found)) => found.to_string(),
            other => panic!("expected a format refusal of {text:?}, got {other:?}"),
        }
    }

    fn hop(from: [u8; 2], to: [u8; 2]) -> Hop<Letters> {
        Hop {
            from: Letters(from),
            to: Letters(to),
        }
    }

    #[test]
    fn a_step_is_one_line_and_a_chain_one_line_a_jump() {
        assert_eq!(
            read("E ab cd\n", Tolerance::Exact),
            Ok((Play::Step(hop(*b"ab", *b"cd")), vec![]))
        );
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
                "line 1, column 1: expected `E` for a step or `J` for a jump, found `X`",
            ),
            (
                "J ab cd ef",
                "line 1, column 9: `ef` is one word too many (one jump a line: `J`, a square, a square)",
            ),
            (
                "E ab",
                "line 1, column 1: `E ab` is not a whole move (expected a letter, a square, a square, with one blank between them)",
            ),
            ("E ab c", "line 1, column 6: expected two small letters, found `c`"),
            (
                "E ab cd\nE cd ef",
                "line 2, column 1: a step ends the play, nothing may follow it",
            ),
            (
                "J ab cd\n\nE cd ef",
                "line 3, column 1: a play is one step or a chain of jumps, not both",
            ),
        ];
        for (text, message) in said {
            assert_eq!(refusal(text), message);
        }
    }
}
