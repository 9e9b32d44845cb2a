//! Reads the sections `[[grade]]`. It counts nothing; [`super::read`] calls it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::entry::RawValue;
use super::keys::{CASES, FileSection, GAMES, GRADE, SINGLE_MOVES};
use super::table::TableReader;
use super::win_rate::read_bands;
use super::{Context, POINTS_EACH, TIMES};
use crate::assignment::gradebook_columns::is_gradebook_column;
use crate::assignment::{
    Criterion, CriterionKind, CriterionPoints, DrawPoints, FirstMoves, Points, QuestionFolder, RightAnswers,
};
use referee_games::protocol::plain;
use referee_submissions::agents::{AgentName, AgentSource, AgentSpec};
use referee_time::CpuTime;

/// The value of `first_move` if the extra game of an odd number goes by lot.
pub(super) const BY_LOT: &str = "lot";

/// Reads the tasks of a criterion of one kind, and their number as far as it is known.
type TaskReader = fn(&TableReader<'_>, &Context<'_>) -> Option<(CriterionKind, u32)>;

/// The kinds, each with its name, the reader of its tasks and the keys of its own.
const KINDS: [(&str, (TaskReader, &FileSection)); 3] = [
    ("single-moves", (read_single_moves, &SINGLE_MOVES)),
    ("games", (read_games, &GAMES)),
    ("cases", (read_cases, &CASES)),
];

/// The word for right answers that are computed.
const BY_SOLVER: &str = "solver";

/// All readable criteria.
pub(super) fn read(top: &TableReader<'_>, context: &Context<'_>) -> Vec<Criterion> {
    let tables = top.get("grade").and_then(|grade| grade.list()).unwrap_or_default();
    let mut names = BTreeSet::new();
    let mut total = Some(Points::ZERO);
    let mut criteria = Vec::new();
    for entry in tables {
        let Some(entries) = entry.table() else { continue };
        let table = TableReader::new(&GRADE, Some(entries), entry.at.clone(), top.report);
        let Some((criterion, items)) = read_criterion(table, context, &mut names) else {
            continue;
        };
        let most = criterion.worth.most(items);
        let within = |sum: &Points| *sum <= Points::ASSIGNMENT_MAX;
        let sum = total.and_then(|total| total.checked_add(most?)).filter(within);
        if total.is_some() && sum.is_none() {
            let message = format!("the assignment is worth more than {} points", Points::ASSIGNMENT_MAX);
            top.report.add(entry.at, message, "reduce the points");
        }
        total = sum;
        criteria.push(criterion);
    }
    criteria
}

/// A criterion and the number of its items, if known.
fn read_criterion(
    table: TableReader<'_>,
    context: &Context<'_>,
    names: &mut BTreeSet<String>,
) -> Option<(Criterion, u32)> {
    let Some((read_tasks, section)) = table.require("kind").and_then(|kind| kind.word(&KINDS)) else {
        // The kind is unknown, so accept the keys of all kinds, but no others.
        let table = KINDS.into_iter().fold(table, |table, (_, (_, section))| table.with(section));
        table.refuse_other_keys();
        return None;
    };
    let table = table.known_as(section);
    table.refuse_other_keys();
    let worth = read_worth(&table);
    let title = table.get("title").and_then(|title| title.line());
    let name = read_name(&table, names);
    let (kind, items) = read_tasks(&table, context)?;
    let criterion = Criterion {
        name,
        title: title.unwrap_or_else(|| default_title(&kind)),
        // A criterion without points was reported; it never leaves this module.
        worth: worth.unwrap_or(CriterionPoints::Each(Points::ZERO)),
        kind,
    };
    Some((criterion, items))
}

