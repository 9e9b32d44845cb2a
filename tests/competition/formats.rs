//! Every format, from the first round to its end.

use super::arena::{Arena, assignment, conclusion, done, small_agents};

const FORMATS: [&str; 7] = [
    "\"round-robin\"",
    "\"gauntlet\"\nchallenger = \"a03\"",
    "\"swiss\"\nrounds = 3",
    "\"knockout\"",
    "\"double-knockout\"",
    "\"elimination\"\nround_limit = 4",
    "\"random-rounds\"\nopponents = 2\nrounds = 2",
];

#[test]
fn every_format_comes_to_its_end_and_to_the_same_one_under_one_seed() {
    for format in FORMATS {
        let arena = Arena::new(&assignment(format, &small_agents(5)));
        let [first, second] = ["first", "second"].map(|out| done(arena.compete(out, &[])));
        let ended = conclusion(&first);
        assert_eq!(ended, conclusion(&second), "{format}");
        assert!(ended.contains("\nrank  agent"), "{format}: {ended}");
        assert_eq!(arena.games("first"), arena.games("second"), "{format}");
        for word in ["verify", "status"] {
            done(arena.referee(&[word, "first"]));
        }
        let pages = ["standings.csv", "standings.md"].map(|name| arena.path("first").join(name));
        assert!(pages.iter().all(|page| page.is_file()), "{format}");
        // There is nothing left to be done, and it is told again.
        let again = done(arena.compete("first", &[]));
        assert_eq!(conclusion(&again), ended, "{format}");
    }
}

#[test]
fn status_tells_how_far_each_round_is() {
    let arena = Arena::new(&assignment("\"swiss\"\nrounds = 3", &small_agents(5)));
    done(arena.compete("run", &[]));
    let out = done(arena.referee(&["status", "run"]));
    assert!(
        out.starts_with("run: duo-othello, 12 of 12 games finished\nround 3 of 3: 4 of 4 games finished\n"),
        "{out}"
    );
    let last = arena.manifest("run").games.pop().unwrap();
    std::fs::remove_file(arena.run("run").path_of(&last.id)).unwrap();
    let mut status = arena.referee(&["status", "run"]);
    let status = status.output().unwrap();
    assert_eq!(status.status.code(), Some(1));
    let out = String::from_utf8(status.stdout).unwrap();
    assert!(
        out.starts_with("run: duo-othello, 11 of 12 games finished\nround 3 of 3: 3 of 4 games finished\n"),
        "{out}"
    );
}

#[test]
fn standings_break_ties_as_the_format_does() {
    let swiss = "order: points, then buchholz, then sonneborn-berger, then direct-encounter, then wins";
    let round_robin = "order: points, then direct-encounter, then wins, then sonneborn-berger";
    for (format, expected) in [("\"swiss\"\nrounds = 2", swiss), ("\"round-robin\"", round_robin)] {
        let arena = Arena::new(&assignment(format, &small_agents(3)));
        done(arena.compete("run", &[]));
        let usual = done(arena.referee(&["standings", "run"]));
        assert!(usual.contains(expected), "{usual}");
        let told = done(arena.referee(&["standings", "run", "--tie-breaks", "wins"]));
        assert!(told.contains("order: points, then wins"), "{told}");
    }
}
