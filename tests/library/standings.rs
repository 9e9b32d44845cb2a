//! Standings: counting, tie-breaks, independence of the order of games, and output.

use std::collections::BTreeMap;

use proptest::prelude::*;
use referee::console::{TableForm, crosstable_text, ratings_text, standings_csv, standings_text};
use referee_games::Side;
use referee_matches::tournament::{
    Crosstable, EndCounts, RankingCriterion, RatingOptions, Standings, TieBreak, ratings,
};
use referee_messages::{OutputStyle, outside_range_line};
use referee_records::{FaultKind, GameSummary, Outcome};
use referee_time::CpuTime;
use snapbox::assert_data_eq;

use crate::games_of::{game, result};
use crate::invocation::assert_ends;

const PLAIN: TableForm = TableForm::Terminal(OutputStyle::PLAIN);

/// Games by lines such as `a + b`: who moved first, its result, against whom.
fn games(lines: &str) -> Vec<GameSummary> {
    let words = lines.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    words.enumerate().map(|(id, words)| result(id, words[0], words[2], words[1].chars().next().unwrap())).collect()
}

fn standings(games: &[GameSummary], order: &[TieBreak]) -> Standings {
    Standings::of(&Crosstable::of([], games), order)
}

/// Rank, whether it is shared, name, and what put it before the next.
fn places(standings: &Standings) -> Vec<(u32, bool, &str, Option<RankingCriterion>)> {
    let agents = standings.agents.iter();
    agents.map(|agent| (agent.rank.unwrap(), agent.shared, agent.name.as_str(), agent.ahead_by)).collect()
}

/// The values of the tie-breaks.
fn values(standings: &Standings, name: &str) -> Vec<Option<f64>> {
    let mut agents = standings.agents.iter();
    agents.find(|agent| agent.name == name).unwrap().values[1..].to_vec()
}

#[test]
fn every_way_to_win_and_to_lose_is_counted_by_itself() {
    let (black, white) = (Side::Black, Side::White);
    let forfeit = |loser, fault| Outcome::Forfeit { loser, fault };
    let outcomes = [
        Outcome::Board { winner: black },
        Outcome::DrawnByTime { winner: white },
        Outcome::DrawnByTime { winner: black },
        Outcome::DrawnBySecondMove { winner: white },
        Outcome::Drawn,
        forfeit(white, FaultKind::IllegalMove),
        forfeit(white, FaultKind::OutOfTime),
        forfeit(white, FaultKind::IllegalMove),
        forfeit(black, FaultKind::NoOutput),
    ];
    let games: Vec<GameSummary> = (0..).zip(outcomes).map(|(id, outcome)| game(id, "a", "b", outcome)).collect();
    let table = Crosstable::of([], &games);
    let (a, b) = (table.tally(0), table.tally(1));
    let ways = |board, time, second_move, forfeit| EndCounts { board, time, pieces: 0, second_move, forfeit };
    assert_eq!((a.won, a.lost), (ways(1, 1, 0, 3), ways(0, 1, 1, 1)));
    assert_eq!((b.won, b.lost, a.drawn, b.drawn), (a.lost, a.won, 1, 1));
    assert_eq!(a.forfeits, BTreeMap::from([(FaultKind::NoOutput, 1)]));
    let of_b = [(FaultKind::IllegalMove, 2), (FaultKind::OutOfTime, 1)];
    assert_eq!(b.forfeits, BTreeMap::from(of_b));
    assert_eq!((a.half_points(), b.half_points(), a.games()), (11, 7, 9));
    assert_eq!((a.moved_first, b.moved_first, a.played_black), (9, 0, 9));
    let milliseconds = CpuTime::from_millis;
    assert_eq!((a.charged, b.charged), (milliseconds(18), milliseconds(27)));
    assert_eq!((b.most_charged, b.charged_per_game()), (milliseconds(3), milliseconds(3)));
    assert_eq!((b.moves, b.charged_per_move()), (9 * 30, CpuTime::from_micros(100)));
}

#[test]
fn tie_breaks_are_asked_in_their_order_and_name_what_decided() {
    let games = games("a + b\nb + c\nb + d\nc + a\na + d\nc = d");
    let direct = standings(&games, &[TieBreak::DirectEncounter]);
    assert_eq!(
        places(&direct),
        [
            (1, false, "a", Some(RankingCriterion::TieBreak(TieBreak::DirectEncounter))),
            (2, false, "b", None),
            (3, false, "c", None),
            (4, false, "d", None),
        ]
    );
    assert_eq!((values(&direct, "a"), values(&direct, "c")), (vec![Some(1.0)], vec![None]));
    let wins = standings(&games, &[TieBreak::Wins]);
    assert_eq!(places(&wins)[..2], [(1, true, "a", None), (1, true, "b", None)]);
    assert_eq!(places(&wins)[2].0, 3);
    // a beat b (2 points) and d (1/2), b beat c (1 1/2) and d.
    let both = standings(&games, &[TieBreak::Wins, TieBreak::SonnebornBerger]);
    assert_eq!(places(&both)[0], (1, false, "a", Some(RankingCriterion::TieBreak(TieBreak::SonnebornBerger))));
    assert_eq!(values(&both, "a"), [Some(2.0), Some(2.5)]);
    assert_eq!(values(&both, "b"), [Some(2.0), Some(2.0)]);
}