/// The points of its items; games may be counted together.
fn read_worth(table: &TableReader<'_>) -> Option<CriterionPoints> {
    let Some(entry) = table.get("points_by_win_rate") else {
        let points = table.require("points_each")?.decimal(&POINTS_EACH);
        return points.map(CriterionPoints::Each);
    };
    if let Some(each) = table.get("points_each") {
        let message = "games earn points individually or by win rate, not both";
        each.report_error(message, "remove `points_each` or `points_by_win_rate`");
    }
    read_bands(&entry).map(CriterionPoints::ByWinRate)
}

/// The criterion's unique name; by default that of its kind.
fn read_name(table: &TableReader<'_>, names: &mut BTreeSet<String>) -> String {
    let entry = table.get("name");
    let at = entry.as_ref().map_or_else(|| table.header.clone(), |entry| entry.at.clone());
    let given = entry.map(|entry| entry.checked_text(is_name).unwrap_or_default().to_owned());
    let kind = table.get("kind").and_then(|kind| kind.text());
    let name = given.unwrap_or_else(|| kind.unwrap_or_default().to_owned());
    if is_gradebook_column(&name) {
        let message = format!("the gradebook has a column `{name}` of its own");
        table.report.add(at.clone(), message, format!("choose another name, such as `name = \"{name}-2\"`"));
    }
    if !name.is_empty() && !names.insert(name.clone()) {
        let message = format!("another `[[grade]]` is also named `{name}`");
        table.report.add(at, message, format!("choose another name, such as `name = \"{name}-2\"`"));
    }
    name
}

/// Lower-case letters, digits and single hyphens: valid as a file name and a column header.
fn is_name(text: &str) -> bool {
    let is_word = |word: &str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !word.is_empty() && word.bytes().all(plain)
    };
    text.len() <= 60 && text.split('-').all(is_word)
}

fn default_title(kind: &CriterionKind) -> String {
    match kind {
        CriterionKind::Questions(QuestionFolder { answers: RightAnswers::LegalMoves, .. }) => "Single moves".to_owned(),
        CriterionKind::Questions(_) => "Cases".to_owned(),
        CriterionKind::Games { opponent_name, .. } => format!("Games against {opponent_name}"),
    }
}

fn read_single_moves(table: &TableReader<'_>, context: &Context<'_>) -> Option<(CriterionKind, u32)> {
    read_questions(table, "positions", context, RightAnswers::LegalMoves)
}

fn read_cases(table: &TableReader<'_>, context: &Context<'_>) -> Option<(CriterionKind, u32)> {
    read_questions(table, "cases", context, read_answers(table, context))
}

/// The questions in the folder under `key`, each with the same time, and their number; 0 if files are not read.
fn read_questions(
    table: &TableReader<'_>,
    key: &str,
    context: &Context<'_>,
    answers: RightAnswers,
) -> Option<(CriterionKind, u32)> {
    let time = table.require("time").and_then(|time| time.decimal(&TIMES)).unwrap_or(CpuTime::ZERO);
    let entry = table.require(key)?;
    let asked = QuestionFolder { folder: read_folder(&entry, context)?, answers, time };
    let mut questions = vec![];
    if context.folder.is_some() {
        let faults;
        (questions, faults) = asked.read_texts(context.game);
        entry.report.extend_at(&entry.at, faults);
    }
    let kind = CriterionKind::Questions(asked);
    let items = kind.items(&questions);
    Some((kind, items))
}

fn read_answers(table: &TableReader<'_>, context: &Context<'_>) -> RightAnswers {
    let Some(entry) = table.get("answers") else {
        return RightAnswers::Files;
    };
    let answers = entry.word(&[("files", RightAnswers::Files), (BY_SOLVER, RightAnswers::Solver)]);
    let unsolved = context.game.filter(|game| game.puzzles().is_none());
    if let (Some(BY_SOLVER), Some(game)) = (entry.value.as_str(), unsolved) {
        let message = format!("no one right answer in {game} that could be computed");
        entry.report_error(message, "write `answers = \"files\"`, or use `kind = \"single-moves\"`");
    }
    answers.unwrap_or(RightAnswers::Files)
}

