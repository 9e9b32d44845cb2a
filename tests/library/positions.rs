//! Positions for single moves: the laws of a series, and the sets that ship.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use referee_games::builtin::{BuiltinAgent, answer};
use referee_games::positions::{MadePosition, PositionsRequest};
use referee_games::protocol::{InputPurpose, TimeLeft, Tolerance};
use referee_games::{Builtin, GAMES, GameRef, PieceLook, Side, Status, halma};
use referee_time::CpuTime;
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{printed, referee, words};

/// Every game whose positions are met in play, by all variants of its rules.
fn games() -> Vec<GameRef> {
    let all = GAMES.iter().copied().flatten().copied();
    all.filter(|game| game.puzzles().is_none()).collect()
}

const THIRTY_SECONDS: CpuTime = CpuTime::from_secs(30);
const THIRTY_SECONDS_EACH: TimeLeft = TimeLeft { own: THIRTY_SECONDS, opponent: THIRTY_SECONDS };

// The laws of a series.

/// Asks for positions and looks at each of them and at each pair.
fn laws_hold(game: GameRef, request: &PositionsRequest) {
    let found = game.positions(request).unwrap();
    assert_eq!(found.len(), request.count as usize);
    let fewer = PositionsRequest { count: request.count / 2, ..request.clone() };
    let inputs = |made: &[MadePosition]| -> Vec<String> { made.iter().map(|made| made.input.clone()).collect() };
    let shorter = inputs(&game.positions(&fewer).unwrap());
    assert_eq!(shorter, inputs(&found)[..shorter.len()], "a shorter set is the beginning");
    for made in &found {
        let asked = request.kinds.is_empty() || request.kinds.iter().any(|kind| kind == made.kind);
        assert!(asked && game.kinds().iter().any(|kind| kind.name == made.kind), "{made:?}");
        let position = game.read_input(made.input.as_bytes()).unwrap().position;
        assert_eq!(position.status(), Status::ToMove, "{game}: {made:?}");
        assert!(request.side.is_none_or(|side| side == position.side_to_move()));
        assert_eq!(position.write_input(InputPurpose::Single, THIRTY_SECONDS_EACH), made.input, "{game}");
    }
    let boards: BTreeSet<Vec<String>> = found.iter().map(|made| unmirrored(game, made)).collect();
    assert_eq!(boards.len(), found.len(), "{game}: no two are the same, mirrored or not");
}

/// The board as the side to move sees it who takes itself for black: the same for a position and its mirror image.
fn unmirrored(game: GameRef, made: &MadePosition) -> Vec<String> {
    let position = game.read_input(made.input.as_bytes()).unwrap().position;
    // What is told behind the boards, such as the number of the turn, follows from them.
    let mut setup = position.setup();
    let height = game.profile().board.rows.len();
    setup.truncate(setup.len() / height * height);
    if position.side_to_move() == Side::Black {
        return setup;
    }
    let pieces = game.profile().pieces;
    let exchanged = |letter: char| {
        let piece = game.profile().piece(letter);
        let is_twin = |piece: &PieceLook, other: &&PieceLook| piece.side != other.side && piece.word == other.word;
        let twin = piece.and_then(|piece| pieces.iter().find(|other| is_twin(piece, other)));
        twin.map_or(letter, |twin| twin.letter)
    };
    let turned = |row: &String| row.chars().rev().map(exchanged).collect();
    let boards = setup.chunks(height);
    boards.flat_map(|board| board.iter().rev().map(turned)).collect()
}

