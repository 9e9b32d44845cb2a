//! What a competition of 500 agents asks of a cluster, simulated: `cargo bench --bench slurm_simulation`.
//!
//! No game is played. The cost of one comes from the competition of 2021: 700 CPU hours for 18,142 games, 138.9 s each,
//! spread as in the sample of its games (`checkers-2021-sample.jsonl`: the quantiles below were read from it once).
//! What a shard asks of the file system is counted from the code of `crates/matches/src/shards` and `crates/records/src`. Everything is
//! determined by the seed; `README.md` beside this file says what follows from the figures.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const AGENTS: usize = 500;

/// What a game costs in the mean, in seconds of CPU time.
const MEAN_GAME_S: f64 = 700.0 * 3600.0 / 18_142.0;

/// Mean CPU seconds a move of the 107 agents in the sample, every twentieth.
const SECONDS_A_MOVE: [f64; 21] = [
    0.018, 0.031, 0.054, 0.102, 0.139, 0.243, 0.325, 0.518, 0.767, 1.067, 1.366, 2.09, 2.604, 3.373, 3.966, 4.427,
    4.663, 5.97, 7.799, 11.786, 37.324,
];

/// Plies of the 380 games in the sample, every twentieth.
const PLIES: [f64; 21] = [
    2.0, 15.0, 30.0, 41.0, 45.0, 48.0, 51.0, 56.0, 62.0, 72.0, 80.0, 87.0, 91.0, 96.0, 102.0, 113.0, 125.0, 137.0,
    151.0, 170.0, 273.0,
];

/// Both sides' play time: no game costs more.
const LONGEST_GAME_S: f64 = 600.0;

/// A record of 62 turns has 17 KB (the measurement is in `README.md`), and a game of 2021 had 67.4 in the mean.
const RECORD_BYTES: f64 = 17_000.0 / 62.0 * 67.4;

/// Names in one answer of a network file system that lists a folder.
const NAMES_AN_ANSWER: f64 = 1_000.0;

/// What a shard asks of the file system, in requests that change or look up names and attributes.
struct Habits {
    name: &'static str,
    /// Between two touches of a claim.
    heartbeat_s: f64,
    /// How many claims of others are watched before a shard goes home; it lists the folders again after each 256.
    watched: usize,
    /// For each look at a claim: open, attributes, close; and the file that tells the time.
    requests_a_look: f64,
    /// For each game, to keep its record: attributes, create, link, unlink, commit; or append to a file that is open.
    requests_a_record: f64,
    /// How many files there are in the end, where that is not one a game.
    files: Option<usize>,
}

const HABITS: [Habits; 4] = [
    Habits {
        name: "as first built",
        heartbeat_s: 10.0,
        watched: usize::MAX,
        requests_a_look: 6.0,
        requests_a_record: 5.0,
        files: None,
    },
    Habits {
        name: "one file a shard",
        heartbeat_s: 10.0,
        watched: usize::MAX,
        requests_a_look: 6.0,
        requests_a_record: 1.0,
        files: Some(0),
    },
    Habits {
        name: "8 watched",
        heartbeat_s: 10.0,
        watched: 8,
        requests_a_look: 6.0,
        requests_a_record: 5.0,
        files: None,
    },
    Habits {
        name: "8 watched, touched each 50 s",
        heartbeat_s: 50.0,
        watched: 8,
        requests_a_look: 6.0,
        requests_a_record: 5.0,
        files: None,
    },
];

fn main() {
    let mut lots = Lots(2021);
    let class = Class::new(&mut lots);
    let robin = class.round_robin(&mut lots);
    let rounds: Vec<Vec<f64>> = (0..20).map(|_| class.random_round(&mut lots)).collect();
    show_games(&robin);
    for (name, workload) in [("round robin", std::slice::from_ref(&robin)), ("20 random rounds", &rounds[..])] {
        for cores in [16, 256, 4_096] {
            show_schedules(name, workload, cores);
        }
    }
    for cores in [16, 256, 4_096] {
        show_requests(&robin, cores);
    }
    show_limits(&class, &mut lots);
}

/// `SplitMix64` (Steele, Lea, Flood 2014): the same numbers everywhere and for ever.
struct Lots(u64);

impl Lots {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below 1.
    fn share(&mut self) -> f64 {
        as_f64(self.next() >> 11) / as_f64(1 << 53)
    }

    /// From a distribution by its quantiles, in equal steps.
    fn quantile(&mut self, quantiles: &[f64; 21]) -> f64 {
        let place = self.share() * 20.0;
        let below = (0..20).rev().find(|&index| as_f64(index) <= place).unwrap_or(0);
        let index = usize::try_from(below).unwrap_or(0);
        let part = place - as_f64(below);
        quantiles[index] + part * (quantiles[index + 1] - quantiles[index])
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(0));
        }
    }
}

