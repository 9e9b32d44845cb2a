//! Parses the TOML of an assignment. [`super::Assignment`] calls it.
//!
//! The text becomes tables with the place of every value. Each table is asked for its allowed keys (`keys`); others are
//! refused. A wrong value is reported and skipped, and reading continues, so that one pass finds all faults. The
//! assignment is returned only without faults.

mod competition;
mod criteria;
mod diagnostics;
mod entry;
mod keys;
mod ladder;
mod late;
mod submission;
mod table;
mod win_rate;

use std::ops::RangeInclusive;
use std::path::Path;

use toml::de::DeTable;

use super::{Assignment, AssignmentError, AssignmentErrors, ClockRules, ErrorSpan, Points};
use diagnostics::Diagnostics;
use entry::RawValue;
use referee_games::protocol::plain;
use referee_games::{DrawRules, GameName, GameRef, KnownGames, RulesUnavailable, UnknownGame, UnknownRules};
use referee_records::{MAX_ASSIGNMENT_BYTES, read_bounded};
use referee_seat::{Isolation, Limits, Protocol};
use referee_submissions::agents::{CALIBRATE_LIMIT, COMPILE_LIMIT};
use referee_time::{CpuTime, WallTime};
use table::TableReader;

/// Which game the text is about.
#[derive(Clone, Copy, Debug)]
enum GameSource<'a> {
    /// The one that it names, of these.
    Named(&'a KnownGames),
    /// This one.
    Given(GameRef),
}

const A_DAY: u64 = 86_400;

/// The range of play times and answer times: at most a day, so that milliseconds are not taken for seconds.
const TIMES: RangeInclusive<CpuTime> = CpuTime::from_micros(1)..=CpuTime::from_secs(A_DAY);

/// The allowed points of one item: more than zero, and not so many that it must be a mistake.
const POINTS_EACH: RangeInclusive<Points> = Points::from_hundredths(1)..=Points::from_hundredths(100_000);

/// The range of grace periods, which may be zero.
const GRACES: RangeInclusive<CpuTime> = CpuTime::ZERO..=CpuTime::from_secs(A_DAY);

const WAITS: RangeInclusive<WallTime> = WallTime::from_micros(1)..=WallTime::from_secs(A_DAY);

impl Assignment {
    /// Parses the text of an assignment for one of these games. Reads no files but a rules program's, and leaves paths
    /// as written; errors name the text `file`.
    ///
    /// # Errors
    ///
    /// All faults of the text together. If it is not valid TOML, only the syntax errors.
    pub fn parse(text: &str, file: &Path, games: &KnownGames) -> Result<Self, AssignmentErrors> {
        read(text, file, None, GameSource::Named(games))
    }

    /// Parses the text of an assignment for `game`, which it names, like [`Self::parse`].
    ///
    /// # Errors
    ///
    /// All faults of the text together.
    pub fn parse_for(game: GameRef, text: &str, file: &Path) -> Result<Self, AssignmentErrors> {
        read(text, file, None, GameSource::Given(game))
    }

    /// Reads the assignment at `path` for one of these games, and checks every file that it names. Paths become
    /// relative to the working directory instead of the assignment.
    ///
    /// # Errors
    ///
    /// All faults of the assignment and its files together.
    pub fn load(path: &Path, games: &KnownGames) -> Result<Self, AssignmentErrors> {
        let alone = |place, message, remedy: &str| {
            let (file, remedy) = (path.to_owned(), remedy.to_owned());
            let fault = AssignmentError { file, place, message, remedy };
            AssignmentErrors::of(vec![fault], path).expect("there is one")
        };
        let bytes = read_bounded(path, MAX_ASSIGNMENT_BYTES).map_err(|error| {
            let remedy = "name an existing assignment file; a release has samples in its directory `tournaments`";
            alone(None, format!("cannot read the assignment: {error}"), remedy)
        })?;
        let text = str::from_utf8(&bytes).map_err(|error| {
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            let shown = format!("{}\u{fffd}", String::from_utf8_lossy(valid));
            let place = ErrorSpan::of(&shown, valid.len()..shown.len());
            let message = format!("expected UTF-8, found the byte 0x{:02x}", rest.first().copied().unwrap_or_default());
            alone(Some(place), message, "save the file in UTF-8")
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        read(text, path, Some(folder), GameSource::Named(games))
    }
}

/// Parses the assignment `text`; faults name it `file`. The files that it names are checked, and their paths relative
/// to its `folder`, if that is given.
fn read(text: &str, file: &Path, folder: Option<&Path>, game: GameSource<'_>) -> Result<Assignment, AssignmentErrors> {
    let report = Diagnostics::new(file, text);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let at = error.span().unwrap_or(0..0);
        report.add(at, format!("not TOML: {}", error.message()), "see https://toml.io for the syntax");
    }
    // The remains of a broken text would cause spurious faults.
    let document = errors.is_empty().then(|| document.get_ref());
    let assignment = document.and_then(|document| read_document(document, &report, folder, (game, file)));
    let faults = AssignmentErrors::of(report.into_faults(), file);
    match (faults, assignment) {
        (Some(faults), _) => Err(faults),
        (None, assignment) => Ok(assignment.expect("what could not be read has been reported")),
    }
}

/// The values of the whole assignment that its parts need.
struct Context<'a> {
    /// `None` if it could not be read.
    game: Option<GameRef>,
    /// The default play time.
    play_time: CpuTime,
    /// The folder of the assignment, if the files that it names are checked.
    folder: Option<&'a Path>,
}

