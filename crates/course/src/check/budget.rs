//! Judges whether time and memory suffice. Pure functions of measurements; `examine` calls them.

use super::report::CheckItem;
use referee_games::GameRef;
use referee_messages::{clock, counted};
use referee_submissions::agents::Language;
use referee_time::CpuTime;

const TIME: &str = "time";
const MEMORY: &str = "memory";

/// The percentage of a limit above which it counts as close.
const CLOSE_PERCENT: u64 = 60;

/// What is known of the time per move.
#[derive(Clone, Debug)]
pub(super) struct MovePace<'a> {
    pub(super) game: GameRef,
    /// The charge of each move in the quick games.
    pub(super) charges: &'a [CpuTime],
    /// The longest of these games that it finished within its time.
    pub(super) finished: Option<ClockUse>,
    /// The shortest play time of a game.
    pub(super) play_time: CpuTime,
    /// The maximum charge of a move with one second left; `None` if unknown.
    pub(super) in_a_hurry: Option<CpuTime>,
    /// The cost of starting its language; `None` if unknown.
    pub(super) start: Option<StartCost>,
}

/// The cost of starting an empty program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StartCost {
    pub(super) language: Language,
    pub(super) cost: CpuTime,
}

/// What a game took of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockUse {
    pub(super) moves: usize,
    pub(super) used: CpuTime,
}

impl MovePace<'_> {
    /// Whether it finished a game as long as a typical one within its time, which shows more than any projection.
    fn has_finished(&self) -> bool {
        self.finished.is_some_and(|game| game.moves as u64 >= u64::from(self.game.profile().typical_moves))
    }

    /// The mean charge of a move; `None` without moves.
    fn mean(&self) -> Option<CpuTime> {
        let moves = u64::try_from(self.charges.len()).ok().filter(|moves| *moves > 0)?;
        let all: CpuTime = self.charges.iter().copied().sum();
        Some(CpuTime::from_micros(all.micros() / moves))
    }

    /// The charge of a typical game with `each` per move.
    fn projected(&self, each: CpuTime) -> CpuTime {
        each.saturating_mul(u64::from(self.game.profile().typical_moves))
    }

    /// The percentage of the play time for this.
    fn percent(&self, each: CpuTime) -> u64 {
        self.projected(each).micros().saturating_mul(100) / self.play_time.micros().max(1)
    }

    /// Whether a typical game comes close to the play time, so that details matter.
    pub(super) fn is_close(&self) -> bool {
        !self.has_finished() && self.mean().is_some_and(|mean| self.percent(mean) > CLOSE_PERCENT)
    }
}

/// Judges whether the time for a whole game suffices at this pace; `None` without moves.
///
/// No projection is a fault: a program may take more of a full clock than of a short one. Where it really runs out of
/// time, the game itself shows it.
pub(super) fn judge_pace(pace: &MovePace<'_>) -> Option<CheckItem> {
    let mean = pace.mean()?;
    let found = format!("{}{}{}", at_that_pace(pace, mean), of_the_language(pace, mean), of_the_finished(pace));
    Some(if pace.is_close() { CheckItem::warning(TIME, found, advice(pace, mean)) } else { CheckItem::ok(TIME, found) })
}

fn at_that_pace(pace: &MovePace<'_>, mean: CpuTime) -> String {
    format!(
        "{} per move, so {} s in a game of {} moves; the shortest game allows {} s",
        seconds(mean),
        clock(pace.projected(mean)),
        pace.game.profile().typical_moves,
        pace.play_time,
    )
}

fn of_the_language(pace: &MovePace<'_>, mean: CpuTime) -> String {
    let Some(StartCost { language, cost }) = pace.start else { return String::new() };
    let own = mean.saturating_sub(cost);
    format!(
        "; an empty program in {language} takes {}, which leaves {} per move to your code",
        seconds(cost),
        seconds(own)
    )
}

