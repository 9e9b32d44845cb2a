//! The statistics of a match in words. It computes nothing; `cli/play` prints them.

use super::text_table::rounded;
use referee_matches::tournament::{MatchStatistics, SprtDecision, SprtState};
use referee_messages::counted;
use referee_messages::plain;

/// The statistics of a match, line by line, from the view of the agent `name`.
pub fn match_lines(name: &str, statistics: &MatchStatistics) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {}, stronger with probability {} %",
        plain(name),
        elo_words(statistics),
        rounded(100.0 * statistics.superiority, 1),
    )];
    if statistics.counts.paired {
        let [ll, ld, even, wd, ww] = statistics.counts.pairs.0;
        let pairs = counted(statistics.counts.pairs.pairs() as usize, "pair");
        lines.push(format!(
            "{pairs} of games with the sides swapped: both won {ww}, one won and one drawn {wd}, even {even}, \
             one drawn and one lost {ld}, both lost {ll}"
        ));
    }
    lines
}

/// `+70 ± 69 Elo (95 %)`, or both bounds where one of them is infinite.
fn elo_words(statistics: &MatchStatistics) -> String {
    match (statistics.elo, statistics.elo_low, statistics.elo_high) {
        (Some(elo), Some(low), Some(high)) => format!("{elo:+.0} ± {} Elo (95 %)", rounded((high - low) / 2.0, 0)),
        (elo, low, high) => {
            let bound = |bound: Option<f64>, unbounded: &str| {
                bound.map_or_else(|| unbounded.to_owned(), |bound| rounded(bound, 0))
            };
            format!(
                "{} Elo (95 %: {} to {})",
                elo.map_or_else(|| "no finite".to_owned(), |elo| format!("{elo:+.0}")),
                bound(low, "-∞"),
                bound(high, "+∞"),
            )
        }
    }
}

/// The state of a sequential test, in one line.
pub fn sprt_line(state: &SprtState) -> String {
    let decision = match state.decision {
        SprtDecision::Continue => "undecided",
        SprtDecision::AcceptH0 => "decided for `elo0`",
        SprtDecision::AcceptH1 => "decided for `elo1`",
    };
    let [llr, lower, upper] = [state.llr, state.lower, state.upper].map(|value| rounded(value, 2));
    format!("sequential test: {decision}, evidence {llr} ({lower} decides for `elo0`, {upper} for `elo1`)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_matches::tournament::{HeadToHead, MatchCounts, Pentanomial, Sprt};

    #[test]
    fn a_match_is_told_with_its_bounds_and_its_pairs() {
        let games = HeadToHead { lost: 40, drawn: 0, won: 60 };
        let mut counts = MatchCounts { games, ..MatchCounts::default() };
        let lines = |counts| match_lines("a\x1b", &MatchStatistics::of(counts));
        let said = r"a\u{1b}: +70 ± 69 Elo (95 %), stronger with probability 97.7 %";
        assert_eq!(lines(counts), [said]);
        counts.paired = true;
        counts.pairs = Pentanomial([5, 0, 30, 0, 15]);
        let said = "50 pairs of games with the sides swapped: both won 15, one won and one drawn 0, even 30, \
                    one drawn and one lost 0, both lost 5";
        assert_eq!(lines(counts)[1], said);
        let state = "elo0=0,elo1=50".parse::<Sprt>().unwrap().state(&counts);
        let line = sprt_line(&state);
        assert!(
            line.starts_with("sequential test: undecided, evidence ")
                && line.ends_with(" (-2.94 decides for `elo0`, 2.94 for `elo1`)"),
            "{line}"
        );
        let all_won = MatchCounts { games: HeadToHead { lost: 0, drawn: 0, won: 4 }, ..MatchCounts::default() };
        assert!(lines(all_won)[0].contains("no finite Elo (95 %: ") && lines(all_won)[0].contains(" to +∞)"));
    }
}
