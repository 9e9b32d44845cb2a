//! Points by win rate, in bands: `25 points from 90 % on, 15 points x rate from 70 % on`. Pure arithmetic; gradings
//! count with it.
//!
//! A higher win rate must never earn fewer points. Without a win there must be no points except those of a band from 0
//! %.

use std::fmt;

use serde::Serialize;

use super::Points;
use referee_games::protocol::counted;

/// The common points of a criterion's games. The bands are sorted by win rate, the highest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct WinRateBands(Vec<WinRateBand>);

/// The points from a win rate up to the next higher band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WinRateBand {
    /// The lowest win rate of the band, in per cent, from 0 to 100.
    pub from: u32,
    /// The points.
    #[serde(flatten)]
    pub earns: BandPoints,
}

/// How a band computes points from a win rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BandPoints {
    /// A fixed number.
    Points(Points),
    /// This number times the win rate, which is 1 if all games are won; rounded to hundredths, halves up.
    PointsTimesRate(Points),
}

/// The games won, of a total. A game may count half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WinCount {
    /// Twice the number of games won, so that halves can be counted.
    #[serde(rename = "half_wins")]
    pub halves: u32,
    /// All games, played or not.
    pub games: u32,
}

/// A higher band earns less than a lower one, which would reward losing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandOrderError {
    /// The start of the higher band, in per cent.
    pub from: u32,
    /// Its points there.
    pub earns: Points,
    /// The points at the end of the band below.
    pub below: Points,
}

impl WinRateBands {
    /// The bands, in any order.
    ///
    /// # Errors
    ///
    /// [`BandOrderError`].
    pub fn new(mut bands: Vec<WinRateBand>) -> Result<Self, BandOrderError> {
        bands.sort_by_key(|band| std::cmp::Reverse(band.from));
        for pair in bands.windows(2) {
            let from = pair[0].from;
            let at = WinCount { halves: 2 * from, games: 100 };
            let [earns, below] = [0, 1].map(|index| pair[index].earns.at(at));
            if earns < below {
                return Err(BandOrderError { from, earns, below });
            }
        }
        Ok(Self(bands))
    }

    /// The band of these wins; `None` below the lowest.
    pub fn band(&self, wins: WinCount) -> Option<&WinRateBand> {
        let reaches = |band: &&WinRateBand| wins.scaled(100) >= u64::from(band.from) * wins.whole();
        self.0.iter().find(reaches)
    }

    /// The points for these wins.
    pub fn points(&self, wins: WinCount) -> Points {
        self.band(wins).map_or(Points::ZERO, |band| band.earns.at(wins))
    }

    /// The points for winning all games: the maximum.
    pub fn most(&self) -> Points {
        self.points(WinCount { halves: 2, games: 1 })
    }
}

impl BandPoints {
    fn at(self, wins: WinCount) -> Points {
        match self {
            Self::Points(points) => points,
            Self::PointsTimesRate(points) => {
                let whole = wins.whole().max(1);
                let rounded = (wins.scaled(points.hundredths()) + whole / 2) / whole;
                Points::from_hundredths(u32::try_from(rounded).unwrap_or(u32::MAX))
            }
        }
    }
}

impl WinCount {
    /// The win rate in per cent, rounded down to two decimals, so that it never seems to reach a band it has not
    /// reached.
    pub fn per_cent(self) -> Points {
        let hundredths = self.scaled(10_000) / self.whole().max(1);
        Points::from_hundredths(u32::try_from(hundredths).unwrap_or(u32::MAX))
    }

    fn scaled(self, by: u32) -> u64 {
        u64::from(self.halves) * u64::from(by)
    }

    fn whole(self) -> u64 {
        2 * u64::from(self.games)
    }
}

/// `73.5 of 100 games`
impl fmt::Display for WinCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let won = Points::from_hundredths(50 * self.halves);
        write!(f, "{won} of {}", counted(self.games as usize, "game"))
    }
}

/// `15 points x win rate from 70 % on`
impl fmt::Display for WinRateBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.earns {
            BandPoints::Points(points) => write!(f, "{points} {} from {} %", points.noun(), self.from),
            BandPoints::PointsTimesRate(points) => {
                write!(f, "{points} {} x win rate from {} %", points.noun(), self.from)
            }
        }
    }
}

/// All bands, the highest first: `25 points from 90 % on, 15 points x win rate from 70 % on, none below`.
impl fmt::Display for WinRateBands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bands: Vec<String> = self.0.iter().map(WinRateBand::to_string).collect();
        f.write_str(&bands.join(", "))?;
        match self.0.last() {
            Some(lowest) if lowest.from > 0 => f.write_str(", none below"),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(points: u32) -> Points {
        Points::from_hundredths(100 * points)
    }

    /// RULES.md, section 8: the bands for random and greedy, and those for aggressive and alpha-beta.
    fn little_go() -> [WinRateBands; 2] {
        let from = |from, earns| WinRateBand { from, earns };
        let (flat, rate) = (BandPoints::Points(whole(25)), |points| BandPoints::PointsTimesRate(whole(points)));
        [vec![from(90, flat), from(70, rate(15))], vec![from(0, rate(10)), from(90, flat), from(70, rate(20))]]
            .map(|bands| WinRateBands::new(bands).unwrap())
    }

    #[test]
    fn bands_begin_exactly_where_they_say() {
        let [easy, hard] = little_go();
        let points = |bands: &WinRateBands, halves| bands.points(WinCount { halves, games: 100 }).to_string();
        let cases = [
            (200, "25", "25"),
            (180, "25", "25"),
            (179, "13.43", "17.9"),
            (140, "10.5", "14"),
            (139, "0", "6.95"),
            (1, "0", "0.05"),
            (0, "0", "0"),
        ];
        for (halves, first, second) in cases {
            assert_eq!([points(&easy, halves), points(&hard, halves)], [first, second], "{halves}");
        }
        assert_eq!([easy.most(), hard.most()], [whole(25); 2]);
        assert_eq!(WinCount { halves: 179, games: 100 }.to_string(), "89.5 of 100 games");
        assert_eq!(easy.to_string(), "25 points from 90 %, 15 points x win rate from 70 %, none below");
    }

    #[test]
    fn bands_that_reward_losing_are_refused() {
        let band = |from, points| WinRateBand { from, earns: BandPoints::PointsTimesRate(whole(points)) };
        let fault = WinRateBands::new(vec![band(0, 10), band(50, 4)]).unwrap_err();
        let (from, earns, below) = (50, whole(2), whole(5));
        assert_eq!(fault, BandOrderError { from, earns, below });
        // As much as the band below is not less.
        assert!(WinRateBands::new(vec![band(0, 10), band(50, 10)]).is_ok());
    }

    proptest! {
        #[test]
        fn another_win_never_costs_a_point(games in 1_u32..300, halves in 0_u32..600) {
            let halves = halves.min(2 * games - 1);
            for bands in little_go() {
                let [now, more] = [halves, halves + 1].map(|halves| bands.points(WinCount { halves, games }));
                prop_assert!(now <= more && more <= bands.most());
            }
        }
    }
}
