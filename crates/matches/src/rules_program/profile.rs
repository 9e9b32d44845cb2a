//! Checks a rules program's description of its game as a whole, and makes a [`Profile`] of it, which lives as long as
//! this process. `game` calls it.

use std::collections::HashMap;

use super::protocol::{Description, GoalAnswer, InputAnswer, PROTOCOL, PieceAnswer, RuleAnswer, SideAnswer};
use referee_games::protocol::plain;
use referee_games::{
    BoardLook, Cells, DrawDecision, DrawRules, EndRules, FirstTurn, GameRef, Goal, InputForm, Memory, MoveForm,
    PieceLook, Profile, RuleText, Section, Side, SideLook,
};
use referee_time::CpuTime;

/// The most rows or columns of a board.
const LONGEST_EDGE: usize = 26;

/// The reasons for a draw that every game has.
pub(super) const LEVELS: [&str; 3] = ["blocked", "no-moves", "equal-scores"];

/// A description that has been checked.
#[derive(Clone, Debug)]
pub(super) struct CheckedProfile {
    pub(super) profile: &'static Profile,
    pub(super) rules: HashMap<String, &'static RuleText>,
    pub(super) reads_input: bool,
    pub(super) evaluates: bool,
}

/// Checks what a program says of its game.
///
/// # Errors
///
/// What is wrong with it, as a sentence.
pub(super) fn described(said: &Description) -> Result<CheckedProfile, String> {
    if said.protocol != PROTOCOL {
        return Err(format!("it speaks version {} of the protocol, this `referee` version {PROTOCOL}", said.protocol));
    }
    let name = name(&said.name)?;
    let [first, second] = said.sides.as_slice() else {
        return Err(format!("`sides`: expected 2, found {}: a game has two players", said.sides.len()));
    };
    let sides = [side(first)?, side(second)?];
    if sides[0].word == sides[1].word || sides[0].letter == sides[1].letter {
        return Err("`sides`: both have the same word or the same letter".to_owned());
    }
    if is_called(&sides[0], "white") || is_called(&sides[1], "black") {
        return Err(format!(
            "`sides`: the first is `black` in records, in exports and on boards, whoever begins: put `{}` first, and \
             say with `first` who begins",
            sides[1].word
        ));
    }
    if sides[0].colour.is_some() != sides[1].colour.is_some() {
        return Err("`sides`: one has a colour; give both one, or neither".to_owned());
    }
    if sides[0].colour.is_some() && sides[0].colour == sides[1].colour {
        return Err("`sides`: both have the same colour".to_owned());
    }
    let rules: HashMap<String, &'static RuleText> = said.rules.iter().map(rule).collect::<Result<_, _>>()?;
    let wins = goals("goals", &said.goals, "a side wins when", &rules)?;
    let draw_reasons = goals("draw_reasons", &said.draw_reasons, "the game is a draw when", &rules)?;
    if let Some(taken) = draw_reasons.iter().find(|reason| LEVELS.contains(&reason.code)) {
        return Err(format!("`draw_reasons`: `{}` has a meaning of its own", taken.code));
    }
    let play_time = seconds("play_time", said.play_time)?.unwrap_or(CpuTime::from_secs(100));
    let pieces = said.pieces.iter().map(|piece| piece_of(piece, said)).collect::<Result<Vec<_>, _>>()?;
    let profile = Profile {
        name,
        title: text("title", &said.title, 60)?,
        first_turn: match said.first.as_deref() {
            None => FirstTurn::Always(Side::Black),
            Some("either") => FirstTurn::Either,
            Some(word) => FirstTurn::Always(named_side("first", word, &said.sides)?),
        },
        sides,
        board: board(said)?,
        pieces: kept(pieces),
        moves: MoveForm::Squares(text("separator", &said.separator, 3)?),
        input: input(&said.input, sides),
        play_time,
        move_time: seconds("move_time", said.move_time)?,
        draws: DrawRules {
            idle_turns: said.draws.idle_turns,
            repetitions: said.draws.repetitions,
            turn_limit: said.draws.turn_limit,
        },
        progress: text("progress", said.progress.as_deref().unwrap_or("progress"), 80)?,
        draw_decisions: kept(said.draw_decisions.clone().unwrap_or_else(|| vec![DrawDecision::Time])),
        typical_moves: said.typical_moves.unwrap_or(30).clamp(1, 10_000),
        notations: &[],
        goals: wins,
        draw_reasons,
        end_rules: EndRules::NONE,
        handout: None,
        program_names: &[],
        memory: if said.keeps_directory { Memory::WorkingDirectory } else { Memory::Playdata },
    };
    Ok(CheckedProfile {
        profile: Box::leak(Box::new(profile)),
        rules,
        reads_input: said.reads_input,
        evaluates: said.evaluates,
    })
}

fn kept<T>(values: Vec<T>) -> &'static [T] {
    Vec::leak(values)
}

fn kept_text(text: &str) -> &'static str {
    Box::leak(plain(text).into_boxed_str())
}

fn name(name: &str) -> Result<&'static str, String> {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 40 || !name.chars().all(is_word) || name.starts_with('-') {
        return Err("`name`: expected 1 to 40 small letters, digits and `-`, such as `tic-tac-toe`".to_owned());
    }
    if GameRef::all().any(|game| game.name() == name) {
        return Err(format!("`name`: `{name}` is a built-in game; give yours another name"));
    }
    Ok(kept_text(name))
}

