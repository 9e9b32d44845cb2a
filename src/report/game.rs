//! One game as the page holds it.

use super::board::packed;
use super::discretion::Cast;
use super::view::{Ending, Game};
use crate::games::Side;
use crate::records::{GameRecord, PerSide, TurnRecord};
use crate::referee::{Difference, Explanation, Forfeit, explain, scenes};
use crate::wording::{Names, board_words, close_call_sentence, draw_excerpt, verdict_sentence};

/// Packs the game of `record`.
///
/// # Errors
///
/// The first [`Difference`] between the record and the rules.
pub(super) fn game(record: &GameRecord, cast: &Cast) -> Result<Game, Difference> {
    let scenes = scenes(record)?;
    let [black, white] = Side::BOTH.map(|side| &record.players.of(side).name);
    let names = Names::new(record.game, &cast.name(black), &cast.name(white));
    let score = match record.verdict.winner() {
        Some(Side::Black) => "1-0",
        Some(Side::White) => "0-1",
        None => "½-½",
    };
    let side_letter = |turn: &TurnRecord| match turn.side() {
        Side::Black => 'b',
        Side::White => 'w',
    };
    let moves: Vec<String> = record.turns.iter().map(move_text).collect();
    let calls = record.close_calls.iter();
    Ok(Game {
        id: cast.id(&record.id).unwrap_or_default().to_owned(),
        black: cast.place(black),
        white: cast.place(white),
        score,
        verdict: verdict_sentence(&cast.verdict(&record.verdict), &names),
        play_time_us: PerSide::from_fn(|side| record.conditions.play_time.of(side).micros()),
        sides: record.turns.iter().map(side_letter).collect(),
        moves: moves.join("|"),
        charged_us: record.turns.iter().map(|turn| turn.charged().micros()).collect(),
        boards: packed(scenes.iter().map(|scene| scene.rows.as_slice())),
        ending: ending(&explain(record)?, cast),
        close_calls: calls.map(|call| close_call_sentence(call, &names)).collect(),
    })
}

fn move_text(turn: &TurnRecord) -> String {
    match turn {
        TurnRecord::Pass { .. } => "-".to_owned(),
        TurnRecord::Run { mv, .. } => mv.as_deref().map(board_words).unwrap_or_default(),
    }
}

/// What there is to say of a loss by the agent's own fault.
fn ending(explanation: &Explanation, cast: &Cast) -> Option<Ending> {
    let forfeit = explanation.forfeit.as_ref()?;
    let rules = explanation.rules.iter();
    let rules = rules.map(|rule| format!("{} ({}): {}", rule.name, rule.source, rule.sentence));
    let ending = Ending {
        rules: rules.collect(),
        legal: forfeit.legal.examples.clone(),
        legal_count: forfeit.legal.count,
        ..Ending::default()
    };
    Some(if cast.is_discreet() {
        ending
    } else {
        with_details(ending, explanation, forfeit)
    })
}

fn with_details(ending: Ending, explanation: &Explanation, forfeit: &Forfeit) -> Ending {
    Ending {
        happened: explanation.happened.clone(),
        hints: forfeit.hints.clone(),
        output: forfeit.answer.as_ref().map(draw_excerpt).unwrap_or_default(),
        program: forfeit.process.how.clone(),
        stderr: forfeit.process.stderr.clone(),
        ..ending
    }
}
