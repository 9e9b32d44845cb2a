//! A semester on a ladder, simulated: participants of known strength hand in versions, and games end as the model of
//! the ratings says.

use std::collections::BTreeMap;

use super::*;
use crate::ladder::{LadderStanding, LadderStandings, PairScore};
use crate::tournament::{RankRange, score_of_elo};
use referee_games::Side;
use referee_records::{
    AgentRecord, Conditions, GameSummary, LadderGame, Outcome, Pairing, ParticipantRecord, PerSide, VersionRecord,
};
use referee_time::CpuTime;

const RULES: PlanRules = PlanRules { seed: 7, minimum_pairs: 10, random_percent: 20 };

/// A ladder without programs: its manifest, the true strengths in Elo points, and the results.
struct Simulation {
    manifest: Manifest,
    elo: Vec<f64>,
    history: LadderHistory,
    games: Vec<GameSummary>,
    seed: u64,
    lots: u64,
    /// The last pairs of each agent, and how long each waited for the next.
    last: BTreeMap<u32, u32>,
    waits: Vec<(u32, u32)>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let game = referee_games::GameRef::all().next().unwrap();
        let mut manifest = Manifest::new(game, Conditions::usual(game, CpuTime::from_secs(30)), RULES.seed);
        let reference = AgentRecord::participant("minimax".to_owned(), String::new(), String::new());
        manifest.agents.push(AgentRecord { role: AgentRole::Reference, ..reference });
        Self {
            manifest,
            elo: vec![0.0],
            history: LadderHistory::default(),
            games: vec![],
            seed,
            lots: 0,
            last: BTreeMap::new(),
            waits: vec![],
        }
    }

    /// A random number from 0 to 1.
    fn lot(&mut self) -> f64 {
        self.lots += 1;
        f64::from(u32::try_from(derive_seed(self.seed, &["lot", &self.lots.to_string()]) >> 32).unwrap())
            / f64::from(u32::MAX)
    }

    /// A participant hands in a version of this strength.
    fn hand_in(&mut self, name: &str, elo: f64) -> u32 {
        let agent = u32::try_from(self.elo.len()).unwrap();
        let known = self.manifest.participants.iter_mut().find(|one| one.name == name);
        let participant = if let Some(participant) = known {
            participant
        } else {
            let (name, key) = (name.to_owned(), name.to_owned());
            let new = ParticipantRecord { name, key, withdrawn: false, not_taken_in: None, versions: vec![] };
            self.manifest.participants.push(new);
            self.manifest.participants.last_mut().unwrap()
        };
        if let Some(before) = participant.active() {
            self.last.remove(&before);
        }
        let number = u32::try_from(participant.versions.len()).unwrap() + 1;
        let since_pair = self.history.last_sequence();
        let admission = AdmissionRecord::Admitted { agent, since_pair };
        participant.versions.push(VersionRecord { number, digest: None, received_unix_s: 0, admission });
        let name = participant.agent_name(number);
        self.manifest.agents.push(AgentRecord::participant(name, String::new(), String::new()));
        self.elo.push(elo);
        self.last.insert(agent, since_pair);
        agent
    }

    fn plan(&mut self, begun: &[LadderPair]) -> LadderPair {
        next_pair(&LadderField::of(&self.manifest), &mut self.history, begun, RULES).unwrap()
    }

    /// Plays a pair of games.
    fn play(&mut self, pair: LadderPair) {
        let mut score = PairScore::default();
        for game in pair.games() {
            let [one, other] = pair.agents.map(|agent| self.elo[usize::try_from(agent).unwrap()]);
            let one_won = self.lot() < score_of_elo(one - other);
            score = PairScore {
                half_points: score.half_points + 2 * u32::from(one_won),
                games: score.games + 1,
                ..PairScore::default()
            };
            self.games.push(self.summary(game, one_won));
        }
        self.history.add_score(pair, score);
        for agent in pair.agents {
            if let Some(before) = self.last.insert(agent, pair.sequence).filter(|_| agent != 0) {
                self.waits.push((agent, pair.sequence.saturating_sub(before)));
            }
        }
    }

    fn summary(&self, game: LadderGame, one_won: bool) -> GameSummary {
        let Pairing { id, black, white, first, .. } = game.pairing(&self.manifest).unwrap();
        let one = &self.manifest.agents[usize::try_from(game.pair.agents[0]).unwrap()].name;
        let winner = if (black == *one) == one_won { Side::Black } else { Side::White };
        GameSummary::of_result(id, PerSide { black, white }, first, Outcome::Board { winner })
    }

    fn standings(&self) -> LadderStandings {
        LadderStandings::of(&self.manifest, &self.games, None)
    }

    /// The true rank of each version that plays, with the ranks that the standings hold for possible.
    fn ranks(&self) -> BTreeMap<String, (u32, Option<RankRange>)> {
        let standings = self.standings();
        let elo = |one: &LadderStanding| {
            let agent = &one.active().unwrap().agent;
            self.elo[self.manifest.agents.iter().position(|known| known.name == *agent).unwrap()]
        };
        let rank = |own: &LadderStanding| {
            let better = standings.participants.iter().filter(|one| elo(one) > elo(own)).count();
            (u32::try_from(better).unwrap() + 1, own.plausible_ranks)
        };
        standings.participants.iter().map(|one| (one.name.clone(), rank(one))).collect()
    }
}

