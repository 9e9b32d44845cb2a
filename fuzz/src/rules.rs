//! What must hold of the positions that a rules program tells.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use referee_games::{GameRef, POSITION_LINE};
use referee_matches::rules_program;

use super::assert_printable;

/// A position, as it stands in an answer, an input and a record: it breaks with a reason, or it is written so that it
/// is read as the same; and nothing of it reaches a terminal unescaped.
pub fn positions(bytes: &[u8]) {
    let told: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }).collect();
    let input = custom_game().read_input(&[POSITION_LINE.as_bytes(), &told].concat());
    let Ok(position) = input.map(|input| input.position) else {
        return;
    };
    if let Some(unavailable) = position.breakdown() {
        let reason = unavailable.to_string();
        assert!(!reason.is_empty());
        return assert_printable(&reason);
    }
    let written = position.position_line().expect("a custom game tells all of its positions");
    for shown in [&written, &position.board(), &position.notes()] {
        assert_printable(shown);
    }
    assert!(written.is_ascii(), "{written}");
    let again = custom_game().read_input(written.as_bytes()).expect("it was written by us").position;
    assert_eq!(again.breakdown(), None);
    assert_eq!(again.position_line(), Some(written));
    assert_eq!((again.status(), again.notes()), (position.status(), position.notes()));
    assert!(again.same_placement(&position));
}

/// Checkers, as the rules program among the examples.
fn custom_game() -> GameRef {
    static GAME: OnceLock<GameRef> = OnceLock::new();
    *GAME.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = [here, here.parent().unwrap_or(here)].map(|folder| folder.join("examples/rules"));
        let keeper = option_env!("CARGO_BIN_EXE_referee").map(PathBuf::from);
        let keeper = keeper.or_else(|| std::env::var_os("REFEREE").map(PathBuf::from));
        let games = rules_program::known_games(Some(&keeper.expect("REFEREE names the program `referee`")));
        let file = folder.iter().map(|folder| folder.join("checkers.py")).find(|file| file.exists());
        let file = file.expect("the examples are there");
        games.at(&file).expect("the example works")
    })
}
