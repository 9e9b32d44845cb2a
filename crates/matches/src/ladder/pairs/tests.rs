//! Records of other processes that cannot be read. Games are not played here.

use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::shards::AgentPool;
use referee_games::KnownGames;
use referee_records::{
    AdmissionRecord, AgentRecord, AgentRole, Claims, Conditions, Host, ParticipantRecord, RunKind, StaleClaim,
    VersionRecord,
};
use referee_seat::SeatOptions;
use referee_submissions::agents::{AgentBuilder, SourceStore};
use referee_time::CpuTime;

/// A ladder with two participants and no games, as a process that plays it has it.
fn ladder(path: &Path) -> (ShardPlace, LadderPairs) {
    let (game, known) = (referee_games::checkers::ID, KnownGames::builtin());
    let agent = |name: &str| AgentRecord::participant(name.to_owned(), "builtin:random".to_owned(), String::new());
    let participant = |name: &str, agent: u32| ParticipantRecord {
        name: name.to_owned(),
        key: name.to_owned(),
        withdrawn: false,
        versions: vec![VersionRecord {
            number: 1,
            digest: None,
            received_unix_s: 0,
            admission: AdmissionRecord::Admitted { agent, since_pair: 0 },
        }],
    };
    let manifest = Manifest {
        kind: RunKind::Ladder,
        agents: vec![AgentRecord { role: AgentRole::Reference, ..agent("random") }, agent("ada v1"), agent("bob v1")],
        participants: vec![participant("ada", 1), participant("bob", 2)],
        ..Manifest::new(game, Conditions::usual(game, CpuTime::from_secs(30)), 7)
    };
    let folder = RunFolder::begin(path, &manifest, &known).unwrap();
    let source = (folder.clone(), SourceStore::of_ladder(path.to_owned()));
    let builder = AgentBuilder::for_game(game).unwrap();
    let builds = path.join("builds");
    let place = ShardPlace {
        claims: Claims::in_folder(folder.claims(), None, StaleClaim::default()).unwrap(),
        agent_pool: AgentPool::new(source, &manifest, builder, SeatOptions::default(), Host::this(), builds).unwrap(),
        folder,
    };
    let rules = PlanRules { seed: 7, minimum_pairs: 10, random_percent: 20 };
    let pairs = LadderPairs::new(&place.folder, Arc::new(manifest), &[], (rules, 0), None).unwrap();
    (place, pairs)
}

/// The name of the pair that is claimed next.
fn planned(pairs: &mut LadderPairs, place: &ShardPlace) -> String {
    let NextPair::Pair(pair) = pairs.next_pair(place, &HashSet::new()).unwrap() else { panic!("there are two agents") };
    pair.name().to_owned()
}

/// What is reported once another process has had `pair` and has left its first `broken` games as unreadable records.
fn reported(place: &ShardPlace, pairs: &mut LadderPairs, pair: LadderPair, broken: usize) -> Vec<String> {
    let [first, _] = pair.games();
    let claim = place.claims.claim(&first.to_string()).unwrap().unwrap();
    assert_ne!(planned(pairs, place), first.to_string(), "another process has it");
    for game in &pair.games()[..broken] {
        place.folder.keep_text(&game.to_string(), b"{").unwrap();
    }
    place.claims.release(&claim).unwrap();
    // What is planned is known before something is reported: the claims are listed for it.
    planned(pairs, place);
    let mut reported = Vec::new();
    while let NextPair::Unreadable(error) = pairs.next_pair(place, &HashSet::new()).unwrap() {
        reported.push(error.to_string());
    }
    reported
}

#[test]
fn a_pair_of_unreadable_records_is_reported_and_finished() {
    let folder = TempDir::new().unwrap();
    let (place, mut pairs) = ladder(folder.path());
    let pair = LadderPair { sequence: 1, agents: [0, 1], rated: true };
    let reported = reported(&place, &mut pairs, pair, 2);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(reported[0].contains("games/g000001-0-1a.json` is not a record of this program"), "{reported:?}");
    assert!(planned(&mut pairs, &place).starts_with("g000002-"));
}

#[test]
fn a_pair_of_an_unreadable_record_and_none_is_half_played() {
    let folder = TempDir::new().unwrap();
    let (place, mut pairs) = ladder(folder.path());
    let pair = LadderPair { sequence: 1, agents: [0, 1], rated: true };
    assert_eq!(reported(&place, &mut pairs, pair, 1).len(), 1);
    assert_eq!(planned(&mut pairs, &place), "g000001-0-1a");
}