fn side() -> impl Strategy<Value = Option<Side>> {
    prop::sample::select(vec![None, Some(Side::Black), Some(Side::White)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_seed_has_distinct_positions_of_the_kinds_that_are_asked_for(
        game in prop::sample::select(games()),
        seed: u64,
        count in 0_u32..14,
        side in side(),
        kinds in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let known = game.kinds();
        let kinds = kinds.iter().map(|index| index.get(&known).name.to_owned()).collect();
        laws_hold(game, &PositionsRequest { count, seed, kinds, side, time: THIRTY_SECONDS });
    }
}

/// One of these took more than 20,000 games.
#[test]
#[ignore = "long: plays tens of thousands of games"]
fn the_rarest_kind_is_found_however_long_it_takes() {
    let kinds = vec!["loop".to_owned()];
    let seed = 14_555_302_727_501_899_232;
    let request = PositionsRequest { count: 9, seed, kinds, side: Some(Side::White), time: THIRTY_SECONDS };
    laws_hold("checkers".parse().unwrap(), &request);
}

#[test]
fn other_seeds_have_other_positions() {
    for game in games() {
        let sets: BTreeSet<Vec<String>> = (0..4).map(|seed| inputs(game, seed)).collect();
        assert_eq!(sets.len(), 4, "{game}");
    }
}

fn inputs(game: GameRef, seed: u64) -> Vec<String> {
    let request = PositionsRequest { count: 3, seed, kinds: Vec::new(), side: None, time: THIRTY_SECONDS };
    game.positions(&request).unwrap().into_iter().map(|made| made.input).collect()
}

#[test]
fn names_of_kinds_are_distinct_and_fit_for_files() {
    for game in GAMES.iter().copied().flatten() {
        let kinds = game.kinds();
        let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), kinds.len(), "{game}");
        for kind in kinds {
            let fits = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
            assert!(kind.name.bytes().all(fits) && !kind.about.is_empty(), "{kind:?}");
        }
    }
}

#[test]
fn the_original_rules_of_halma_have_no_kinds_of_the_addendum() {
    let names = |rules: halma::Rules| -> BTreeSet<&str> {
        halma::Halma::id(rules).kinds().into_iter().map(|kind| kind.name).collect()
    };
    let (addendum, original) = (names(halma::Rules::Addendum), names(halma::Rules::Original));
    let only_there: Vec<&str> = addendum.difference(&original).copied().collect();
    assert_eq!(only_there, ["must-leave", "within-camp"]);
    assert!(original.is_subset(&addendum));
}

// The sets that ship.

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A set that ships, with the command that made it.
struct Set {
    folder: PathBuf,
    /// The command without `referee` and without `--out`.
    arguments: Vec<String>,
}

impl Set {
    fn game(&self) -> GameRef {
        let place = self.arguments.iter().position(|word| word == "--game").unwrap();
        self.arguments[place + 1].parse().unwrap()
    }

    /// The files by name.
    fn files(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap());
        entries
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
            .collect()
    }
}

/// The sets, by the commands on the page that says how they were made.
fn sets() -> Vec<Set> {
    let page = fs::read_to_string(root().join("tournaments/practice/README.md")).unwrap();
    let commands = page.lines().filter_map(|line| line.strip_prefix("referee positions --game"));
    let sets: Vec<Set> = commands
        .map(|rest| {
            let (options, folder) = rest.split_once(" --out ").unwrap();
            let words = options.split_whitespace().map(str::to_owned);
            Set {
                folder: root().join(folder),
                arguments: ["positions".to_owned(), "--game".to_owned()].into_iter().chain(words).collect(),
            }
        })
        .collect();
    assert_eq!(sets.len(), 7, "the page names every set");
    sets
}

#[test]
#[ignore = "long: plays whole games"]
fn the_commands_of_the_page_make_the_sets_that_ship_byte_for_byte() {
    for set in sets() {
        let arguments: Vec<&str> = set.arguments.iter().map(String::as_str).chain(["--json"]).collect();
        let made: BTreeMap<String, String> = printed(&arguments, 0)
            .lines()
            .map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                let text = |key: &str| line[key].as_str().unwrap().to_owned();
                (text("name"), text("input"))
            })
            .collect();
        assert_eq!(made, set.files(), "{}", set.folder.display());
    }
}

/// How many positions of the set each side has to move in.
fn sides(set: &Set) -> [usize; 2] {
    let game = set.game();
    let mut sides = [0; 2];
    for (name, text) in set.files() {
        let input = game.read_input(text.as_bytes()).unwrap();
        let position = input.position;
        assert_eq!(position.status(), Status::ToMove, "{name}");
        if game.profile().input.time_line.is_some() {
            assert_eq!(input.own, THIRTY_SECONDS, "{name}");
            assert!(input.opponent.is_some() || input.purpose == InputPurpose::Single, "{name}");
        }
        for agent in ["random", "minimax"] {
            let agent: BuiltinAgent = agent.parse().unwrap();
            let reply = answer(&agent, 1, text.as_bytes(), Some(game), None).unwrap();
            let judged = position.judge(reply.output.as_bytes(), Tolerance::Exact);
            assert!(judged.is_ok_and(|judged| judged.warnings.is_empty()), "{name}: {agent}");
        }
        sides[position.side_to_move().index()] += 1;
    }
    sides
}

