//! Whether time and memory would last.

use super::report::CheckItem;
use crate::games::GameId;
use crate::time::CpuTime;
use crate::wording::{clock, counted};

const TIME: &str = "time";
const MEMORY: &str = "memory";

/// How many moves of its own a side has in a typical game: in checkers half of the median of 18,142 games of a class, 62
/// turns; in Halma half of what the reference needs against itself, 240 to 275; in Duo-Othello half of the free squares;
/// in Star and Circle about as many as its pieces have rows to go.
const fn typical_moves(game: GameId) -> u64 {
    match game {
        GameId::Checkers => 31,
        GameId::Halma(_) => 130,
        GameId::DuoOthello => 68,
        GameId::StarCircle => 20,
    }
}

/// Above this part of what there is, it is close.
const CLOSE_PERCENT: u64 = 60;

/// What is known of the time that its moves take.
#[derive(Clone, Debug)]
pub(super) struct Pace<'a> {
    pub(super) game: GameId,
    /// What each move in the quick games was charged.
    pub(super) charges: &'a [CpuTime],
    /// The shortest play time of a game.
    pub(super) play_time: CpuTime,
    /// The most that it used for a move with one second left; `None` where that is not known.
    pub(super) in_a_hurry: Option<CpuTime>,
}

/// Whether the time of a whole game would last at this pace; `None` where no move was seen.
pub(super) fn judge_pace(pace: &Pace<'_>) -> Option<CheckItem> {
    let moves = u64::try_from(pace.charges.len()).ok().filter(|moves| *moves > 0)?;
    let all: CpuTime = pace.charges.iter().copied().sum();
    let mean = CpuTime::from_micros(all.micros() / moves);
    let typical = typical_moves(pace.game);
    let projected = mean.saturating_mul(typical);
    let found = format!(
        "{:.3} s a move, so {} s in a game of {typical} moves; the shortest game has {}",
        mean.as_secs_f64(),
        clock(projected),
        pace.play_time,
    ) + " s";
    let percent = projected.micros().saturating_mul(100) / pace.play_time.micros().max(1);
    // Who answers much faster when time is short does not run out of it, however fast he begins.
    let saves = pace.in_a_hurry.is_some_and(|used| used.micros() < mean.micros() / 2);
    Some(match percent {
        0..=CLOSE_PERCENT => CheckItem::ok(TIME, found),
        101.. if !saves => CheckItem::fault(
            TIME,
            found,
            "use less time for a move: a game as long as that is lost on time",
        ),
        101.. => {
            let remedy = "see that it lasts: it answers faster when time is short, but by then the game may be lost";
            CheckItem::warning(TIME, found, remedy)
        }
        _ => CheckItem::warning(
            TIME,
            found,
            "use less time for a move: a game may be twice as long as that",
        ),
    })
}

/// Whether the slowest of `asked` answers, with `slowest`, was near to the `limit` of each.
pub(super) fn judge_slowest(asked: usize, slowest: CpuTime, limit: CpuTime) -> CheckItem {
    let found = format!(
        "{} s for the slowest of {}, of {limit} s each",
        clock(slowest),
        counted(asked, "answer")
    );
    if slowest.saturating_mul(100) > limit.saturating_mul(CLOSE_PERCENT) {
        return CheckItem::warning(
            TIME,
            found,
            "search faster: the machine that grades may be slower than this one",
        );
    }
    CheckItem::ok(TIME, found)
}

/// Whether the most memory that one process had was near to the limit.
pub(super) fn judge_memory(peak_bytes: u64, limit_bytes: u64) -> CheckItem {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let found = format!(
        "{} MiB at most, of {} MiB",
        mebibytes(peak_bytes),
        mebibytes(limit_bytes)
    );
    if peak_bytes / 100 * 100 > limit_bytes / 100 * CLOSE_PERCENT {
        return CheckItem::warning(
            MEMORY,
            found,
            "keep tables smaller: a program above the limit is killed",
        );
    }
    CheckItem::ok(MEMORY, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_projected_to_a_typical_game() {
        let light = |millis: u64, in_a_hurry: Option<u64>| {
            let item = judge_pace(&Pace {
                game: GameId::Checkers,
                charges: &[CpuTime::ZERO, CpuTime::from_millis(2 * millis)],
                play_time: CpuTime::from_millis(3100),
                in_a_hurry: in_a_hurry.map(CpuTime::from_millis),
            });
            item.unwrap().light.word()
        };
        assert_eq!([light(60, None), light(61, None)], ["ok", "warning"]);
        assert_eq!([light(100, None), light(102, None)], ["warning", "fault"]);
        assert_eq!([light(102, Some(90)), light(102, Some(20))], ["fault", "warning"]);
    }

    #[test]
    fn the_sentence_has_all_figures() {
        let pace = Pace {
            game: GameId::DuoOthello,
            charges: &[CpuTime::from_millis(250)],
            play_time: CpuTime::from_secs(300),
            in_a_hurry: None,
        };
        assert_eq!(
            judge_pace(&pace).unwrap(),
            CheckItem::ok(
                TIME,
                "0.250 s a move, so 17.00 s in a game of 68 moves; the shortest game has 300 s"
            )
        );
        assert_eq!(judge_pace(&Pace { charges: &[], ..pace }), None);
    }

    #[test]
    fn near_to_a_limit_is_a_warning() {
        assert_eq!(
            judge_memory(23 << 20, 2 << 30),
            CheckItem::ok(MEMORY, "23 MiB at most, of 2048 MiB")
        );
        assert_eq!(judge_memory(1300 << 20, 2 << 30).light.word(), "warning");
        let limit = CpuTime::from_secs(180);
        let slowest = |seconds| judge_slowest(50, CpuTime::from_secs(seconds), limit).light.word();
        assert_eq!([slowest(108), slowest(109)], ["ok", "warning"]);
    }
}
