//! Copies of a run that come together again.

use std::fs;

use super::stage::{copy, plan, plan_next, planned_round_robin, respell, script, shard};
use crate::competition::arena::{Arena, assignment, done, said, small_agents};
use crate::invocation::assert_contains;

fn only_own(arena: &Arena, run: &str, part: [u32; 2]) {
    done(shard(arena, run, part, &format!("{run}-events"), &["--only-own"]));
}

fn merged(arena: &Arena, words: &[&str]) -> String {
    let mut all = vec!["merge"];
    all.extend(words);
    done(arena.referee(&all))
}

#[test]
#[ignore = "long: plays in several processes"]
fn two_copies_become_one_run_like_a_local_one() {
    let arena = planned_round_robin(4);
    for (index, to) in [(0, "one"), (1, "other")] {
        copy(&arena, "run", to);
        only_own(&arena, to, [index, 2]);
    }
    assert_eq!((arena.recorded("one"), arena.recorded("other")), (6, 6));
    let line = "run: 12 games added, 0 already there, 0 with another result, 0 missing\n";
    let dry = merged(&arena, &["run", "one", "other", "--dry-run"]);
    assert_eq!((dry, arena.recorded("run")), (format!("nothing written; {line}"), 0));
    assert_eq!(merged(&arena, &["run", "one", "other"]), line);
    let again = merged(&arena, &["run", "other", "one"]);
    assert_eq!(again, "run: 0 games added, 12 already there, 0 with another result, 0 missing\n");
    done(arena.compete("alone", &[]));
    assert_eq!(arena.games("run"), arena.games("alone"));
    done(arena.referee(&["verify", "run"]));
}

#[test]
fn of_two_results_the_first_stays_and_the_other_is_reported() {
    let arena = planned_round_robin(2);
    done(shard(&arena, "run", [0, 1], "events", &[]));
    copy(&arena, "run", "other");
    // Other times, as a machine of another speed has them, are no other result.
    let [same, id] = [0, 1].map(|index| arena.manifest("run").games[index].id.clone());
    respell(&arena, "other", &same);
    let path = arena.run("other").path_of(&id);
    let record = fs::read_to_string(&path).unwrap();
    let [winner, loser] = if record.contains("\"winner\":\"black\"") { ["black", "white"] } else { ["white", "black"] };
    let [won, lost] = [winner, loser].map(|side| format!("\"winner\":\"{side}\""));
    assert!(record.contains(&won), "{record}");
    fs::write(&path, record.replace(&won, &lost)).unwrap();
    let before = fs::read(arena.run("run").path_of(&id)).unwrap();
    let merged = said(arena.referee(&["merge", "run", "other"]));
    assert_eq!(merged.out, "run: 0 games added, 1 already there, 1 with another result, 0 missing\n");
    assert_eq!(merged.err, format!("{id}  has another result in `other`, ignored\n"));
    assert_eq!(fs::read(arena.run("run").path_of(&id)).unwrap(), before);
}

#[test]
#[ignore = "long: plays in several processes"]
fn a_copy_that_has_gone_on_to_a_later_round_brings_its_plan() {
    let arena = Arena::new(&assignment("\"elimination\"\nround_limit = 2", &small_agents(4)));
    done(plan(&arena, "run", &[]));
    copy(&arena, "run", "ahead");
    done(shard(&arena, "ahead", [0, 1], "events", &[]));
    copy(&arena, "ahead", "behind");
    assert_eq!(plan_next(&arena, "ahead")["state"], "planned");
    done(shard(&arena, "ahead", [0, 1], "events", &[]));
    let all = arena.recorded("ahead");
    merged(&arena, &["run", "behind", "ahead"]);
    assert_eq!(arena.manifest("run").games, arena.manifest("ahead").games);
    assert_eq!(arena.manifest("run").rounds, arena.manifest("ahead").rounds);
    assert_eq!(arena.games("run"), arena.games("ahead"));
    // The other way about, whoever is ahead stays so.
    merged(&arena, &["ahead", "behind"]);
    assert_eq!((arena.recorded("ahead"), arena.manifest("ahead").rounds.len()), (all, 2));

    // A plan that follows from another result is not mixed with this one.
    let first = arena.manifest("behind").games[0].id.clone();
    let path = arena.run("behind").path_of(&first);
    let text = fs::read_to_string(&path).unwrap();
    let turned = if text.contains(r#""winner":"black""#) {
        text.replace(r#""winner":"black""#, r#""winner":"white""#)
    } else {
        text.replace(r#""winner":"white""#, r#""winner":"black""#)
    };
    assert_ne!(turned, text);
    fs::write(&path, turned).unwrap();
    let refused = said(arena.referee(&["merge", "behind", "ahead"]));
    assert_eq!(refused.status, Some(2), "{refused:#?}");
    assert_eq!(
        refused.err,
        format!(
            "referee: cannot merge `ahead` into `behind`: game `{first}` has another winner there, and one of the two \
             runs has planned a later round from its own result\n"
        )
    );
    assert_eq!(arena.manifest("behind").rounds.len(), 1);
}

#[test]
#[ignore = "long: plays in several processes"]
fn what_is_no_copy_is_refused_as_a_whole() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(2)));
    script(&arena.path("bot"), "true");
    done(plan(&arena, "run", &["bot=bot"]));
    copy(&arena, "run", "isolated");
    done(plan(&arena, "isolated", &["bot=bot", "--isolation", "bare"]));
    copy(&arena, "run", "gone");
    done(plan(&arena, "gone", &["bot=bot", "--withdraw", "a01"]));
    script(&arena.path("bot"), "false");
    done(plan(&arena, "agents", &["bot=bot"]));
    let text = assignment("\"round-robin\"", &small_agents(2));
    arena.write("small.toml", &text.replace("seed = 7", "seed = 8"));
    done(plan(&arena, "seed", &["bot=bot"]));
    let table = [
        ("seed", "its assignment differs"),
        ("isolated", "its isolation or meter differs"),
        ("agents", "its agent `bot` has a different name, files or clock"),
        ("gone", "an agent has withdrawn from only one of them"),
    ];
    for (other, difference) in table {
        done(shard(&arena, other, [0, 1], "events", &[]));
        let refused = said(arena.referee(&["merge", "run", other]));
        let expected = format!("referee: cannot merge `{other}` into `run`: {difference}\n");
        assert_eq!((refused.status, refused.err), (Some(2), expected));
    }
    assert_eq!(arena.recorded("run"), 0);
}

#[test]
fn a_record_that_is_of_no_game_of_its_run_is_refused() {
    let arena = planned_round_robin(2);
    copy(&arena, "run", "other");
    done(shard(&arena, "other", [0, 1], "events", &[]));
    let [first, second] = [0, 1].map(|index| arena.run("other").path_of(&arena.manifest("run").games[index].id));
    fs::copy(&first, &second).unwrap();
    let refused = said(arena.referee(&["merge", "run", "other"]));
    assert_eq!((refused.status, arena.recorded("run")), (Some(3), 0), "{refused:#?}");
    assert_contains(&refused.err, "is not a game of its run: it is the record of ");
}