#[test]
fn a_circle_shares_its_rank_and_strangers_have_no_direct_encounter() {
    let circle = standings(&games("a + b\nb + c\nc + a"), &TieBreak::ROUND_ROBIN);
    assert!(circle.agents.iter().all(|agent| agent.rank == Some(1) && agent.shared), "{circle:#?}");
    let strangers = games("a + c\nb + d\nc = e");
    let swiss = standings(&strangers, &[TieBreak::DirectEncounter, TieBreak::Buchholz]);
    // a beat c, who has half a point; b beat d, who has none.
    assert_eq!(places(&swiss)[0], (1, false, "a", Some(RankingCriterion::TieBreak(TieBreak::Buchholz))));
    assert_eq!((values(&swiss, "a"), values(&swiss, "b")), (vec![None, Some(0.5)], vec![None, Some(0.0)]));
    // An opponent of two games counts once: a met b with 2 points, c and e with 1; b met a with 2 and d with none.
    let twice = standings(&games("a + b\nb + a\nb + d\na - c\na + e\nc - e"), &[TieBreak::Buchholz]);
    assert_eq!((values(&twice, "a"), values(&twice, "b")), (vec![Some(4.0)], vec![Some(2.0)]));
}

#[test]
fn agents_without_games_are_in_the_table() {
    let table = Crosstable::of(["z", "a", "b"], &games("a + b"));
    let standings = Standings::of(&table, &TieBreak::ROUND_ROBIN);
    let names: Vec<_> = standings.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "z"]);
    let nobody = Standings::of(&Crosstable::default(), &TieBreak::ALL);
    assert_eq!((nobody.agents.len(), nobody.first_move.score), (0, None));
}

#[test]
fn the_first_move_has_the_share_of_the_points_that_it_got() {
    let lines = "a + b\n".repeat(6) + &"b = a\n".repeat(2) + &"b - a\n".repeat(2);
    let first_move = standings(&games(&lines), &[]).first_move;
    assert_eq!(first_move.score, Some(0.7));
    assert_eq!((first_move.games.first_won, first_move.games.second_won), (6, 2));
    let interval = first_move.interval;
    assert!(interval.low < 0.45 && interval.high > 0.85 && interval.low > 0.3, "{interval:?}");
}

fn any_games() -> impl Strategy<Value = Vec<GameSummary>> {
    let one = (0..6_usize, 1..6_usize, 0..3_usize);
    proptest::collection::vec(one, 0..40).prop_map(|games| {
        let names = ["a", "b", "c", "d", "e", "f"];
        let of = |(id, (first, off, letter)): (usize, (usize, usize, usize))| {
            result(id, names[first], names[(first + off) % 6], ['+', '=', '-'][letter])
        };
        games.into_iter().enumerate().map(of).collect()
    })
}

proptest! {
    #[test]
    fn any_order_of_the_games_gives_the_same_standings(
        (games, shuffled) in any_games().prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle())),
    ) {
        let here = standings(&games, &TieBreak::ALL);
        let there = standings(&shuffled, &TieBreak::ALL);
        prop_assert_eq!(here, there);
    }

    #[test]
    fn ranks_follow_from_points_and_then_from_the_tie_breaks(
        games in any_games(),
        order in Just(TieBreak::ALL.to_vec()).prop_shuffle(),
    ) {
        let standings = standings(&games, &order);
        let half_points: u32 = standings.agents.iter().map(|agent| agent.tally.half_points()).sum();
        prop_assert_eq!(half_points as usize, 2 * games.len());
        for (place, agent) in standings.agents.iter().enumerate() {
            let sum: u32 = agent.against.iter().map(|against| against.games()).sum();
            prop_assert_eq!(sum, agent.tally.games());
            prop_assert!(agent.against[place].games() == 0);
        }
        for (place, pair) in standings.agents.windows(2).enumerate() {
            let (one, next) = (&pair[0], &pair[1]);
            prop_assert!(one.points >= next.points);
            let level = one.tally.half_points() == next.tally.half_points();
            let tied = level && one.ahead_by.is_none();
            prop_assert_eq!(tied, one.rank == next.rank);
            if tied {
                prop_assert_eq!(&one.values, &next.values);
                prop_assert!(one.shared && next.shared && one.name < next.name);
            } else {
                prop_assert_eq!(next.rank.map(|rank| rank as usize), Some(place + 2));
            }
            if let Some(rule) = one.ahead_by {
                let at = 1 + order.iter().position(|other| RankingCriterion::TieBreak(*other) == rule).unwrap();
                prop_assert!(level && one.values[at] > next.values[at]);
                prop_assert_eq!(&one.values[..at], &next.values[..at]);
            }
        }
    }
}