fn text(key: &str, text: &str, longest: usize) -> Result<&'static str, String> {
    if text.is_empty() || text.chars().count() > longest {
        return Err(format!("`{key}`: expected 1 to {longest} characters, found {}", text.chars().count()));
    }
    Ok(kept_text(text))
}

fn letter(key: &str, letter: char) -> Result<char, String> {
    if letter.is_ascii_graphic() && !matches!(letter, ',' | '<' | '&') {
        return Ok(letter);
    }
    Err(format!("`{key}`: expected a letter, a digit or a sign of ASCII, found `{}`", plain(&letter.to_string())))
}

fn side(said: &SideAnswer) -> Result<SideLook, String> {
    let word = text("sides", &said.word, 20)?;
    let is_word = |c: char| c.is_ascii_graphic();
    if !word.chars().all(is_word) {
        return Err(format!("`sides`: expected a word of ASCII, found `{word}`"));
    }
    let first = word.chars().next().unwrap_or('?');
    Ok(SideLook {
        word,
        name: said.name.as_deref().map_or(Ok(word), |name| text("sides", name, 20))?,
        letter: letter("sides", said.letter.unwrap_or(first))?,
        colour: said.colour,
    })
}

fn is_called(side: &SideLook, colour: &str) -> bool {
    side.word.eq_ignore_ascii_case(colour) || side.name.eq_ignore_ascii_case(colour)
}

/// The side of that word.
fn named_side(key: &str, word: &str, sides: &[SideAnswer]) -> Result<Side, String> {
    let index = sides.iter().position(|side| side.word == word);
    index
        .and_then(|index| Side::BOTH.get(index).copied())
        .ok_or_else(|| format!("`{key}`: `{}` is the word of no side", plain(word)))
}

fn board(said: &Description) -> Result<BoardLook, String> {
    let labels = |key: &str, labels: &[String]| -> Result<&'static [&'static str], String> {
        if !(1..=LONGEST_EDGE).contains(&labels.len()) {
            return Err(format!("`board`: expected 1 to {LONGEST_EDGE} {key}, found {}", labels.len()));
        }
        Ok(kept(labels.iter().map(|label| text(key, label, 3)).collect::<Result<_, _>>()?))
    };
    Ok(BoardLook {
        columns: labels("columns", &said.board.columns)?,
        rows: labels("rows", &said.board.rows)?,
        square: said.board.square,
        surface: said.board.surface,
        cells: Cells::Letters { empty: letter("empty", said.board.empty)? },
        has_camps: false,
    })
}

fn piece_of(piece: &PieceAnswer, said: &Description) -> Result<PieceLook, String> {
    if piece.letter == said.board.empty {
        return Err("`pieces`: a piece has the letter of an empty square".to_owned());
    }
    if piece.letter == '.' {
        return Err("`pieces`: `.` is an empty square on every page; give the piece another letter".to_owned());
    }
    let side = piece.side.as_deref();
    let side = side.map(|side| named_side("pieces", side, &said.sides));
    Ok(PieceLook {
        letter: letter("pieces", piece.letter)?,
        shown: letter("pieces", piece.shown.unwrap_or(piece.letter))?,
        side: side.transpose()?,
        word: piece.word.as_deref().map(|word| text("pieces", word, 30)).transpose()?,
        shape: piece.shape,
    })
}

fn input(said: &InputAnswer, sides: [SideLook; 2]) -> InputForm {
    InputForm { first_line: kept(sides.map(|side| side.word).into()), lines: said.lines, time_line: said.time_line }
}

fn seconds(key: &str, seconds: Option<f64>) -> Result<Option<CpuTime>, String> {
    let read = |seconds: f64| {
        let time = (0.001..=86_400.0).contains(&seconds).then(|| CpuTime::read_remaining(&seconds.to_string()));
        time.flatten().ok_or_else(|| format!("`{key}`: expected seconds from 0.001 to 86400, found {seconds}"))
    };
    seconds.map(read).transpose()
}

fn rule(said: &RuleAnswer) -> Result<(String, &'static RuleText), String> {
    let rule = RuleText {
        code: text("rules", &said.code, 60)?,
        name: text("rules", &said.name, 80)?,
        sentence: text("rules", &said.sentence, 400)?,
        section: Section::Play,
    };
    Ok((said.code.clone(), Box::leak(Box::new(rule))))
}

/// Reasons of results; each cites the rule that it names or that has its code, or itself after the words `otherwise`.
fn goals(
    key: &str,
    said: &[GoalAnswer],
    otherwise: &str,
    rules: &HashMap<String, &'static RuleText>,
) -> Result<&'static [&'static Goal], String> {
    let goal = |said: &GoalAnswer| {
        let code = text(key, &said.code, 60)?;
        let sentence = text(key, &said.sentence, 200)?;
        let rule = match (&said.rule, rules.get(said.rule.as_ref().unwrap_or(&said.code))) {
            (_, Some(rule)) => *rule,
            (Some(rule), None) => return Err(format!("`{key}`: `{}` is no code of `rules`", plain(rule))),
            (None, None) => Box::leak(Box::new(RuleText {
                code,
                name: kept_text(&code.replace('-', " ")),
                sentence: kept_text(&format!("{otherwise} {sentence}")),
                section: Section::Play,
            })),
        };
        Ok(&*Box::leak(Box::new(Goal { code, sentence, rule })))
    };
    Ok(kept(said.iter().map(goal).collect::<Result<Vec<_>, String>>()?))
}