/// `participants` hand in `versions` each, at random moments of a semester of so many pairs, each better than the last
/// on the whole.
fn semester(seed: u64, participants: usize, versions: usize, pairs: usize) -> Simulation {
    let mut simulation = Simulation::new(seed);
    let mut due: Vec<(usize, usize)> = vec![];
    for participant in 0..participants {
        due.push((0, participant));
        for _ in 1..versions {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "small"
            )]
            let moment = (simulation.lot() * pairs as f64) as usize;
            due.push((moment, participant));
        }
    }
    due.sort_unstable();
    let mut due = due.into_iter().peekable();
    let mut strengths: Vec<f64> = (0..participants).map(|_| 600.0 * simulation.lot() - 300.0).collect();
    let mut begun: Vec<LadderPair> = vec![];
    for moment in 0..pairs {
        while let Some((_, participant)) = due.next_if(|(at, _)| *at <= moment) {
            strengths[participant] += 150.0 * simulation.lot() - 30.0;
            simulation.hand_in(&format!("p{participant:02}"), strengths[participant]);
        }
        // Two games at a time: one ends after the next has begun.
        begun.push(simulation.plan(&begun));
        if begun.len() > 1 {
            let ended = begun.remove(0);
            simulation.play(ended);
        }
    }
    for pair in begun {
        simulation.play(pair);
    }
    simulation
}

/// 50 participants with 10 versions each, and 25,000 games.
#[test]
fn a_semester_is_fair_and_whoever_is_late_climbs() {
    let mut simulation = semester(2, 50, 10, 12_500);
    let waits: Vec<u32> = simulation.waits.iter().map(|(_, wait)| *wait).collect();
    let (longest, sum) = (waits.iter().max().copied().unwrap(), waits.iter().map(|wait| u64::from(*wait)).sum::<u64>());
    // Twice the mean is promised; without pairs of two who have waited it would be reached.
    assert!(10 * u64::from(longest) * waits.len() as u64 <= 19 * sum, "{longest} of {sum} by {}", waits.len());
    // On the last day the weakest hands in the best.
    let before = simulation.history.last_sequence();
    let agent = simulation.hand_in("p03", 900.0);
    while simulation.history.rated_pairs_of(agent) < RULES.minimum_pairs {
        let pair = simulation.plan(&[]);
        simulation.play(pair);
    }
    let (rank, range) = simulation.ranks()["p03"];
    let range = range.unwrap();
    assert!(range.best <= rank && rank <= range.worst && range.worst < 35, "{rank} {range:?}");
    assert!(simulation.history.last_sequence() - before < 50, "others went first for too long");
}

#[test]
fn ranges_contain_the_true_rank_in_95_of_100_cases() {
    let semesters = (10..20).map(|seed| semester(seed, 20, 4, 1500).ranks());
    let all: Vec<(u32, Option<RankRange>)> = semesters.flat_map(BTreeMap::into_values).collect();
    let is_covered = |(rank, range): &&(u32, Option<RankRange>)| {
        range.is_some_and(|range| range.best <= *rank && *rank <= range.worst)
    };
    let covered = all.iter().filter(is_covered).count();
    assert!(covered * 100 >= all.len() * 95, "{covered} of {}", all.len());
}

#[test]
fn a_killed_process_plans_the_same_pair_again() {
    let mut simulation = semester(3, 8, 3, 150);
    for _ in 0..60 {
        let begun = [simulation.plan(&[])];
        let next = simulation.plan(&begun);
        // All that a new process has are the records and the claims, in any order.
        let mut again = LadderHistory::default();
        let pairs: Vec<LadderPair> =
            simulation.games.iter().map(|game| game.id.parse::<LadderGame>().unwrap().pair).collect();
        for pair in pairs.iter().rev() {
            again.add_score(*pair, simulation.history.score(*pair).unwrap());
        }
        let field = LadderField::of(&simulation.manifest);
        assert_eq!(next_pair(&field, &mut again, &begun, RULES), Some(next));
        let game = next.games()[1];
        let one_won = simulation.lot() < 0.5;
        // Half of a pair is known, and the other half is being played.
        again.add_score(next, PairScore { half_points: 2 * u32::from(one_won), games: 1, ..PairScore::default() });
        assert_eq!(
            next_pair(&field, &mut again, &begun, RULES).map(|pair| pair.sequence),
            Some(next.sequence + 1),
            "{game}"
        );
        simulation.play(begun[0]);
        simulation.play(next);
    }
}

