//! Competitions that are planned round by round, and runs that have to do with nothing but their folder.

use std::fs;

use super::stage::{
    claims, ended_awake, plan, plan_next, planned_round_robin, quiet, script, shard, slow_pair, told, until,
};
use crate::competition::arena::{Arena, assignment, conclusion, done, said, small_agents};
use crate::invocation::words;

#[test]
#[ignore = "long: plays in several processes"]
fn round_by_round_in_parts_every_competition_ends_like_a_local_one() {
    for format in ["\"elimination\"\nround_limit = 4", "\"swiss\"\nrounds = 2"] {
        let arena = Arena::new(&assignment(format, &small_agents(5)));
        assert!(done(plan(&arena, "run", &[])).starts_with("planned "), "{format}");
        let mut rounds = 1;
        loop {
            // Nobody plans what does not follow yet, however often it is asked for.
            assert_eq!(plan_next(&arena, "run")["state"], "waiting", "{format}");
            for index in 0..2 {
                done(shard(&arena, "run", [index, 2], "events", &[]));
            }
            // Two at once.
            let other = quiet(arena.referee(&["plan", "--next", "run"]));
            let state = plan_next(&arena, "run");
            assert!(other.wait_with_output().unwrap().status.success());
            if state["state"] == "over" {
                break;
            }
            rounds += 1;
        }
        assert!(rounds > 1, "{format}");
        let alone = done(arena.compete("alone", &[]));
        assert_eq!(conclusion(&done(arena.compete("run", &[]))), conclusion(&alone), "{format}");
        assert_eq!(arena.games("run"), arena.games("alone"), "{format}");
        let plans = ["run", "alone"].map(|run| (arena.manifest(run).games, arena.manifest(run).rounds));
        assert_eq!(plans[0], plans[1], "{format}");
    }
}

#[test]
fn a_planned_run_tells_how_it_stands() {
    let arena = planned_round_robin(2);
    assert_eq!(done(arena.referee(&["plan", "--next", "run"])), "waiting for 2 games\n");
    done(shard(&arena, "run", [0, 1], "events", &[]));
    assert_eq!(done(arena.referee(&["plan", "--next", "run"])), "over\n");
    // Whoever comes later is planned for as well.
    assert_eq!(done(plan(&arena, "run", &["late=builtin:random,seed=9"])), "planned 4 games\n");
}

#[test]
fn a_run_that_was_moved_needs_nothing_but_itself() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(1)));
    fs::create_dir_all(arena.path("class/ada")).unwrap();
    script(&arena.path("class/ada/calibrate.sh"), "true");
    fs::write(arena.path("class/ada/homework.py"), "import helper\nhelper.play()\n").unwrap();
    fs::write(arena.path("class/ada/helper.py"), "def play():\n    open('output.txt', 'w').write('helped')\n").unwrap();
    script(&arena.path("named"), "echo named > output.txt");
    done(plan(&arena, "run", &["named=named", "--class", "class"]));
    fs::create_dir(arena.path("far")).unwrap();
    fs::rename(arena.path("run"), arena.path("far/away")).unwrap();
    for original in ["small.toml", "named"] {
        fs::remove_file(arena.path(original)).unwrap();
    }
    fs::remove_dir_all(arena.path("class")).unwrap();
    let mut command = shard(&arena, "away", [0, 1], "events", &[]);
    command.current_dir(arena.path("far"));
    done(command);
    let run = arena.run("far/away");
    for pairing in arena.manifest("far/away").games {
        let text = fs::read_to_string(run.path_of(&pairing.id)).unwrap();
        let first = pairing.name(pairing.first);
        let wrote = match first {
            "ada" => "helped",
            "named" => "named\\n",
            _ => continue,
        };
        assert!(text.contains(wrote), "{first}: {text}");
    }
    assert_eq!(arena.games("far/away").len(), 6);
}

#[test]
#[ignore = "long: plays in several processes"]
fn a_run_that_a_local_competition_began_can_be_played_in_parts() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(3)));
    done(arena.compete("run", &[]));
    let before = arena.games("run");
    let last = arena.manifest("run").games.pop().unwrap();
    fs::remove_file(arena.run("run").path_of(&last.id)).unwrap();
    let out = done(shard(&arena, "run", [1, 2], "events", &[]));
    assert_eq!(out.lines().last(), Some("shard 1 of 2: 1 game played, no game is missing"));
    assert_eq!(arena.games("run"), before);
}

#[test]
fn a_shard_with_two_slots_plays_both_games_of_a_pair_at_once() {
    let arena = slow_pair();
    let words = ["shard", "run", "--jobs", "2", "--events", "events"];
    let child = quiet(arena.referee(&words));
    until(|| told(&arena, "events", "game-began").len() == 2);
    assert_eq!((arena.recorded("run"), claims(&arena, "run").len()), (0, 1));
    let (status, err) = ended_awake(child);
    assert_eq!((status, arena.recorded("run")), (Some(0), 2), "{err}");
    assert_eq!(claims(&arena, "run"), [""; 0]);
}

#[test]
#[ignore = "long: plays in several processes"]
fn what_cannot_be_played_in_parts_is_refused_with_a_remedy() {
    let arena = planned_round_robin(2);
    let refused = |words: &[&str], status: i32, text: &str| {
        let said = said(arena.referee(words));
        assert_eq!((said.status, said.err.as_str()), (Some(status), text), "{said:#?}");
    };
    refused(
        &["shard", "run", "--index", "3", "--of", "3"],
        2,
        "referee: no shard 3 of 3: `--index` goes from 0 to 2\n",
    );
    refused(
        &["shard", "nowhere"],
        3,
        "referee: expected a run directory: no such file or directory: `nowhere`; nearby: 1 run: `run` (a \
         competition)\n",
    );
    let words = words("play builtin:random builtin:random --game duo-othello --out match", &[]);
    done(arena.referee(&words));
    refused(
        &["shard", "match"],
        3,
        "referee: `match`: shards cannot play it, because its agents are not stored in it; plan a competition with \
         `referee plan ASSIGNMENT --out RUN`; to upgrade a run of an older `referee`, rerun its command with `--out`\n",
    );
    refused(
        &["plan", "--next", "match"],
        3,
        "referee: `match`: it is not the run of a competition; start one with `referee plan ASSIGNMENT --out RUN`\n",
    );
}

#[test]
fn an_agent_whose_kept_sources_were_changed_plays_no_game() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(1)));
    script(&arena.path("named"), "true");
    done(plan(&arena, "run", &["named=named"]));
    let digest = arena.manifest("run").agents.into_iter().find(|agent| agent.name == "named");
    let kept = arena.path("run/agents").join(digest.unwrap().digest).join("file/named");
    script(&kept, "exit 1");
    let said = said(shard(&arena, "run", [0, 1], "events", &[]));
    assert_eq!((said.status, arena.recorded("run")), (Some(4), 0), "{said:#?}");
    assert!(
        said.err.contains("cannot build agent `named` on this machine: ")
            && said.err.contains(" differs from the files the agent was built from: "),
        "{said:#?}"
    );
}