#[test]
fn the_built_in_agents_answer_every_position_that_ships() {
    for set in sets() {
        let [black, white] = sides(&set);
        assert!(black + white == 10 || black + white == 30, "{}", set.folder.display());
        assert!(black.abs_diff(white) <= 2, "{}", set.folder.display());
    }
}

#[test]
fn no_position_ships_twice() {
    let mut known = BTreeMap::new();
    for set in sets() {
        for (name, text) in set.files() {
            let path = set.folder.join(name);
            if let Some(other) = known.insert(text, path.clone()) {
                panic!("{} is {} again", path.display(), other.display());
            }
        }
    }
}

// The command.

/// What a refused command says, after its status was compared.
fn refused(arguments: &[&str], expected: i32) -> String {
    let output = referee(arguments);
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(expected), true), "{said}");
    said
}

#[test]
fn files_are_written_into_a_new_folder_and_summed_up_by_kind() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("deeper/set");
    let out = folder.to_str().unwrap();
    let options = words("positions --game duo-othello --count 3 --seed 5 --kind corner", &[]);
    let more = ["--kind", "opening", "--side", "white", "--time", "2.5", "--out", out];
    let said = printed(&[&options[..], &more[..]].concat(), 0);
    assert_eq!(said, format!("3 positions in `{out}`\n   2  corner\n   1  opening\n"));
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["01-corner.txt", "02-opening.txt", "03-corner.txt"]);
    for name in names {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert!(text.starts_with("O\n2.5 2.5\n"), "{text}");
    }
}

#[test]
fn a_folder_that_has_something_in_it_is_left_alone() {
    let scratch = TempDir::new().unwrap();
    fs::write(scratch.path().join("01-opening.txt"), "mine").unwrap();
    let out = scratch.path().to_str().unwrap();
    let said = refused(&["positions", "--game", "checkers", "--out", out], 2);
    assert_eq!(
        said,
        format!("referee: `--out {out}`: the directory is not empty: choose a new one, no files are overwritten\n")
    );
    assert_eq!(fs::read_to_string(scratch.path().join("01-opening.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
}

#[test]
fn a_folder_that_cannot_be_is_said_to_be_so() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("set");
    let said = refused(&words("positions --game checkers --count 1 --out {}", &[file.to_str().unwrap()]), 2);
    assert!(said.contains("Not a directory"), "{said}");
    let said = refused(&words("positions --game checkers --count 1 --out {}", &[inside.to_str().unwrap()]), 2);
    assert!(said.contains("Not a directory"), "{said}");
}

#[test]
fn an_unknown_kind_is_answered_with_those_there_are() {
    let said = refused(&words("positions --game halma --rules original --json --kind must-leave", &[]), 2);
    assert_eq!(
        said,
        "referee: Halma (original) has no positions of kind `must-leave`: choose one of `opening`, `crowded`, \
         `long-chain`, \
         `held-in-camp`, `last-pieces`, `win-in-one`\n"
    );
}

#[test]
fn what_cannot_be_asked_is_refused() {
    for arguments in [
        vec!["--game", "checkers"],
        vec!["--game", "checkers", "--json", "--count", "0"],
        vec!["--game", "checkers", "--json", "--time", "0"],
        vec!["--game", "checkers", "--json", "--side", "green"],
        vec!["--game", "checkers", "--json", "--rules", "addendum"],
        vec!["--game", "checkers", "--json", "--out", "somewhere"],
        vec!["--game", "go", "--json"],
    ] {
        refused(&[&["positions"], &arguments[..]].concat(), 2);
    }
    assert!(!Path::new("somewhere").exists());
}

#[test]
fn the_kinds_are_listed_in_words_and_as_json() {
    for game in GAMES.iter().map(|variants| variants[0].name()) {
        let words = printed(&["positions", "--game", game, "--list-kinds"], 0);
        let lines = printed(&["positions", "--game", game, "--list-kinds", "--json"], 0);
        let kinds = game.parse::<GameRef>().unwrap().kinds();
        assert_eq!((words.lines().count(), lines.lines().count()), (kinds.len(), kinds.len()));
        for ((word, line), kind) in words.lines().zip(lines.lines()).zip(kinds) {
            assert!(word.starts_with(kind.name) && word.ends_with(kind.about), "{word}");
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line, serde_json::json!({ "kind": kind.name, "about": kind.about }));
        }
    }
}
