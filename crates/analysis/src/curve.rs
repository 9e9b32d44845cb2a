//! The curve that turns the value of a position into an expected score. Plain data, with its origin; [`super::fit()`]
//! makes it.
//!
//! It must be monotone, and symmetric: what one side expects, and what the other one does, add up to one. Only sums,
//! products and quotients are used, which are the same on every machine.

use referee_games::builtin::NodeLimit;
use referee_games::{GameId, GameRef};
use referee_records::digest_of_record;
use serde::{Deserialize, Serialize};

/// A fitted curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpectedScoreCurve {
    /// The version of this format.
    pub schema: u32,
    /// The game, with its rules.
    #[serde(flatten)]
    pub game: GameId,
    /// The agents that played the games, on both sides.
    pub agents: String,
    /// The nodes of the search that valued their positions: an analysis searches as long, unless it is told otherwise.
    pub nodes: u64,
    /// The random seed of the games.
    pub seed: u64,
    /// The number of games to which the curve was fitted.
    pub games: u32,
    /// The number of other games on which its error was measured.
    pub held_out: u32,
    /// Its mean squared error (Brier score) on the positions of those.
    pub brier: f64,
    /// The error of the best constants for groups of their values, which are known only afterwards: no curve of the
    /// value alone can be much better.
    pub brier_of_bins: f64,
    /// Values from 0 on, with the expected score of the side that has them; lines connect them.
    pub points: Vec<(i32, f64)>,
}

/// Why a text is no curve.
#[derive(Debug, thiserror::Error)]
pub enum CurveError {
    /// It is not JSON, or not of this form.
    #[error("not a curve of expected scores: {0}")]
    Format(#[from] serde_json::Error),
    /// It is of another game, or of other rules.
    #[error("the curve is of `{}`{}, not of {wanted}", .found.name, rules_of(.found))]
    OtherGame {
        /// Its game.
        found: GameId,
        /// The game that is analyzed.
        wanted: GameRef,
    },
    /// Values or scores are not in order.
    #[error("the points of the curve must have rising values from 0 on, and scores from 0.5 to 1 that never fall")]
    Points,
    /// No search has so many nodes.
    #[error("`nodes` must be from 1 to {}", NodeLimit::MAX)]
    Nodes,
}

/// What distinguishes the rules of a game, for a message.
fn rules_of(game: &GameId) -> String {
    let variant = game.rules.as_ref().map(|rules| format!(" ({rules})"));
    let program = game.rules_program.as_ref().map(|digest| format!(" with the rules program {digest:.12}"));
    [variant, program].into_iter().flatten().collect()
}

/// The version of the format.
pub(super) const CURVE_SCHEMA: u32 = 1;

/// The score of an even position, and the start of every curve.
const EVEN: (i32, f64) = (0, 0.5);

impl ExpectedScoreCurve {
    /// The curve that comes with `game`; `None` for a game whose rules are a program of their own.
    pub fn of_game(game: GameRef) -> Option<Self> {
        let text = game.expected_score_curve()?;
        Some(Self::read(text, game).expect("the curves of this program are tested"))
    }

    /// Reads a curve for `game`.
    ///
    /// # Errors
    ///
    /// [`CurveError`].
    pub fn read(text: &str, game: GameRef) -> Result<Self, CurveError> {
        let curve: Self = serde_json::from_str(text)?;
        if curve.game != game.id() {
            return Err(CurveError::OtherGame { found: curve.game, wanted: game });
        }
        let from_even: Vec<(i32, f64)> = [EVEN].into_iter().chain(curve.points.iter().copied()).collect();
        let rises = from_even.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
        let is_score = curve.points.iter().all(|&(_, score)| (0.5..=1.0).contains(&score));
        if !(rises && is_score) {
            return Err(CurveError::Points);
        }
        if NodeLimit::new(curve.nodes).is_some() { Ok(curve) } else { Err(CurveError::Nodes) }
    }

    /// The nodes of the search whose values it turns into scores.
    pub fn node_limit(&self) -> NodeLimit {
        NodeLimit::new(self.nodes).expect("a curve that is read or fitted has a limit")
    }

    /// The text of its file: one line for each point.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(&Self { points: Vec::new(), ..self.clone() }).unwrap_or_default();
        let points: Vec<String> = self.points.iter().map(|(value, score)| format!("    [{value}, {score}]")).collect();
        text = text.replace("\"points\": []", &format!("\"points\": [\n{}\n  ]", points.join(",\n")));
        text.push('\n');
        text
    }

    /// The digest of everything in it.
    pub fn digest(&self) -> String {
        digest_of_record(self.to_text().as_bytes())
    }

    /// The expected score, from 0 to 1, of the side for which a position has `value`.
    pub fn expected(&self, value: i32) -> f64 {
        let of_leader = self.expected_of_leader(value.saturating_abs());
        if value < 0 { 1.0 - of_leader } else { of_leader }
    }

    fn expected_of_leader(&self, value: i32) -> f64 {
        let after = self.points.partition_point(|&(known, _)| known < value);
        let before = after.checked_sub(1).map_or(EVEN, |index| self.points[index]);
        let Some(&next) = self.points.get(after) else { return before.1 };
        let width = f64::from(next.0 - before.0);
        if width <= 0.0 { next.1 } else { before.1 + (next.1 - before.1) * f64::from(value - before.0) / width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkers() -> GameRef {
        "checkers".parse().unwrap()
    }

    fn curve(points: &[(i32, f64)]) -> ExpectedScoreCurve {
        ExpectedScoreCurve {
            schema: CURVE_SCHEMA,
            game: checkers().id(),
            agents: "builtin:random".to_owned(),
            nodes: 1,
            seed: 0,
            games: 1,
            held_out: 1,
            brier: 0.25,
            brier_of_bins: 0.25,
            points: points.to_vec(),
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "these numbers are exact in binary")]
    fn lines_connect_the_points_and_the_sides_add_up() {
        let curve = curve(&[(100, 0.75), (200, 0.875)]);
        let expected = [-300, -200, -100, -50, 0, 50, 100, 150, 200, i32::MAX].map(|value| curve.expected(value));
        assert_eq!(expected, [0.125, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.8125, 0.875, 0.875]);
    }

    #[test]
    fn a_curve_is_read_as_it_is_written() {
        let game = checkers();
        let written = curve(&[(100, 0.75), (200, 0.875)]);
        assert_eq!(ExpectedScoreCurve::read(&written.to_text(), game).unwrap(), written);
        for points in [&[(-1, 0.75)][..], &[(100, 0.4)], &[(200, 0.6), (100, 0.7)], &[(100, 0.7), (200, 0.6)]] {
            let read = ExpectedScoreCurve::read(&curve(points).to_text(), game);
            assert!(matches!(read, Err(CurveError::Points)), "{points:?}");
        }
        let read = ExpectedScoreCurve::read(&written.to_text().replace("\"nodes\": 1,", "\"nodes\": 0,"), game);
        assert!(matches!(read, Err(CurveError::Nodes)), "{read:?}");
        let halma: GameRef = "halma".parse().unwrap();
        let read = ExpectedScoreCurve::read(&written.to_text(), halma);
        assert_eq!(read.unwrap_err().to_string(), "the curve is of `checkers`, not of Halma (addendum)");
    }
}