fn of_the_finished(pace: &MovePace<'_>) -> String {
    pace.finished.map_or_else(String::new, |ClockUse { moves, used }| {
        format!("; a whole game of {} took {} s", counted(moves, "move"), clock(used))
    })
}

/// Whether most of `each` is the start of the language, which is not the program's fault.
fn is_for_its_language(pace: &MovePace<'_>, each: CpuTime) -> bool {
    pace.start.is_some_and(|StartCost { cost, .. }| {
        let own = each.saturating_sub(cost);
        let start_alone_is_too_much = pace.percent(cost) > 100 && pace.percent(own) <= 100;
        start_alone_is_too_much || (cost >= own && pace.percent(own) <= 100)
    })
}

/// The remedy for moves that take `each`.
fn advice(pace: &MovePace<'_>, each: CpuTime) -> String {
    let is_too_slow = pace.percent(each) > 100;
    if is_too_slow && pace.in_a_hurry.is_some_and(|fastest| fastest.micros() < each.micros() / 2) {
        return "use less time early: it answers faster when time is short, but by then the game may be lost"
            .to_owned();
    }
    let consequence =
        if is_too_slow { "a game of that length is lost on time" } else { "a game may be twice that long" };
    let Some(StartCost { language, cost }) = pace.start else {
        return format!("use less time for a move: {consequence}");
    };
    if is_for_its_language(pace, each) {
        return format!(
            "not your fault: starting {language} alone takes {} s of a game of {} moves; use the remaining time for \
             your moves",
            clock(pace.projected(cost)),
            u64::from(pace.game.profile().typical_moves)
        );
    }
    let imports = match language {
        Language::Python(_) => ", import less, and read no large files",
        Language::Cpp(_) | Language::Java => "",
    };
    match pace.in_a_hurry {
        Some(fastest) if pace.percent(fastest) > 100 => format!(
            "search less when little time remains{imports}: with one second left, a move still takes {}; read the \
             remaining time from `input.txt` on every move",
            seconds(fastest)
        ),
        Some(_) | None => format!("use less time for a move{imports}: {consequence}"),
    }
}

/// With milliseconds, which matter here.
pub(super) fn seconds(time: CpuTime) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Judges whether `slowest`, the slowest of `asked` answers, was close to the `limit` of each.
pub(super) fn judge_slowest(asked: usize, slowest: CpuTime, limit: CpuTime) -> CheckItem {
    let found = format!("slowest of {}: {} s of {limit} s", counted(asked, "answer"), clock(slowest));
    if slowest.saturating_mul(100) > limit.saturating_mul(CLOSE_PERCENT) {
        return CheckItem::warning(TIME, found, "search faster: the grading machine may be slower than this one");
    }
    CheckItem::ok(TIME, found)
}

