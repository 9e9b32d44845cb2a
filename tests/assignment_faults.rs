//! What is wrong with an assignment is told all at once, with its place and what to do.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::path::Path;

use referee::assignment::Assignment;

#[test]
fn try_out() {
    let text = r#"
titel = "x"
title = ""
game = "chekers"
seed = -1
play_time = 3

[clock]
charge = "usr"
grace = "10"
guard_factor = 0
guard_extra = 1e3

[[draws]]
idle_turns = 3

[[grade]]
kind = "game"
wat = 3

[[grade]]
kind = "games"
opponent = "builtin:minmax"
games = 9
first_move = 12
play_time = [1, 2, 0]
points_each = 0.125
positions = "x"

[[grade]]
kind = "games"
opponent = ""
games = 0

[competition]
format = "elimination"
games_per_pairing = 3
rounds = 3
"#;
    println!("{}", Assignment::parse(text, Path::new("hw2.toml")).unwrap_err());
}
