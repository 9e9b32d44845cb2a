//! What ratings from the history of a real class say of games that they do not know: rounds 1 to 21 of 2021 and one
//! half of the final, against the other half. A ladder rates its versions in the same way.

use referee_matches::tournament::{Crosstable, RankRanges, Ratings, Standings, ratings, score_of_elo};

use crate::rank_ranges::{FINAL, is_in_first_half, real_games};

/// How well ratings foretell games.
#[derive(Debug, Default)]
struct Forecast {
    games: u32,
    decisive: u32,
    /// Decisive games that the agent with the higher rating won.
    right: u32,
    /// The sum of the squared errors of the expected points of a game.
    squared_error: f64,
}

impl Forecast {
    fn of(known: &Ratings, played: &Standings) -> Self {
        let mut forecast = Self::default();
        for agent in &played.agents {
            let met = played.agents.iter().zip(&agent.against);
            for (opponent, met) in met.filter(|(opponent, _)| agent.name < opponent.name) {
                let expected = score_of_elo(known.difference(&agent.name, &opponent.name).unwrap().elo);
                for (count, points) in [(met.won, 1.0), (met.drawn, 0.5), (met.lost, 0.0)] {
                    forecast.games += count;
                    forecast.squared_error += f64::from(count) * (points - expected).powi(2);
                }
                forecast.decisive += met.won + met.lost;
                forecast.right += if expected > 0.5 { met.won } else { met.lost };
            }
        }
        forecast
    }

    /// The squared error if every game is said to be worth half a point.
    fn squared_error_of_ignorance(&self) -> f64 {
        f64::from(self.decisive) / 4.0
    }
}

/// Spearman's rank correlation of two orders of the same names.
fn rank_correlation(one: &[&str], other: &[&str]) -> f64 {
    let place = |name: &str| other.iter().position(|found| *found == name).unwrap();
    let squares = one.iter().enumerate().map(|(rank, name)| place(name).abs_diff(rank).pow(2));
    let sum = u32::try_from(squares.sum::<usize>()).unwrap();
    let count = f64::from(u32::try_from(one.len()).unwrap());
    1.0 - 6.0 * f64::from(sum) / (count * (count * count - 1.0))
}

fn by_points(table: &Crosstable) -> Standings {
    Standings::of(table, &[])
}

/// The names in `standings` by rating.
fn by_rating<'a>(known: &Ratings, standings: &'a Standings) -> Vec<&'a str> {
    let mut names: Vec<&str> = standings.agents.iter().map(|agent| agent.name.as_str()).collect();
    let zero = names[0];
    names.sort_by(|one, other| {
        let elo = |name: &str| if name == zero { 0.0 } else { known.difference(name, zero).unwrap().elo };
        elo(other).total_cmp(&elo(one))
    });
    names
}

/// An order that knows nothing of the other has a rank correlation of 0 with a standard error of 1 / sqrt(46 - 1):
/// above 3.3 of them is one case in 2,000. Forecasts that know something are right more often than a coin, by the same
/// measure, and have a smaller squared error than none.
#[test]
#[ignore = "long: rates a class again and again"]
fn the_history_of_a_class_foretells_its_final() {
    let is_history = |half: bool| {
        move |round: &str, black: &str, white: &str| match round {
            // Games against the reference agent alone.
            "50" => false,
            FINAL => is_in_first_half(black, white) == half,
            _ => true,
        }
    };
    for half in [true, false] {
        let Some(history) = real_games(is_history(half)) else { return };
        let held = real_games(|round, black, white| round == FINAL && is_in_first_half(black, white) != half).unwrap();
        let played = by_points(&held);
        let known = ratings(&history, &RankRanges::OPTIONS);
        let names: Vec<&str> = played.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names.len(), 46);
        let correlation = rank_correlation(&by_rating(&known, &played), &names);
        let forecast = Forecast::of(&known, &played);
        println!("rank correlation {correlation:.3}, {forecast:?}, {:.1}", forecast.squared_error_of_ignorance());
        assert_eq!(forecast.games, 46 * 45 / 2);
        assert!(correlation > 3.3 / 45_f64.sqrt(), "{correlation}");
        let decisive = f64::from(forecast.decisive);
        assert!(f64::from(forecast.right) > decisive / 2.0 + 3.3 * decisive.sqrt() / 2.0, "{forecast:?}");
        assert!(forecast.squared_error < forecast.squared_error_of_ignorance(), "{forecast:?}");
    }
}

#[test]
fn equal_orders_correlate_and_reversed_ones_do_the_opposite() {
    let names = ["a", "b", "c", "d"];
    let reversed = ["d", "c", "b", "a"];
    assert!((rank_correlation(&names, &names) - 1.0).abs() < 1e-9);
    assert!((rank_correlation(&names, &reversed) + 1.0).abs() < 1e-9);
}