/// Reads everything before dropping anything, so that every fault is found.
fn read_document<'a>(
    document: &'a DeTable<'a>,
    report: &'a Diagnostics<'a>,
    folder: Option<&Path>,
    (game, file): (GameSource<'_>, &Path),
) -> Option<Assignment> {
    let top = TableReader::new(&keys::TOP, Some(document), 0..0, report);
    top.refuse_other_keys();
    let title = top.require("title").and_then(|title| title.line());
    let game = read_game(&top, folder, game, file);
    let protocol = top.variant("protocol").unwrap_or_default();
    let clock = read_clock(&top, game, protocol);
    let context = Context { game, play_time: clock.play_time, folder };
    let submission = submission::read(&top, &context);
    let tolerance = top.variant("tolerance").unwrap_or_default();
    let limits = read_limits(&top);
    let minimum_isolation = top.get("minimum_isolation").and_then(|level| level.parsed());
    let draws = read_draws(&top, game);
    let late = late::read(&top);
    let seed = top.integer("seed", 0..=u64::MAX);
    let criteria = criteria::read(&top, &context);
    let competition = competition::read(&top, &context);
    let ladder = ladder::read(&top, &context);
    if ["grade", "competition", "ladder"].into_iter().all(|section| top.get(section).is_none()) {
        let remedy = "add a `[[grade]]`, a `[competition]` or both";
        report.add(0..0, "the assignment has no `[[grade]]` and no `[competition]`", remedy);
    }
    Some(Assignment {
        title: title?,
        game: game?,
        submission,
        clock,
        protocol,
        tolerance,
        limits,
        // Machines without `sealed` are common; below `confined`, submissions can read each other.
        minimum_isolation: minimum_isolation.unwrap_or(Isolation::Confined),
        draws: draws?,
        seed: seed.unwrap_or(0),
        criteria,
        late,
        competition,
        ladder,
    })
}

/// The game, by its rule set if one is named.
fn read_game(top: &TableReader<'_>, folder: Option<&Path>, source: GameSource<'_>, file: &Path) -> Option<GameRef> {
    let game = top.require("game").and_then(|entry| match source {
        GameSource::Given(game) => Some(game),
        GameSource::Named(games) => named_game(&entry, folder.is_some(), games, file),
    });
    let Some(entry) = top.get("rules") else {
        return game;
    };
    let rules = entry.text()?;
    match game?.with_rules(rules) {
        Ok(game) => Some(game),
        Err(fault) => {
            let remedy = match &fault {
                UnknownRules::OneSet { .. } => "remove it".to_owned(),
                UnknownRules::Others { nearest, .. } => format!("write `rules = \"{nearest}\"`"),
            };
            entry.report_error(fault.to_string(), remedy);
            None
        }
    }
}