#[test]
fn leaders_meet_again_but_nobody_meets_one_opponent_twice_in_a_row() {
    let mut simulation = semester(4, 12, 1, 1000);
    let mut last: BTreeMap<u32, u32> = BTreeMap::new();
    let mut meetings: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for _ in 0..1000 {
        let pair = simulation.plan(&[]);
        for agent in pair.agents {
            let opponent = pair.opponent_of(agent).unwrap();
            assert_ne!(last.insert(agent, opponent), Some(opponent), "{pair:?}");
        }
        *meetings.entry(pair.agents).or_default() += 1;
        simulation.play(pair);
    }
    let mut by_strength: Vec<u32> = (1..=12).collect();
    by_strength.sort_by(|one, other| simulation.elo[*other as usize].total_cmp(&simulation.elo[*one as usize]));
    let leaders = [by_strength[0].min(by_strength[1]), by_strength[0].max(by_strength[1])];
    let apart = [by_strength[0].min(by_strength[11]), by_strength[0].max(by_strength[11])];
    let times = |pair: [u32; 2]| meetings.get(&pair).copied().unwrap_or(0);
    assert!(times(leaders) > 2 * times(apart).max(5), "{} {}", times(leaders), times(apart));
}

#[test]
fn a_version_without_a_game_has_no_rating_and_requests_count_for_none() {
    let mut simulation = semester(5, 4, 1, 40);
    let agent = simulation.hand_in("late", 500.0);
    let own = |simulation: &Simulation| {
        let standings = simulation.standings();
        standings.participants.iter().find(|one| one.name == "late").unwrap().clone()
    };
    assert_eq!((own(&simulation).rank, own(&simulation).rating()), (None, None));
    let before = simulation.standings();
    for sequence in 41..60 {
        simulation.play(LadderPair { sequence, agents: [1, agent], rated: false });
    }
    assert_eq!(simulation.standings(), before);
    // The reference is among the first opponents, and no other comes twice.
    let mut opponents = vec![];
    while simulation.history.rated_pairs_of(agent) < 4 {
        let pair = simulation.plan(&[]);
        opponents.extend(pair.opponent_of(agent));
        simulation.play(pair);
    }
    opponents.sort_unstable();
    assert!(opponents.contains(&0), "{opponents:?}");
    opponents.dedup();
    assert_eq!(opponents.len(), 4);
}

#[test]
fn those_who_have_left_are_not_paired_and_one_alone_waits() {
    let mut simulation = semester(6, 3, 2, 30);
    let old: Vec<u32> = simulation.manifest.participants.iter().filter_map(|one| one.agents().next()).collect();
    simulation.manifest.participants[0].withdrawn = true;
    let withdrawn: Vec<u32> = simulation.manifest.participants[0].agents().collect();
    for _ in 0..30 {
        let pair = simulation.plan(&[]);
        assert!(!pair.agents.iter().any(|agent| old.contains(agent) || withdrawn.contains(agent)), "{pair:?}");
        simulation.play(pair);
    }
    for participant in &mut simulation.manifest.participants {
        participant.withdrawn = true;
    }
    let field = LadderField::of(&simulation.manifest);
    assert_eq!(next_pair(&field, &mut simulation.history, &[], RULES), None);
}

#[test]
fn what_was_known_earlier_can_be_computed_again() {
    let mut simulation = semester(7, 5, 2, 60);
    let known = simulation.standings();
    let last = known.last_pair;
    for _ in 0..40 {
        let pair = simulation.plan(&[]);
        simulation.play(pair);
    }
    simulation.hand_in("late", 0.0);
    let version = simulation.manifest.participants[0].name.clone();
    simulation.hand_in(&version, 900.0);
    let now = simulation.standings();
    assert_ne!(now, known);
    assert!(now.participants.iter().any(|one| one.name == "late"));
    assert_eq!(LadderStandings::of(&simulation.manifest, &simulation.games, Some(last)), known);
    // The ranks before are those that were known then.
    let before = now.compared_with.unwrap();
    assert_eq!(before, now.last_pair - (5 * 6_u32).div_ceil(2));
    let then = LadderStandings::of(&simulation.manifest, &simulation.games, Some(before));
    for one in &now.participants {
        let rank = then.participants.iter().find(|other| other.name == one.name).and_then(|other| other.rank);
        assert_eq!(one.rank_before, rank, "{}", one.name);
    }
    // The order in which games are read changes nothing.
    let mut backwards = simulation.games.clone();
    backwards.reverse();
    assert_eq!(LadderStandings::of(&simulation.manifest, &backwards, None), simulation.standings());
}
