//! The statistics of a match in words. It computes nothing; `cli/play` prints them.

use super::text_table::rounded;
use crate::messages::counted;
use crate::messages::plain;
use crate::tournament::{MatchStatistics, SprtDecision, SprtState};

/// The statistics of a match, line by line, from the view of the agent `name`.
pub fn match_lines(name: &str, statistics: &MatchStatistics) -> Vec<String> {
    let elo = |elo: Option<f64>, unbounded: &str| elo.map_or_else(|| unbounded.to_owned(), |elo| rounded(elo, 0));
    let mut lines = vec![format!(
        "{}: {} Elo (95 %: {} to {}), better with a likelihood of {} %",
        plain(name),
        statistics
            .elo
            .map_or_else(|| "no finite".to_owned(), |elo| format!("{elo:+.0}")),
        elo(statistics.elo_low, "-∞"),
        elo(statistics.elo_high, "+∞"),
        rounded(100.0 * statistics.superiority, 1),
    )];
    if statistics.counts.paired {
        let [ll, ld, even, wd, ww] = statistics.counts.pairs.counts();
        let pairs = counted(statistics.counts.pairs.pairs() as usize, "pair");
        lines.push(format!(
            "{pairs} with exchanged agents: LL {ll}, LD {ld}, DD or WL {even}, WD {wd}, WW {ww}"
        ));
    }
    lines
}

/// The state of a sequential test, in one line.
pub fn sprt_line(state: &SprtState) -> String {
    let decision = match state.decision {
        SprtDecision::Continue => "goes on",
        SprtDecision::AcceptH0 => "H0 accepted",
        SprtDecision::AcceptH1 => "H1 accepted",
    };
    let [llr, lower, upper] = [state.llr, state.lower, state.upper].map(|value| rounded(value, 2));
    format!("sprt: {decision}, log-likelihood ratio {llr} ({lower} to {upper})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{MatchCounts, Pentanomial, Sprt, Trinomial};

    #[test]
    fn a_match_is_told_with_its_bounds_and_its_pairs() {
        let games = Trinomial {
            lost: 40,
            drawn: 0,
            won: 60,
        };
        let mut counts = MatchCounts {
            games,
            ..MatchCounts::default()
        };
        let lines = |counts| match_lines("a\x1b", &MatchStatistics::of(counts));
        let said = r"a\u{1b}: +70 Elo (95 %: 1 to 139), better with a likelihood of 97.7 %";
        assert_eq!(lines(counts), [said]);
        counts.paired = true;
        counts.pairs = Pentanomial::new([5, 0, 30, 0, 15]);
        let said = "50 pairs with exchanged agents: LL 5, LD 0, DD or WL 30, WD 0, WW 15";
        assert_eq!(lines(counts)[1], said);
        let state = "elo0=0,elo1=50".parse::<Sprt>().unwrap().state(&counts);
        let line = sprt_line(&state);
        assert!(
            line.starts_with("sprt: goes on, log-likelihood ratio ") && line.ends_with(" (-2.94 to 2.94)"),
            "{line}"
        );
        let all_won = MatchCounts {
            games: Trinomial {
                lost: 0,
                drawn: 0,
                won: 4,
            },
            ..MatchCounts::default()
        };
        assert!(lines(all_won)[0].contains("no finite Elo (95 %: ") && lines(all_won)[0].contains(" to +∞)"));
    }
}
