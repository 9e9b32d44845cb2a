//! How certain a ranking is, in words. It computes nothing; `console` and `report` call it.

use super::counted;
use referee_matches::tournament::{RankCertainty, RankRange};

/// The ranks that are plausible for an agent: `3`, `3–9`.
pub fn rank_range(range: RankRange) -> String {
    if range.is_settled() { range.best.to_string() } else { format!("{}–{}", range.best, range.worst) }
}

/// Which ranks are settled, and about how many more games would settle those at the top; `None` where there is nothing
/// to rank.
pub fn certainty_sentence(certainty: &RankCertainty) -> Option<String> {
    if certainty.ranked < 2 {
        return None;
    }
    let settled = stretches(certainty.settled.iter().copied());
    let open = stretches((1..=certainty.ranked).filter(|rank| !certainty.settled.contains(rank)));
    if open.is_empty() {
        return Some("at 95 %, every rank by strength is settled".to_owned());
    }
    let open_ranks = certainty.ranked as usize - certainty.settled.len();
    let settled = if settled.is_empty() {
        "no rank by strength is settled".to_owned()
    } else {
        format!(
            "{} by strength {} settled, {} {} not",
            ranks(&settled, certainty.settled.len()),
            verb(certainty.settled.len()),
            ranks(&open, open_ranks),
            verb(open_ranks),
        )
    };
    let top = match certainty.top {
        top if top == certainty.ranked => "all of them".to_owned(),
        top => format!("the top {top}"),
    };
    let forecast = match certainty.games_to_settle {
        Some(0) => return Some(format!("at 95 %, {settled}")),
        Some(games) => format!("about {} would settle {top}", counted(two_digits(games), "more game")),
        None => format!("no forecast: settling {top} would take more than 100 times the games played"),
    };
    Some(format!("at 95 %, {settled}; {forecast}"))
}

/// Some ranks with their noun: `rank 4`, `ranks 3 to 46`.
fn ranks(stretches: &[String], count: usize) -> String {
    let noun = if count == 1 { "rank" } else { "ranks" };
    format!("{noun} {}", listed(stretches))
}

const fn verb(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Ascending numbers as stretches: `1`, `3 to 9`. Two in a row are no stretch.
fn stretches(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            Some(_) | None => stretches.push((number, number)),
        }
    }
    let words = |(first, last): (u32, u32)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        2.. => vec![format!("{first} to {last}")],
    };
    stretches.into_iter().flat_map(words).collect()
}

fn listed(stretches: &[String]) -> String {
    match stretches {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A forecast is not known any better.
fn two_digits(number: u64) -> usize {
    let scale = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    usize::try_from(number.div_ceil(scale) * scale).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(settled: &[u32], ranked: u32, games_to_settle: Option<u64>) -> Option<String> {
        certainty_sentence(&RankCertainty { settled: settled.to_vec(), ranked, top: ranked.min(10), games_to_settle })
    }

    #[test]
    fn settled_and_open_ranks_are_named() {
        let said = |settled: &[u32], ranked, games| sentence(settled, ranked, games).unwrap();
        assert_eq!(sentence(&[1], 1, Some(0)), None);
        assert_eq!(said(&[1, 2, 3], 3, Some(0)), "at 95 %, every rank by strength is settled");
        assert_eq!(
            said(&[1, 2], 46, Some(1_987)),
            "at 95 %, ranks 1 and 2 by strength are settled, ranks 3 to 46 are not; about 2000 more games would \
             settle the top 10"
        );
        assert_eq!(
            said(&[], 4, None),
            "at 95 %, no rank by strength is settled; no forecast: settling all of them would take more than 100 times \
             the games played"
        );
        assert_eq!(
            said(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13], 13, Some(0)),
            "at 95 %, ranks 1 to 10 and 13 by strength are settled, ranks 11 and 12 are not"
        );
        assert_eq!(
            said(&[4], 4, Some(7)),
            "at 95 %, rank 4 by strength is settled, ranks 1 to 3 are not; about 7 more games would settle all of them"
        );
    }
}