fn shown() -> Standings {
    let mut played = games("=x|1 + b\nb + =x|1\n=x|1 = b");
    let fault = FaultKind::IllegalMove;
    played.push(game(9, "=x|1", "b", Outcome::Forfeit { loser: Side::White, fault }));
    standings(&played, &TieBreak::ROUND_ROBIN)
}

#[test]
fn a_terminal_shows_the_table_and_says_what_it_means() {
    let text = standings_text(&shown(), PLAIN);
    assert_data_eq!(&text, snapbox::file!["snapshots/standings.txt"].raw());
    let mut untimed = shown();
    for agent in &mut untimed.agents {
        (agent.tally.charged, agent.tally.most_charged) = (CpuTime::ZERO, CpuTime::ZERO);
    }
    let text = standings_text(&untimed, PLAIN);
    assert!(!text.contains("cpu"), "a time that nobody measured is none: {text}");
    let csv = standings_csv(&untimed, None);
    assert!(csv.lines().nth(1).unwrap().ends_with(",,,"), "{csv}");
    let crosstable = "   agent  1      2      points\n1  =x|1   ×      2.5/4     2.5\n2  b      1.5/4  ×         1.5\n";
    assert_eq!(crosstable_text(&shown(), PLAIN).replace(' ', ""), crosstable.replace(' ', ""));
}

/// Points grow with the number of games, and strength does not.
#[test]
fn a_rank_outside_the_range_by_strength_is_told() {
    let line = |best: &str| {
        let mut text = "black,white,winner\n".to_owned();
        let mut add = |one: &str, other: &str, [won, lost]: [usize; 2]| {
            for (count, winner) in [(won, one), (lost, other)] {
                text += &format!("{one},{other},{winner}\n{other},{one},{winner}\n").repeat(count);
            }
        };
        add("strong", "middle", [30, 3]);
        add("middle", "weak", [30, 3]);
        add(best, "weakest", [60, 3]);
        let table = Crosstable::from_csv(text.as_bytes()).unwrap();
        let standings = Standings::of(&table, &TieBreak::ROUND_ROBIN).with_certainty(&table);
        assert_eq!(standings.agents[0].name, best);
        outside_range_line(&standings, |name| format!("<{name}>"))
    };
    let told = "ranked outside the range by strength: <weak> (3), <strong> (1); a rank also depends on how many games \
        were played, and against whom";
    assert_eq!(line("weak").as_deref(), Some(told));
    assert_eq!(line("strong"), None);
}

#[test]
fn markdown_and_csv_are_safe_from_names() {
    let markdown = standings_text(&shown(), TableForm::Markdown);
    assert!(markdown.contains("| 1 | =x\\|1 | 2.5 | 4 |"), "{markdown}");
    let csv = standings_csv(&shown(), None);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let cell = |row: usize, column: &str| rows[row][head.iter().position(|title| title == column).unwrap()].to_owned();
    assert_eq!((cell(0, "agent"), cell(0, "points")), ("'=x|1".to_owned(), "2.5".to_owned()));
    assert_eq!((cell(1, "lost_by_forfeit"), cell(1, "forfeit_illegal-move")), ("1".to_owned(), "1".to_owned()));
}

#[test]
fn ratings_stand_beside_the_standings_and_their_absence_is_explained() {
    let played = games("a + b\nb + a\na + b\nbest + a\nbest + b");
    let table = Crosstable::of([], &played);
    let rated = ratings(&table, &RatingOptions { first_move: false, ..RatingOptions::default() });
    // Of a and b the one won 2 of 3: 400 log10(2) = 120 points apart, the difference with a variance of 1 / (3 x 2/9).
    let text = ratings_text(&rated, PLAIN);
    let expected = "\
agent  Elo  ±95 %  games  > next %
a       60    209      4      71.4
b      -60    209      4
best: no finite rating: won every game
";
    assert_eq!(text, expected, "{text}");
    let apart = ratings(&Crosstable::of([], &games("a + b\nb + a\nc + d\nd + c\nc + d")), &RatingOptions::default());
    let text = ratings_text(&apart, PLAIN);
    let rows: Vec<Vec<&str>> = text.lines().take(5).map(|line| line.split_whitespace().take(2).collect()).collect();
    let [head, rows @ ..] = &rows[..] else { panic!("{text}") };
    assert_eq!(head[..], ["group", "agent"]);
    assert!(rows.is_sorted_by_key(|row| row[0]) && rows[0][0] == "1" && rows[3][0] == "2", "{text}");
    let csv = standings_csv(&Standings::of(&table, &TieBreak::ROUND_ROBIN), Some(&rated));
    assert_ends(csv.lines().nth(1).unwrap(), ",,,,,,,no finite rating: won every game");
    let json = serde_json::to_value(&rated).unwrap();
    assert_eq!((&json["agents"][0]["rating"], &json["agents"][1]["rating"]), (&"won-all".into(), &"rated".into()));
}
