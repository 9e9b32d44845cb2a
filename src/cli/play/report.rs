//! The output of `referee play` after the games. It computes nothing that `tournament` computes.

use std::collections::BTreeSet;

use crate::cli::Failure;
use crate::cli::events::EventLog;
use crate::cli::forfeits::Forfeits;
use crate::console::{Stream, Terminal, match_lines, sprt_line};
use crate::runs::PlayedMatch;
use referee_matches::tournament::{
    Crosstable, MatchCounts, MatchStatistics, SequentialTest, Sprt, SprtDecision, Tally,
};
use referee_messages::{counted, plain};
use referee_records::{GameSummary, Manifest, RunFolder};

/// Prints the score of the agents from the records of the run, the statistics of each match, and forfeits.
pub(super) fn report(PlayedMatch { folder, manifest, tests }: &PlayedMatch, events: &EventLog) -> Result<(), Failure> {
    let mut games = Vec::new();
    let mut forfeits = Forfeits::default();
    for summary in folder.summaries(manifest) {
        let summary = summary?;
        forfeits.add(&summary);
        games.push(summary);
    }
    let needless = leave_out_needless(&mut games, tests);
    let mut lines = score_lines(manifest, &games);
    lines.extend(difference_lines(manifest, &games, tests));
    if needless > 0 {
        lines.push(format!("{} finished after the test was decided: not counted", counted(needless, "game")));
    }
    lines.push(format!("records: {}", folder.path().display()));
    lines.extend(forfeits.lines(folder, Terminal::of(Stream::Stdout).look())?);
    events.say(&(lines.join("\n") + "\n"))
}

/// Drops the games that the tests did not count, if there are tests; says how many.
fn leave_out_needless(games: &mut Vec<GameSummary>, tests: &[SequentialTest]) -> usize {
    if tests.is_empty() {
        return 0;
    }
    let counted = tests.iter().flat_map(SequentialTest::counted).flatten();
    let counted: BTreeSet<&str> = counted.map(String::as_str).collect();
    let all = games.len();
    games.retain(|game| counted.contains(game.id.as_str()));
    all - games.len()
}

/// The score after the games of a person.
pub(super) fn score_of(folder: &RunFolder, manifest: &Manifest) -> Result<Vec<String>, Failure> {
    let games: Vec<GameSummary> = folder.summaries(manifest).collect::<Result<_, _>>()?;
    Ok(score_lines(manifest, &games))
}

fn score_lines(manifest: &Manifest, games: &[GameSummary]) -> Vec<String> {
    let score = Crosstable::of(manifest.agents.iter().map(|agent| agent.name.as_str()), games);
    score.names().iter().enumerate().map(|(index, name)| tally_line(name, score.tally(index))).collect()
}

fn tally_line(name: &str, tally: &Tally) -> String {
    let points = f64::from(tally.half_points()) / 2.0;
    let Tally { won, drawn, lost, .. } = tally;
    format!(
        "{}: {points} of {}; {} won ({} on remaining time), {drawn} drawn, {} lost ({} by forfeit)",
        plain(name),
        counted(tally.games() as usize, "point"),
        won.total(),
        won.drawn(),
        lost.total(),
        lost.forfeit,
    )
}

/// The statistics of the first agent against each of the others; empty for fewer than two games.
fn difference_lines(manifest: &Manifest, games: &[GameSummary], tests: &[SequentialTest]) -> Vec<String> {
    let names: Vec<&str> = manifest.agents.iter().map(|agent| agent.name.as_str()).collect();
    let [a, opponents @ ..] = names.as_slice() else {
        return vec![];
    };
    let mut lines = Vec::new();
    for (index, opponent) in opponents.iter().enumerate() {
        let counts = MatchCounts::of(a, opponent, &manifest.games, games);
        if counts.games.games() > 1 {
            let between = format!("{a} against {opponent}");
            lines.extend(match_lines(&between, &MatchStatistics::of(counts)));
        }
        if let Some(test) = tests.get(index) {
            lines.extend(answer_lines(test));
        }
    }
    lines
}

/// The state of the test, and its meaning.
fn answer_lines(test: &SequentialTest) -> [String; 2] {
    let state = test.state();
    let Sprt { elo0, elo1, .. } = test.sprt();
    let [a, opponent] = test.players().map(plain);
    let games = counted(2 * test.counted().len(), "game");
    let rather = |accepted: &str, this: f64, that: f64| {
        format!(
            "decided after {games}: that {a} is {this} Elo stronger than {opponent} fits them better than {that} Elo \
             ({accepted} accepted)"
        )
    };
    let answer = match state.decision {
        SprtDecision::AcceptH0 => rather("H0", elo0, elo1),
        SprtDecision::AcceptH1 => rather("H1", elo1, elo0),
        SprtDecision::Continue => format!("undecided after {games}: rerun with more `--games` to continue"),
    };
    [sprt_line(&state), answer]
}