/// Counts stay far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts here are far below 2^53")]
const fn as_f64(count: u64) -> f64 {
    count as f64
}

/// Agents, each with its own pace.
struct Class {
    seconds_a_move: Vec<f64>,
    scale: f64,
}

impl Class {
    fn new(lots: &mut Lots) -> Self {
        let seconds_a_move = (0..AGENTS).map(|_| lots.quantile(&SECONDS_A_MOVE)).collect();
        let mut class = Self { seconds_a_move, scale: 1.0 };
        // The cap makes the mean no simple function of the scale, so it is approached.
        for _ in 0..20 {
            let mut trial = Lots(1);
            let mean = (0..50_000).map(|_| class.any_game(&mut trial)).sum::<f64>() / 50_000.0;
            class.scale *= MEAN_GAME_S / mean;
        }
        class
    }

    fn game(&self, one: usize, other: usize, lots: &mut Lots) -> f64 {
        let plies = lots.quantile(&PLIES);
        let pace = f64::midpoint(self.seconds_a_move[one], self.seconds_a_move[other]);
        (plies * pace * self.scale).min(LONGEST_GAME_S)
    }

    fn any_game(&self, lots: &mut Lots) -> f64 {
        let lot = |lots: &mut Lots| usize::try_from(lots.next() % AGENTS as u64).unwrap_or(0);
        let (one, other) = (lot(lots), lot(lots));
        self.game(one, other, lots)
    }

    /// The two games of a pair, one after the other.
    fn pair(&self, one: usize, other: usize, lots: &mut Lots) -> f64 {
        self.game(one, other, lots) + self.game(one, other, lots)
    }

    /// Everybody against everybody, a pair each, in the order of the plan: by the circle method, so that an agent's
    /// games are spread.
    fn round_robin(&self, lots: &mut Lots) -> Vec<f64> {
        let mut circle: Vec<usize> = (0..AGENTS).collect();
        let mut pairs = Vec::with_capacity(AGENTS * (AGENTS - 1) / 2);
        for _ in 1..AGENTS {
            pairs.extend((0..AGENTS / 2).map(|place| self.pair(circle[place], circle[AGENTS - 1 - place], lots)));
            circle[1..].rotate_right(1);
        }
        pairs
    }

    /// Everybody against five others in two pairs each.
    fn random_round(&self, lots: &mut Lots) -> Vec<f64> {
        let mut order: Vec<usize> = (0..AGENTS).collect();
        let mut pairs = vec![];
        for _ in 0..5 {
            lots.shuffle(&mut order);
            let encounters = order.chunks_exact(2).map(|two| (two[0], two[1]));
            for (one, other) in encounters.collect::<Vec<_>>() {
                pairs.extend([self.pair(one, other, lots), self.pair(one, other, lots)]);
            }
        }
        pairs
    }
}

/// How the cores came to the end of a round.
struct Schedule {
    /// When each found nothing to do any more, ascending.
    ends: Vec<f64>,
}