fn read_games(table: &TableReader<'_>, context: &Context<'_>) -> Option<(CriterionKind, u32)> {
    let opponent = table.require("opponent").and_then(|opponent| read_agent(&opponent, context));
    let games = table.require("games").and_then(|games| games.integer(1..=9999_u32));
    let first_move = table.get("first_move").and_then(|first_move| {
        if first_move.value.as_str() == Some(BY_LOT) {
            return Some(FirstMoves::ByLot);
        }
        let number = first_move.integer(0..=9999_u32)?;
        if games.is_some_and(|games| number > games) {
            let message =
                format!("expected {}, found `{number}`, but there are {} games", first_move.key.expected, games?);
            first_move.report_error(message, "use at most the number of games");
        }
        Some(FirstMoves::Count(number))
    });
    let play_times = read_play_times(table, games, context);
    let drawn = read_drawn(table);
    let ((opponent, opponent_name), games) = (opponent?, games?);
    let kind = CriterionKind::Games {
        opponent,
        opponent_name,
        first_move: first_move.unwrap_or_else(|| FirstMoves::Count(games.div_ceil(2))),
        play_times,
        drawn,
    };
    Some((kind, games))
}

/// The worth of a drawn game: half of the points is allowed only if they can be halved.
fn read_drawn(table: &TableReader<'_>) -> DrawPoints {
    let Some(entry) = table.get("drawn") else {
        return DrawPoints::default();
    };
    let drawn = entry.variant().unwrap_or_default();
    let each = table.decimal("points_each", &POINTS_EACH);
    if let (DrawPoints::Half, Some(odd)) = (drawn, each.filter(|each| each.half() * 2 != *each)) {
        let message = format!("half of {odd} points has more than two decimal places");
        entry.report_error(message, "use an even number of hundredths for `points_each`");
    }
    drawn
}

/// One time for all games, or a list with one per game.
fn read_play_times(table: &TableReader<'_>, games: Option<u32>, context: &Context<'_>) -> Vec<CpuTime> {
    let count = games.unwrap_or(1) as usize;
    let Some(entry) = table.get("play_time") else {
        return vec![context.play_time; count];
    };
    let Some(elements) = entry.elements() else {
        return vec![entry.decimal(&TIMES).unwrap_or(CpuTime::ZERO); count];
    };
    if let Some(games) = games.filter(|_| elements.len() != count) {
        let message = format!("expected one time for each of the {games} games, found {} times", elements.len());
        entry.report_error(message, format!("write {games} times, or one number for all games"));
    }
    elements.iter().map(|element| element.decimal(&TIMES).unwrap_or(CpuTime::ZERO)).collect()
}

/// An agent and its name. A path is relative to the assignment.
pub(super) fn read_agent(entry: &RawValue<'_>, context: &Context<'_>) -> Option<(AgentSpec, AgentName)> {
    let spec: AgentSpec = entry.parsed()?;
    if let (AgentSource::Builtin(agent), Some(game)) = (spec.source(), context.game)
        && let Err(fault) = agent.check_plays(game)
    {
        entry.report_error(fault, entry.key.remedy());
    }
    let (AgentSource::Path(path), Some(folder)) = (spec.source(), context.folder) else {
        let name = spec.name();
        return Some((spec, name));
    };
    let path = folder.join(path);
    if !path.exists() {
        let message = format!("no agent at `{}`", plain(&path.to_string_lossy()));
        entry.report_error(message, "name a directory, a source file, an executable or `builtin:minimax`");
    }
    Some((AgentSpec::of_path(path), spec.name()))
}

pub(super) fn read_folder(entry: &RawValue<'_>, context: &Context<'_>) -> Option<PathBuf> {
    let written = entry.checked_text(|text| !text.is_empty() && !text.contains('\0'))?;
    Some(context.folder.map_or_else(|| written.into(), |folder| folder.join(written)))
}
