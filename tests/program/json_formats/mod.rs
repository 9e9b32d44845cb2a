//! Everything that the program writes or prints as JSON follows the schemas in `docs/schemas`.

mod rules_programs;
mod schema;
mod unique;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use referee_games::{GameRef, KnownGames, Side};
use referee_records::{
    CalibrationRecord, Conditions, Host, LastTurn, LiveGame, Manifest, PerSide, RunFolder, SCHEMA, VoidBlame, unix_ms,
};
use referee_seat::Bytes;
use referee_time::CpuTime;
use schema::Schemas;
use serde_json::json;
use tempfile::TempDir;

use crate::invocation::{referee_reading, words};
use crate::toolbox::{PYTHON3, require};

const CASES: &str = "tournaments/star-circle-2018/cases";

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| Schemas::load(&root().join("docs/schemas")));

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a command prints, whatever its exit code says about the answer.
fn printed(arguments: &[&str], stdin: &str) -> String {
    let output = referee_reading(arguments, stdin);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {:?}: {error}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Each line of `text` follows the schema of this name, and would not with a key more.
fn follow(schema: &str, text: &str) -> usize {
    let file = format!("{schema}.schema.json");
    for line in text.lines() {
        let mut value = unique::read(line);
        SCHEMAS.check(&file, &value).unwrap_or_else(|refusal| panic!("{file}: {refusal}\nin {line}"));
        value["a_key_that_no_schema_has"] = json!(1);
        assert!(SCHEMAS.check(&file, &value).is_err(), "{file} allows any key");
    }
    text.lines().count()
}

/// The file follows the schema of this name.
pub(crate) fn file_follows(schema: &str, path: &Path) {
    object_follows(schema, &fs::read_to_string(path).unwrap());
}

/// The object, on however many lines, follows the schema of this name.
pub(crate) fn object_follows(schema: &str, text: &str) {
    let value = unique::read(text);
    follow(schema, &value.to_string());
}

/// Every file of this folder follows the schema; gives their paths.
fn files_follow(schema: &str, folder: &Path) -> Vec<PathBuf> {
    let paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in &paths {
        file_follows(schema, path);
    }
    paths
}

/// The records of a run follow their schemas, and so do the explanations of them; gives the number of records.
fn records_follow(run: &Path) -> usize {
    file_follows("manifest", &run.join("manifest.json"));
    let games = files_follow("game", &run.join("games"));
    let answers = files_follow("answer", &run.join("answers"));
    for record in games.iter().chain(&answers) {
        let explained = printed(&["explain", record.to_str().unwrap(), "--json"], "");
        object_follows("explain", &explained);
    }
    games.len() + answers.len()
}

/// An assignment with a competition of three built-in agents, and with a grade for what `hopeless` of the samples does.
fn assignment(folder: &Path) -> String {
    let positions = root().join("tournaments/checkers-2021/positions");
    let text = format!(
        r#"title = "Small"
        game = "checkers"
        minimum_isolation = "bare"
        [[grade]]
        kind = "single-moves"
        positions = '{}'
        time = 30
        points_each = 1
        [[grade]]
        kind = "games"
        opponent = "builtin:random"
        games = 2
        points_each = 2.5
        [[grade]]
        kind = "games"
        name = "rate"
        opponent = "builtin:random"
        games = 2
        points_by_win_rate = [{{ from = 50, points_times_rate = 15 }}, {{ from = 90, points = 25 }}]
        [competition]
        format = "elimination"
        agents = ["a=builtin:random,seed=1", "b=builtin:random,seed=2", "c=builtin:minimax,depth=1"]
        "#,
        positions.display()
    );
    let path = folder.join("small.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn a_competition() {
    let folder = TempDir::new().unwrap();
    let assignment = assignment(folder.path());
    let (run, copy) = (folder.path().join("run"), folder.path().join("copy"));
    let [out, away] = [&run, &copy].map(|path| path.to_str().unwrap());

    object_follows("plan", &printed(&["plan", &assignment, "--out", out, "--json"], ""));
    object_follows("plan", &printed(&["plan", "--next", out, "--json"], ""));
    object_follows("standings", &printed(&["standings", out, "--json", "--ratings"], ""));

    let events = printed(&["compete", &assignment, "--out", out, "--events", "-"], "");
    assert!(follow("event", &events) > 4, "{events}");
    assert!(records_follow(&run) >= 2);
    let games = printed(&["export", out, "--format", "jsonl"], "");
    assert!(follow("summary", &games) >= 2);
    let copied = std::process::Command::new("cp").args(["-r", out, away]).status();
    assert!(copied.unwrap().success());
    object_follows("verify", &printed(&["verify", out, "--json"], ""));
    object_follows("merge", &printed(&["merge", out, away, "--json"], ""));
    for arguments in [&["standings", out, "--json", "--ratings"][..], &["standings", out, "--json"]] {
        object_follows("standings", &printed(arguments, ""));
    }
    object_follows("status", &printed(&["status", out, "--json"], ""));
    object_follows("plan", &printed(&["plan", "--next", out, "--json"], ""));
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn a_ladder() {
    require!(PYTHON3);
    let folder = TempDir::new().unwrap();
    let [ladder, settings, class] = ["ladder", "ladder.toml", "class"].map(|name| folder.path().join(name));
    let text = "title = \"x\"\ngame = \"duo-othello\"\n[draws]\nturn_limit = 8\n[ladder]\n";
    fs::write(&settings, text).unwrap();
    for (student, program) in [("ada", "agents/duo-othello-python/homework.py"), ("eve", "agents/README.md")] {
        fs::create_dir_all(class.join(student)).unwrap();
        fs::copy(root().join(program), class.join(student).join("homework.py")).unwrap();
    }
    let [ladder, settings, class] = [&ladder, &settings, &class].map(|path| path.to_str().unwrap());
    printed(&["ladder", "new", ladder, "--assignment", settings, "--isolation", "bare"], "");
    printed(&["ladder", "update", ladder, class], "");
    fs::create_dir_all(Path::new(class).join("bob")).unwrap();
    fs::write(
        Path::new(class).join("bob/homework.py"),
        fs::read_to_string(Path::new(class).join("ada/homework.py")).unwrap() + "\n#",
    )
    .unwrap();
    printed(&["ladder", "update", ladder, class], "");
    printed(&["ladder", "request", ladder, "ada", "bob"], "");
    printed(&["ladder", "play", ladder, "--pairs", "2"], "");
    printed(&["ladder", "withdraw", ladder, "bob"], "");
    assert_eq!(records_follow(Path::new(ladder)), 4);
    assert_eq!(files_follow("ladder-request", &Path::new(ladder).join("requests")).len(), 1);
    object_follows("ladder-standings", &printed(&["ladder", "standings", ladder, "--json"], ""));
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn a_grading() {
    require!(PYTHON3);
    let folder = TempDir::new().unwrap();
    let class = folder.path().join("class");
    for (student, file, text) in [("misnamed", "homewrok.py", "x"), ("link", "homework.py", "print()")] {
        fs::create_dir_all(class.join(student)).unwrap();
        fs::write(class.join(student).join(file), text).unwrap();
    }
    std::os::unix::fs::symlink("/etc/passwd", class.join("link/data")).unwrap();
    let hopeless = class.join("hopeless");
    fs::create_dir(&hopeless).unwrap();
    let sample = root().join("tournaments/samples/checkers-2021/hopeless/homework.py");
    fs::copy(sample, hopeless.join("homework.py")).unwrap();
    let run = folder.path().join("run");
    let assignment = assignment(folder.path());
    let [out, class, hopeless] = [&run, &class, &hopeless].map(|path| path.to_str().unwrap());
    printed(&["grade", &assignment, "--class", class, "--out", out], "");
    assert_eq!(records_follow(&run), 28);
    file_follows("gradebook", &run.join("gradebook.json"));
    object_follows("gradebook", &printed(&["gradebook", out, "--json"], ""));
    let checked = printed(&words("check {} --game checkers --quick --positions 3 --json", &[hopeless]), "");
    object_follows("check", &checked);
}

/// Two schemas describe a run, and one of them was forgotten.
#[test]
fn a_turn_has_everything_that_a_run_has() {
    let schema = |name: &str, place: &str| -> serde_json::Map<String, serde_json::Value> {
        let text = fs::read_to_string(root().join("docs/schemas").join(name)).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        schema.pointer(place).unwrap().as_object().unwrap().clone()
    };
    let run = schema("definitions.schema.json", "/$defs/run/properties");
    let turn = schema("game.schema.json", "/properties/turns/items/oneOf/1/properties");
    let missing: Vec<&String> = run.keys().filter(|key| !turn.contains_key(*key)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn games_that_are_forfeited() {
    let folder = TempDir::new().unwrap();
    let ask = "while read -r line && [ -n \"$line\" ]; do :; done";
    let [twice, unfinished, wrong, flood] =
        ["printf 'E b6 a5\\n\\nx\\n'", "echo E; sleep 1000", "printf 'x\\n\\n'", "yes"]
            .map(|answer| format!("{ask}; {answer}; {ask}; {ask}"));
    for (name, protocol, does) in [
        ("silent", "files", "echo hello >&2; exit 3"),
        ("killed", "files", "kill -9 $$"),
        ("empty", "files", ": > output.txt"),
        ("format", "files", "echo x > output.txt"),
        ("illegal", "files", "echo 'E a1 b2' > output.txt; touch extra"),
        ("link", "files", "ln -s /etc/passwd output.txt"),
        ("large", "files", "head -c 100000 /dev/zero > output.txt"),
        ("lookalike", "files", "echo x > Output.txt"),
        ("binary", "files", "printf '\\377\\376' > output.txt"),
        ("spinning", "files", "while :; do :; done"),
        ("left-over", "files", "sleep 1000 & echo 'E b6 a5' > output.txt"),
        ("gone", "stdio", "exit 3"),
        ("unfinished", "stdio", &unfinished),
        ("twice", "stdio", &twice),
        ("wrong", "stdio", &wrong),
        ("flood", "stdio", &flood),
    ] {
        let program = folder.path().join(name);
        fs::write(&program, format!("#!/bin/sh\n{does}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let run = folder.path().join(format!("{name}-run"));
        let [agent, out] = [&program, &run].map(|path| path.to_str().unwrap());
        let mut play =
            words("play {} builtin:random --game checkers --time 1 --protocol {} --out {}", &[agent, protocol, out]);
        if protocol == "stdio" {
            play.extend(["--startup-time", "1"]);
        }
        let told = printed(&play, "");
        assert!(told.contains("loses:"), "{name}: {told}");
        assert_eq!(records_follow(&run), 1, "{name}");
    }
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn games_with_rule_sets_and_of_people() {
    let folder = TempDir::new().unwrap();
    for (black, rest) in [
        ("builtin:random", &["--game", "halma", "--turn-limit", "4"][..]),
        ("builtin:random", &["--game", "little-go"]),
        ("human", &["--game", "checkers", "--time", "none"]),
    ] {
        let run = folder.path().join(format!("{}-{}", black.replace(':', "-"), rest[1]));
        let out = ["--out", run.to_str().unwrap()];
        let play = ["play", black, "builtin:minimax,depth=1,pace=0.5"];
        printed(&[&play[..], rest, &out].concat(), "resign\n");
        assert_eq!(records_follow(&run), 1, "{rest:?}");
    }
}

#[test]
fn answers_about_positions() {
    let case = |name: &str| format!("{CASES}/case-{name}");
    let (input, other) = (case("01.input.txt"), case("02.expected.txt"));
    object_follows("moves", &printed(&["moves", "--game", "halma", "--json"], ""));
    object_follows("solve", &printed(&["solve", "--input", &input, "--json"], ""));
    for game in ["checkers", "star-circle"] {
        let made = ["positions", "--game", game, "--count", "2", "--json"];
        assert_eq!(follow("position", &printed(&made, "")), 2);
        let listed = ["positions", "--game", game, "--list-kinds", "--json"];
        assert!(follow("position", &printed(&listed, "")) > 2);
    }
    let judge = words("judge --game star-circle --input {} --output {} --json", &[&input, &other]);
    object_follows("judge", &printed(&judge, ""));

    let board = ".b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
    let input = format!("GAME\nBLACK\n100.0\n{board}");
    let request = |output: &str| format!("{}\n", json!({ "id": [output], "input": input, "output": output }));
    let requests: String = ["E b6 a5", "E b6  a5", "E b6 b5", "x", ""].map(request).concat();
    let replies = printed(&["judge", "--game", "checkers", "--batch"], &requests);
    assert_eq!(follow("judge", &replies), 5, "{replies}");
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn what_this_machine_can_do() {
    object_follows("doctor", &printed(&["doctor", "--json"], ""));
}

/// These files come and go, or come of accidents.
#[test]
fn what_few_runs_leave() {
    let folder = TempDir::new().unwrap();
    let game: GameRef = "checkers".parse().unwrap();
    let conditions = Conditions::usual(game, CpuTime::from_micros(5));
    let run = RunFolder::begin(folder.path(), &Manifest::new(game, conditions, 0), &KnownGames::builtin()).unwrap();
    let time = CpuTime::from_micros(5);
    let live = LiveGame {
        schema: SCHEMA,
        id: "g0001".to_owned(),
        turns: 3,
        rows: vec!["b.".to_owned()],
        notes: "Captures: X 4".to_owned(),
        before: vec![".b".to_owned()],
        at_work: Some(Side::Black),
        since_unix_ms: unix_ms(),
        written_unix_ms: unix_ms(),
        clocks: PerSide { black: time, white: time },
        last: Some(LastTurn { side: Side::White, mv: None }),
    };
    run.publish(&live).unwrap();
    run.count_void("g0001", &["ada".to_owned()], "the keeper is gone", VoidBlame::Machine).unwrap();
    let calibration = CalibrationRecord {
        schema: SCHEMA,
        agent: "ada".to_owned(),
        digest: "00".to_owned(),
        host: Host::this(),
        remark: Some("it was slow".to_owned()),
        file: Some(Bytes(vec![0xff])),
    };
    run.keep_calibration(&calibration).unwrap();
    for (schema, part) in [("live", "live"), ("void", "voids"), ("calibration", "calibrations")] {
        assert_eq!(files_follow(schema, &folder.path().join(part)).len(), 1, "{part}");
    }
}

#[test]
fn every_schema_is_in_the_documentation() {
    let page = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for name in SCHEMAS.names().filter(|name| *name != "definitions.schema.json") {
        assert!(page.contains(&format!("](schemas/{name})")), "{name}");
    }
}
