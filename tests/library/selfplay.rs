//! The competitions among small agents that come with the referee: each can be played, and orders its field as a reader
//! expects, a deeper search above a shallower one above chance.

use std::fs;
use std::path::PathBuf;

use referee::runs::load_competition;
use referee_course::assignment::{Assignment, Competition};
use referee_games::builtin::{BuiltinAgent, Depth, answer};
use referee_games::protocol::{InputPurpose, TimeLeft, Tolerance};
use referee_games::{Ending, KnownGames, Side, Status};
use referee_submissions::agents::AgentSource;
use referee_time::CpuTime;

/// Deeper searches take minutes of a debug build.
const DEEPEST: Depth = Depth::TWO;

fn selfplay_files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tournaments");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_selfplay = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("selfplay-");
    let mut files: Vec<PathBuf> = files.filter(is_selfplay).collect();
    files.sort();
    files
}

/// The first random agent of a field, and its shallowest and deepest searches of a fixed depth.
fn ladder(competition: &Competition) -> [BuiltinAgent; 3] {
    let builtin = competition.agents.iter().filter_map(|agent| match agent.spec.source() {
        AgentSource::Builtin(builtin) => Some(*builtin),
        AgentSource::Path(_) | AgentSource::Submission(_) => None,
    });
    let depth = |agent: &BuiltinAgent| match agent {
        BuiltinAgent::Random { .. } => Some(None),
        BuiltinAgent::Minimax { depth, .. } => depth.map(Some),
        BuiltinAgent::AlphaBeta { .. } | BuiltinAgent::Own { .. } => None,
    };
    let mut known: Vec<(Option<Depth>, BuiltinAgent)> =
        builtin.filter_map(|agent| Some((depth(&agent)?, agent))).collect();
    known.retain(|(depth, _)| *depth <= Some(DEEPEST));
    known.sort_by_key(|(depth, _)| *depth);
    known.dedup_by_key(|(depth, _)| *depth);
    let agents: Vec<BuiltinAgent> = known.into_iter().map(|(_, agent)| agent).collect();
    agents.try_into().expect("random, one ply, two plies")
}

/// Who wins a game after the random opening that is usual in this competition.
fn winner(assignment: &Assignment, plies: u32, players: [&BuiltinAgent; 2], seed: u64) -> Option<Side> {
    let mut position = assignment.game.start();
    let time = TimeLeft { own: CpuTime::from_secs(300), opponent: CpuTime::from_secs(300) };
    let chance = BuiltinAgent::Random { seed: None };
    for turn in 0..assignment.draws.turn_limit.unwrap_or(300) {
        position = match position.status() {
            Status::Over(Ending::Won { winner, .. }) => return Some(winner),
            Status::Over(_) => return None,
            Status::MustPass => position.pass(),
            Status::ToMove => {
                let side = position.side_to_move();
                let agent = if turn < plies { &chance } else { players[usize::from(side == Side::White)] };
                let input = position.write_input(InputPurpose::Game, time);
                let seed = 1000 * seed + u64::from(turn);
                let reply = answer(agent, seed, input.as_bytes(), Some(assignment.game), None).unwrap();
                position.judge(reply.output.as_bytes(), Tolerance::Exact).unwrap().next
            }
        };
    }
    None
}

/// The games are the same each time: seeds are given, and no search looks at a clock.
#[test]
#[ignore = "long: plays many games"]
fn every_selfplay_field_is_ordered_by_the_depth_of_its_searches() {
    let files = selfplay_files();
    assert!(files.len() >= 6, "{files:?}");
    for file in files {
        let (assignment, competition) = load_competition(&file, &KnownGames::builtin()).unwrap();
        let agents = ladder(&competition);
        for pair in agents.windows(2) {
            let [weak, strong] = [&pair[0], &pair[1]];
            let (mut lost, mut won) = (0, 0);
            for seed in 0..4 {
                for (side, players) in [(Side::Black, [strong, weak]), (Side::White, [weak, strong])] {
                    let winner = winner(&assignment, competition.opening_plies, players, seed);
                    won += u32::from(winner == Some(side));
                    lost += u32::from(winner == Some(side.other()));
                }
            }
            let file = file.display();
            assert!(won > lost, "{file}: {strong} won {won} games against {weak}, and lost {lost}");
        }
    }
}