/// The built-in game of that name, or the game of the rules program at this path, relative to the assignment. An
/// assignment kept by a run means the program kept by the run.
fn named_game(entry: &RawValue<'_>, is_checked: bool, games: &KnownGames, file: &Path) -> Option<GameRef> {
    let name = entry.text()?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let unknown = |fault: UnknownGame| {
        let nearest = fault.nearest().map(|name| format!("write `game = \"{name}\"`"));
        entry.report_error(&fault, nearest.unwrap_or_else(|| entry.key.remedy()));
    };
    let unavailable = |fault: RulesUnavailable| {
        let path = plain(&folder.join(name).display().to_string());
        entry.report_error(&fault, format!("the path is relative to this file: `referee game check {path}` tries it"));
    };
    match name.parse().map_err(unknown).ok()? {
        GameName::Builtin(game) => Some(game),
        GameName::RulesAt(path) => {
            let path = folder.join(path);
            let found = if is_checked || path.exists() { games.at(&path) } else { games.kept(folder) };
            found.map_err(unavailable).ok()
        }
    }
}

fn read_clock(top: &TableReader<'_>, game: Option<GameRef>, protocol: Protocol) -> ClockRules {
    let clock = top.table("clock", &keys::CLOCK);
    let usual = game.map(|game| game.profile());
    let play_time = clock.decimal("play_time", &TIMES).or(usual.map(|usual| usual.play_time));
    let move_time = clock.decimal("move_time", &TIMES).or(usual.and_then(|usual| usual.move_time));
    let overruns = clock.integer("overruns", 0..=1000);
    let longest_move = clock.decimal("longest_move", &TIMES);
    let startup_time = clock.decimal("startup_time", &GRACES);
    expect_sensible(&clock, protocol, move_time, longest_move);
    ClockRules {
        charge: clock.variant("charge").unwrap_or_default(),
        play_time: play_time.unwrap_or(CpuTime::from_secs(300)),
        move_time,
        overruns: overruns.unwrap_or(0),
        longest_move,
        startup_time: startup_time.unwrap_or(CpuTime::ZERO),
        grace: clock.decimal("grace", &GRACES).unwrap_or(CpuTime::ZERO),
        wall_limit_factor: clock.integer("wall_limit_factor", 1..=1000).unwrap_or(3),
        wall_limit_extra: clock.decimal("wall_limit_extra", &WAITS).unwrap_or(WallTime::from_secs(10)),
        compile_time: clock.decimal("compile_time", &TIMES).unwrap_or(COMPILE_LIMIT.cpu),
        calibrate_time: clock.decimal("calibrate_time", &TIMES).unwrap_or(CALIBRATE_LIMIT.cpu),
    }
}

/// Refuses settings of the clock that could have no effect.
fn expect_sensible(
    clock: &TableReader<'_>,
    protocol: Protocol,
    move_time: Option<CpuTime>,
    longest_move: Option<CpuTime>,
) {
    if let (Some(entry), Protocol::Files) = (clock.get("startup_time"), protocol) {
        let found = "it is for programs that live for a whole game";
        entry.report_error(found, "add `protocol = \"stdio\"` at the top of the file, or remove it");
    }
    if let (Some(entry), None) = (clock.get("overruns"), move_time) {
        entry.report_error("it counts moves beyond `move_time`, which is missing", "add `move_time`");
    }
    let Some(entry) = clock.get("longest_move") else {
        return;
    };
    if clock.get("overruns").is_none() {
        let found = "it limits the moves that `overruns` allows, which is missing";
        entry.report_error(found, "add `overruns`, or set `move_time` alone");
    } else if longest_move <= move_time {
        entry.report_error("it is not longer than `move_time`", "choose a longer `longest_move`, or remove it");
    }
}

fn read_limits(top: &TableReader<'_>) -> Limits {
    let limits = top.table("limits", &keys::LIMITS);
    let default = Limits::default();
    let mebibytes = |name, default: u64| {
        let given = limits.integer(name, 1..=1_u64 << 20);
        given.map_or(default, |mebibytes| mebibytes << 20)
    };
    let output = limits.integer("output_size_kib", 1..=128_u64);
    Limits {
        memory_bytes: mebibytes("memory_mib", default.memory_bytes),
        processes: limits.integer("processes", 1..=1 << 16).unwrap_or(default.processes),
        file_bytes: mebibytes("file_size_mib", default.file_bytes),
        directory_bytes: mebibytes("directory_size_mib", default.directory_bytes),
        directory_files: limits.integer("directory_files", 8..=1 << 20).unwrap_or(default.directory_files),
        open_files: limits.integer("open_files", 16..=1 << 16).unwrap_or(default.open_files),
        output_bytes: output.map_or(default.output_bytes, |kibibytes| kibibytes << 10),
    }
}

