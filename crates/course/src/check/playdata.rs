//! Checks the effect of a stale or foreign `playdata.txt`. `examine` calls it.
//!
//! The course removes the file before each game, so it costs no points. But the file exists when a student tries two
//! games in one folder, and a run killed while writing can leave it empty or truncated.

use super::error::CheckError;
use super::exercises::as_turn;
use super::prepared::{AnsweredTurn, PreparedSubmission};
use super::report::CheckItem;
use referee_records::Question;
use referee_time::CpuTime;

const NAME: &str = "playdata";

/// The time for each move.
const TIME: CpuTime = CpuTime::from_secs(5);

/// Files that another program may have left, with the shell commands that write them.
const FOREIGN: [(&str, &str); 2] = [
    ("an empty one", ": > playdata.txt; exec \"$@\""),
    ("a foreign one", "printf 'not yours \\377\\000\\n{[(\\n-1 nan\\n' > playdata.txt; exec \"$@\""),
];

/// The answers to one question with different files.
#[derive(Clone, Debug)]
pub(super) struct PlaydataProbe {
    /// Without a file.
    without: AnsweredTurn,
    /// With each of the others: a description, and the answer.
    with: Vec<(&'static str, AnsweredTurn)>,
}

/// Asks for the move of `exercise` without `playdata.txt`, after a move of `other`, which is of another game, and with
/// foreign files.
pub(super) fn try_stale(
    prepared: &mut PreparedSubmission<'_>,
    exercise: &Question,
    other: &Question,
) -> Result<PlaydataProbe, CheckError> {
    let game = prepared.assignment.game;
    let turn = as_turn(game, exercise, TIME)?;
    let without = prepared.ask(&mut prepared.seat()?, turn.clone(), CpuTime::ZERO)?;
    let mut with = Vec::new();
    let mut seat = prepared.seat()?;
    prepared.ask(&mut seat, as_turn(game, other, TIME)?, CpuTime::ZERO)?;
    let after = prepared.ask(&mut seat, turn.clone(), CpuTime::ZERO)?;
    with.push(("its own, from another game", after));
    for (what, script) in FOREIGN {
        let answered = prepared.ask(&mut prepared.seat_behind(script)?, turn.clone(), CpuTime::ZERO)?;
        with.push((what, answered));
    }
    Ok(PlaydataProbe { without, with })
}

/// Judges whether any of the files did harm.
pub(super) fn judge_stale(stale: &PlaydataProbe) -> CheckItem {
    let remedy = "it is deleted before each game, so this costs no points; still, ignore the file on the first move \
                  and if its content is unexpected: a run killed while writing leaves a truncated file";
    if !stale.without.is_right() {
        let found = "not tested: there was no answer without the file either";
        return CheckItem::warning(NAME, found, "fix the answers first, then check again");
    }
    let harmed: Vec<&(&str, AnsweredTurn)> = stale.with.iter().filter(|(_, answered)| !answered.is_right()).collect();
    let Some((_, first)) = harmed.first() else {
        return CheckItem::ok(NAME, "handles an old, an empty and a corrupt file");
    };
    let what: Vec<&str> = harmed.iter().map(|(what, _)| *what).collect();
    let found = format!("{} did harm: {}", what.join(" and "), first.sentence());
    CheckItem::warning(NAME, found, remedy).with(first.explained())
}