impl Schedule {
    fn makespan(&self) -> f64 {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Core seconds between the first end and the last.
    fn idle(&self) -> f64 {
        self.ends.iter().map(|end| self.makespan() - end).sum()
    }
}

/// Each core plays every `cores`-th pair, and goes home.
fn fixed(pairs: &[f64], cores: usize) -> Schedule {
    let mut ends = vec![0.0; cores];
    for (index, pair) in pairs.iter().enumerate() {
        ends[index % cores] += pair;
    }
    ends.sort_by(f64::total_cmp);
    Schedule { ends }
}

/// Each core plays its own share, then takes pairs of others, from the ends of their shares (`Share::order`).
fn taking_over(pairs: &[f64], cores: usize) -> Schedule {
    let mut shares: Vec<VecDeque<f64>> = vec![VecDeque::new(); cores];
    for (index, pair) in pairs.iter().enumerate() {
        shares[index % cores].push_back(*pair);
    }
    // In microseconds, which can be ordered. Each core remembers whose share it is at: none ever grows.
    let mut clock: BinaryHeap<Reverse<(u64, usize)>> = (0..cores).map(|core| Reverse((0, core))).collect();
    let mut apart = vec![0; cores];
    let mut ends = vec![];
    while let Some(Reverse((now, core))) = clock.pop() {
        let next = loop {
            let owner = (core + apart[core]) % cores;
            let found = if apart[core] == 0 { shares[owner].pop_front() } else { shares[owner].pop_back() };
            if found.is_some() || apart[core] + 1 == cores {
                break found;
            }
            apart[core] += 1;
        };
        match next {
            Some(seconds) => clock.push(Reverse((now + microseconds(seconds), core))),
            None => ends.push(as_f64(now) / 1e6),
        }
    }
    Schedule { ends }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and far below 2^53")]
fn microseconds(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

fn show_games(robin: &[f64]) {
    let mut sorted = robin.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |percent: usize| sorted[(sorted.len() - 1) * percent / 100];
    let total: f64 = robin.iter().sum();
    println!(
        "round robin: {} games, {:.0} core hours; seconds a pair: median {:.0}, 95 % {:.0}, most {:.0}",
        robin.len() * 2,
        total / 3600.0,
        at(50),
        at(95),
        at(100)
    );
    let bytes = as_f64(robin.len() as u64 * 2) * RECORD_BYTES;
    println!("records: {:.1} KB a game, {:.1} GB\n", RECORD_BYTES / 1e3, bytes / 1e9);
    println!("| workload | cores | shares | hours | lower bound | idle core hours at the end | share of all |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
}

fn show_schedules(name: &str, rounds: &[Vec<f64>], cores: usize) {
    type Scheduler = fn(&[f64], usize) -> Schedule;
    for (how, scheduler) in [("fixed", fixed as Scheduler), ("left-overs taken", taking_over)] {
        let schedules: Vec<Schedule> = rounds.iter().map(|round| scheduler(round, cores)).collect();
        let hours = schedules.iter().map(Schedule::makespan).sum::<f64>() / 3600.0;
        let idle = schedules.iter().map(Schedule::idle).sum::<f64>() / 3600.0;
        let work: f64 = rounds.iter().flatten().sum::<f64>() / 3600.0;
        println!(
            "| {name} | {cores} | {how} | {hours:.2} | {:.2} | {idle:.0} | {:.1} % |",
            work / as_f64(cores as u64),
            100.0 * idle / (idle + work)
        );
    }
}

/// What the file system is asked, if each core is a shard of its own: a shard with several jobs asks as much at the
/// start and at the end as a shard with one.
fn show_requests(pairs: &[f64], cores: usize) {
    let schedule = taking_over(pairs, cores);
    let games = as_f64(pairs.len() as u64 * 2);
    let listing = games / NAMES_AN_ANSWER;
    if cores == 16 {
        println!(
            "\n| cores | design | files | requests at the start | per second while playing | total at the end | \
             per second at the end |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- |");
    }
    for habits in &HABITS {
        let work: f64 = pairs.iter().sum();
        // Claimed, looked for and touched before each game, released; a touch asks for the attributes, too.
        let a_pair = 1.0 + 2.0 * (2.0 + 1.0 + habits.requests_a_record) + 4.0;
        let playing = as_f64(pairs.len() as u64) * a_pair + work / habits.heartbeat_s * 2.0;
        let mut ending = 0.0;
        for (ended, _) in schedule.ends.iter().enumerate() {
            // As many pairs are in the hands of others as cores have not ended; each is looked at until it was touched.
            let live_feed = cores - 1 - ended;
            let watched = live_feed.min(habits.watched);
            let looks = 1.0 + habits.heartbeat_s / 5.0 * 0.75;
            ending += as_f64(watched as u64) * looks * habits.requests_a_look;
            ending += as_f64(1 + watched as u64 / 256) * listing;
        }
        let end_s = schedule.makespan() - schedule.ends[0];
        println!(
            "| {cores} | {} | {} | {:.0} | {:.0} | {:.0} | {:.0} |",
            habits.name,
            habits.files.map_or(pairs.len() * 2, |_| cores),
            as_f64(cores as u64) * listing,
            playing / schedule.makespan(),
            ending,
            ending / end_s
        );
    }
}

/// What time limits cost: games that are in hand at the notice and not over within the grace are played again.
fn show_limits(class: &Class, lots: &mut Lots) {
    println!("\n| time limit | grace period | games dropped | CPU time lost |");
    println!("| --- | --- | --- | --- |");
    for (name, limit_s) in [("1 hour", 3_600.0), ("4 hours", 14_400.0), ("24 hours", 86_400.0)] {
        for grace_s in [0.0, 60.0, 300.0] {
            let (mut games, mut dropped, mut lost, mut used) = (0_u64, 0_u64, 0.0, 0.0);
            for _ in 0..2_000 {
                let notice = limit_s - grace_s - 60.0;
                let mut now = 0.0;
                while now < notice {
                    let game = class.any_game(lots);
                    if now + game > notice + grace_s {
                        dropped += 1;
                        lost += notice + grace_s - now;
                    } else {
                        games += 1;
                        used += game;
                    }
                    now += game;
                }
            }
            println!(
                "| {name} | {grace_s:.0} s | {:.2} % | {:.2} % |",
                100.0 * as_f64(dropped) / as_f64(games + dropped),
                100.0 * lost / (lost + used)
            );
        }
    }
}