/// The draw rules of the game with the given changes; `None` if the game is unknown.
fn read_draws(top: &TableReader<'_>, game: Option<GameRef>) -> Option<DrawRules> {
    let draws = top.table("draws", &keys::DRAWS);
    let [idle_turns, repetitions, turn_limit] =
        ["idle_turns", "repetitions", "turn_limit"].map(|name| draws.get(name).and_then(|turns| read_turns(&turns)));
    let default = game?.profile().draws;
    Some(DrawRules {
        idle_turns: idle_turns.unwrap_or(default.idle_turns),
        repetitions: repetitions.unwrap_or(default.repetitions),
        turn_limit: turn_limit.unwrap_or(default.turn_limit),
    })
}

/// A number of turns, or `none`.
#[expect(clippy::option_option, reason = "a rule that is switched off is not a rule that is not given")]
fn read_turns(turns: &RawValue<'_>) -> Option<Option<u32>> {
    if turns.value.as_str() == Some("none") {
        return Some(None);
    }
    turns.integer(1..=100_000).map(Some)
}

#[cfg(test)]
mod tests {
    use super::keys::{FileSection, KeySpec, SECTIONS};
    use super::*;

    /// The lines before the keys of `section`; `` `[[grade]]` of kind `games` `` begins with `[[grade]]` and its kind.
    fn opening(section: &FileSection, key: &KeySpec) -> String {
        let words: Vec<_> = section.heading.split('`').collect();
        match words[..] {
            [_, header, _] => format!("{header}\n"),
            [_, header, of, value, _] => {
                let selector = of.trim_start_matches(" of ").trim();
                assert_ne!(selector, key.name);
                format!("{header}\n{selector} = \"{value}\"\n")
            }
            _ => String::new(),
        }
    }

    #[test]
    fn every_key_is_read_and_refuses_what_it_cannot_be() {
        for (section, key) in
            SECTIONS.into_iter().flat_map(|section| section.keys.iter().map(move |key| (section, key)))
        {
            let opening = opening(section, key);
            // `name` and `title` of a criterion are read once its kind is known.
            let kind = if section.heading == "`[[grade]]`" && key.name != "kind" { "kind = \"games\"\n" } else { "" };
            let text = format!("{opening}{kind}{} = 1979-05-27\n", key.name);
            let faults = Assignment::parse(&text, Path::new("x"), &KnownGames::builtin()).unwrap_err();
            let expected = format!("`{}`: expected {}, found a date", key.name, key.expected);
            let found = faults.all().iter().find(|fault| fault.message.starts_with(&expected));
            assert!(found.is_some(), "{text}{faults}");
        }
    }

    #[test]
    fn a_rules_program_is_for_the_known_games_to_find() {
        let text = "title = \"x\"\ngame = \"no/such/rules.py\"\n[[grade]]\nkind = \"games\"\n";
        let faults = Assignment::parse(text, Path::new("x/hw.toml"), &KnownGames::builtin()).unwrap_err();
        let unavailable = faults.all().iter().find(|fault| fault.message.starts_with("`game`: ")).unwrap();
        assert_eq!(unavailable.message, "`game`: rules programs cannot be used here");
        assert!(unavailable.remedy.contains("`referee game check x/no/such/rules.py`"), "{}", unavailable.remedy);
    }

    #[test]
    fn every_example_would_do() {
        for section in SECTIONS {
            for key in section.keys.iter().filter(|key| !key.example.starts_with('[')) {
                let opening = opening(section, key);
                let kind =
                    if section.heading == "`[[grade]]`" && key.name != "kind" { "kind = \"games\"\n" } else { "" };
                let companions = match key.name {
                    "startup_time" => "protocol = \"stdio\"\n[clock]\n",
                    "overruns" => "[clock]\nmove_time = 10\n",
                    "longest_move" => "[clock]\nmove_time = 10\noverruns = 2\n",
                    _ => &opening,
                };
                let game = if key.name == "game" { "" } else { "game = \"halma\"\n" };
                let text = format!("{game}{companions}{kind}{} = {}\n", key.name, key.example);
                let faults = Assignment::parse(&text, Path::new("x"), &KnownGames::builtin()).unwrap_err();
                let about = format!("`{}`: ", key.name);
                let found = faults.all().iter().find(|fault| fault.message.starts_with(&about));
                assert_eq!(found, None, "{text}{faults}");
            }
        }
    }
}