/// Judges whether the largest memory of one process was close to the limit.
pub(super) fn judge_memory(peak_bytes: u64, limit_bytes: u64) -> CheckItem {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let found = format!("{} MiB at most, of {} MiB", mebibytes(peak_bytes), mebibytes(limit_bytes));
    if peak_bytes / 100 * 100 > limit_bytes / 100 * CLOSE_PERCENT {
        return CheckItem::warning(MEMORY, found, "use smaller tables: a program above the limit is killed");
    }
    CheckItem::ok(MEMORY, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_submissions::agents::{CppStandard, PythonVersion};

    /// Moves of checkers with these charges.
    fn pace(charges: &[CpuTime], play_time: CpuTime) -> MovePace<'_> {
        let game = referee_games::checkers::ID;
        MovePace { game, charges, finished: None, play_time, in_a_hurry: None, start: None }
    }

    /// Two moves, of `millis` each on average, in a game with time for 31 moves of 100 ms.
    fn judged(millis: u64, in_a_hurry: Option<u64>, start: Option<(Language, u64)>) -> CheckItem {
        let charges = [CpuTime::ZERO, CpuTime::from_millis(2 * millis)];
        let pace = MovePace {
            in_a_hurry: in_a_hurry.map(CpuTime::from_millis),
            start: start.map(|(language, millis)| StartCost { language, cost: CpuTime::from_millis(millis) }),
            ..pace(&charges, CpuTime::from_millis(3100))
        };
        assert_eq!(pace.is_close(), millis > 60);
        judge_pace(&pace).unwrap()
    }

    const CPP: Language = Language::Cpp(CppStandard::Cpp17);
    const PYTHON: Language = Language::Python(PythonVersion::Three);

    #[test]
    fn a_pace_is_projected_to_a_typical_game() {
        let light = |millis, in_a_hurry| judged(millis, in_a_hurry, None).light.word();
        assert_eq!([light(60, None), light(61, None)], ["ok", "warning"]);
        for in_a_hurry in [None, Some(500), Some(20)] {
            assert_eq!(light(500, in_a_hurry), "warning");
        }
        let early = judged(102, Some(20), None).remedy.unwrap();
        assert!(early.starts_with("use less time early: "), "{early}");
    }

    #[test]
    fn a_whole_game_within_its_time_shows_more_than_a_projection() {
        let after = |moves| {
            let finished = Some(ClockUse { moves, used: CpuTime::from_millis(4700) });
            let charges = [CpuTime::from_millis(200)];
            let pace = MovePace { finished, ..pace(&charges, CpuTime::from_secs(5)) };
            judge_pace(&pace).unwrap()
        };
        let found = |moves: u32| {
            format!(
                "0.200 s per move, so 6.20 s in a game of 31 moves; the shortest game allows 5 s; a whole game of \
                 {moves} moves took 4.70 s"
            )
        };
        assert_eq!(after(31), CheckItem::ok(TIME, found(31)));
        assert_eq!((after(30).light.word(), after(30).found), ("warning", found(30)));
    }

    #[test]
    fn who_thinks_too_long_is_told_to_think_less_and_not_to_start_faster() {
        let item = judged(510, Some(500), Some((CPP, 1)));
        assert_eq!(item.light.word(), "warning");
        assert_eq!(
            item.found,
            "0.510 s per move, so 15.81 s in a game of 31 moves; the shortest game allows 3.1 s; an empty program in \
             C++17 takes 0.001 s, which leaves 0.509 s per move to your code"
        );
        assert_eq!(
            item.remedy.unwrap(),
            "search less when little time remains: with one second left, a move still takes 0.500 s; read the \
             remaining time from `input.txt` on every move"
        );
        let item = judged(150, Some(140), Some((PYTHON, 12)));
        assert!(
            item.remedy
                .unwrap()
                .starts_with("search less when little time remains, import less, and read no large files: ")
        );
    }

    #[test]
    fn what_a_language_takes_to_start_is_no_fault() {
        let remedy = |millis, start| judged(millis, Some(millis), Some((Language::Java, start))).remedy.unwrap();
        // The start alone is too much, ...
        assert_eq!(
            remedy(110, 105),
            "not your fault: starting Java alone takes 3.25 s of a game of 31 moves; use the remaining time for your \
             moves"
        );
        // ... or the larger part of the cost; ...
        assert!(remedy(120, 80).starts_with("not your fault: "));
        // ... but not if the program's own part is larger, or too much by itself.
        assert!(remedy(120, 50).starts_with("search less "));
        assert!(remedy(250, 130).starts_with("search less "));
    }

    #[test]
    fn without_moves_there_is_no_pace() {
        assert_eq!(judge_pace(&pace(&[], CpuTime::from_secs(300))), None);
    }

    #[test]
    fn near_to_a_limit_is_a_warning() {
        assert_eq!(judge_memory(23 << 20, 2 << 30), CheckItem::ok(MEMORY, "23 MiB at most, of 2048 MiB"));
        assert_eq!(judge_memory(1300 << 20, 2 << 30).light.word(), "warning");
        let limit = CpuTime::from_secs(180);
        let slowest = |seconds| judge_slowest(50, CpuTime::from_secs(seconds), limit).light.word();
        assert_eq!([slowest(108), slowest(109)], ["ok", "warning"]);
    }
}
