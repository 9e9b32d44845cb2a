//! Computes the gradebook from the records of a grading. It judges nothing and stores nothing; gradebook commands and
//! reports call it.

use std::collections::{BTreeMap, HashMap};

use super::answered::answer_item;
use super::gradebook::half_wins;
use super::gradebook::{
    CriterionHead, FinalTurn, GameItem, Gradebook, GradebookItem, GradingState, ItemState, Review, StudentGrade,
    VoidItem, WinRateItem,
};
use super::late::late_grade;
use super::plan::{games_begun, item_id, win_rate_id};
use super::recheck::again_id;
use crate::assignment::{
    Assignment, Criterion, CriterionKind, CriterionPoints, DrawPoints, Points, WinCount, WinRateBands, agent_begins,
};
use referee_games::Side;
use referee_games::protocol::quote;
use referee_matches::referee::{explain, recorded_positions, time_loss};
use referee_messages::{AnalysisWords, SideNames, time_loss_sentence};
use referee_records::{
    CloseCall, GameRecord, Manifest, OtherClockResult, PlayerKind, PlayerRecord, RecordError, RunFolder,
    StudentIdentity, StudentRecord, TurnRecord, Verdict, VoidRecord,
};
use referee_seat::{Isolation, Meter};
use referee_submissions::agents::SubmissionFault;

/// How many of a game's last turns are shown.
const LAST_TURNS: usize = 6;

/// Counts the points of the run in `folder` under `assignment`.
///
/// # Errors
///
/// [`RecordError`] if a part of the run cannot be read.
pub fn gradebook(assignment: &Assignment, folder: &RunFolder) -> Result<Gradebook, RecordError> {
    let manifest = folder.manifest()?;
    let mut tally = GradeTally {
        assignment,
        manifest: &manifest,
        folder,
        isolation: vec![],
        meters: vec![],
        review: vec![],
        last_began: 0,
        voids: voids(folder, &manifest)?,
    };
    let criteria: Vec<CriterionHead> = assignment.criteria.iter().map(|criterion| tally.head(criterion)).collect();
    let agent_records = manifest.agents.iter().filter(|agent| agent.role.is_participant());
    let mut students = vec![];
    for agent in agent_records {
        let criteria = tally.criteria(&agent.name)?;
        students.push(student(agent.name.clone(), agent.origin.clone(), criteria, agent.remarks.clone(), None));
    }
    for rejection in &manifest.rejected {
        let state = GradingState::Rejected {
            fault: rejection.fault.clone(),
            compiler_output: rejection.compiler_output.clone(),
        };
        let criteria = tally.criteria(&rejection.name)?;
        let (name, origin) = (rejection.name.clone(), rejection.origin.clone());
        students.push(student(name, origin, criteria, vec![], Some(state)));
    }
    let mut students = each_student(students, &manifest, assignment);
    students.sort_by(|a, b| a.name.cmp(&b.name));
    tally.isolation.sort_unstable();
    tally.isolation.dedup();
    tally.meters.sort_by_key(|meter| Meter::BEST_FIRST.iter().position(|best| best == meter));
    tally.meters.dedup();
    Ok(Gradebook {
        title: assignment.title.clone(),
        game: assignment.game,
        conditions: manifest.conditions.clone(),
        host: manifest.host.clone(),
        isolation: tally.isolation,
        meters: tally.meters,
        last_began_unix_s: tally.last_began,
        late: assignment.late.clone(),
        criteria,
        students,
        review: tally.review,
    })
}

/// The lines of the gradebook: a submission is that of its student, or of each of a group, less what lateness costs.
fn each_student(submissions: Vec<StudentGrade>, manifest: &Manifest, assignment: &Assignment) -> Vec<StudentGrade> {
    let mut lines = Vec::new();
    for submission in submissions {
        let known = manifest.students.iter();
        let mut known: Vec<StudentRecord> =
            known.filter(|known| known.submission == submission.submission).cloned().collect();
        if known.is_empty() {
            known.push(StudentRecord { name: submission.name.clone(), ..StudentRecord::default() });
        }
        for record in known {
            let rules = assignment.late.as_ref().filter(|_| was_handed_in(&submission.state));
            let late = rules.map(|rules| late_grade(rules, &record, submission.points, submission.of));
            let penalty = late.as_ref().map_or(0, |late| late.penalty.hundredths());
            lines.push(StudentGrade {
                name: record.name,
                identity: record.identity,
                points: Points::from_hundredths(submission.points.hundredths().saturating_sub(penalty)),
                late,
                ..submission.clone()
            });
        }
    }
    lines
}

/// Who has handed in nothing, or nothing that is surely theirs, is not late.
fn was_handed_in(state: &GradingState) -> bool {
    match state {
        GradingState::Graded | GradingState::Unfinished { .. } => true,
        GradingState::Rejected { fault, .. } => !SubmissionFault::WITHOUT_SUBMISSION.contains(&&*fault.code),
    }
}

/// The voids, by the names of their items.
fn voids(folder: &RunFolder, manifest: &Manifest) -> Result<HashMap<String, VoidItem>, RecordError> {
    let voids = folder.voids(manifest)?.into_iter();
    let voids = voids.map(|VoidRecord { id, times, reason, blame, .. }| (id, VoidItem { times, reason, blame }));
    Ok(voids.collect())
}

fn student(
    name: String,
    origin: String,
    criteria: Vec<Vec<GradebookItem>>,
    remarks: Vec<String>,
    rejected: Option<GradingState>,
) -> StudentGrade {
    let items = || criteria.iter().flatten();
    let missing = items().filter(|item| item.state == ItemState::Missing).count();
    let state = rejected.unwrap_or(match u32::try_from(missing).unwrap_or(u32::MAX) {
        0 => GradingState::Graded,
        missing => GradingState::Unfinished { missing },
    });
    StudentGrade {
        points: items().map(|item| item.points).sum(),
        of: items().map(|item| item.of).sum(),
        submission: name.clone(),
        identity: StudentIdentity::default(),
        late: None,
        name,
        origin,
        state,
        criteria,
        remarks,
    }
}

struct GradeTally<'a> {
    assignment: &'a Assignment,
    manifest: &'a Manifest,
    folder: &'a RunFolder,
    isolation: Vec<Isolation>,
    meters: Vec<Meter>,
    review: Vec<Review>,
    voids: HashMap<String, VoidItem>,
    last_began: u64,
}

impl GradeTally<'_> {
    fn head(&self, criterion: &Criterion) -> CriterionHead {
        let items = u32::try_from(self.titles(criterion, "").len()).expect("an assignment has at most 9999 items");
        CriterionHead {
            name: criterion.name.clone(),
            title: criterion.title.clone(),
            of: (criterion.worth.most(items)).expect("an assignment of more than a million points is refused"),
            items,
            by_win_rate: match &criterion.worth {
                CriterionPoints::Each(_) => None,
                CriterionPoints::ByWinRate(bands) => Some(bands.clone()),
            },
            drawn: match criterion.kind {
                CriterionKind::Games { drawn, .. } => Some(drawn),
                CriterionKind::Questions(_) => None,
            },
        }
    }

    /// The titles of `student`'s items in `criterion`.
    fn titles(&self, criterion: &Criterion, student: &str) -> Vec<String> {
        match &criterion.kind {
            CriterionKind::Games { opponent_name, first_move, play_times, .. } => {
                let all = u32::try_from(play_times.len()).expect("an assignment has at most 9999 games");
                let begun = games_begun(self.assignment, &criterion.name, *first_move, all, student);
                let title = |(index, time)| {
                    let turn = if agent_begins(index, begun, all) { "first" } else { "second" };
                    format!("game {} of {all} against {opponent_name}, {turn} to move, {time} s", index + 1)
                };
                (0..).zip(play_times).map(title).collect()
            }
            CriterionKind::Questions(_) => {
                let prefix = format!("{}.", criterion.name);
                let names = self.manifest.questions.iter().map(|question| &question.name);
                names.filter_map(|name| name.strip_prefix(&prefix)).map(str::to_owned).collect()
            }
        }
    }

    fn criteria(&mut self, student: &str) -> Result<Vec<Vec<GradebookItem>>, RecordError> {
        let criteria = &self.assignment.criteria;
        criteria.iter().map(|criterion| self.items(student, criterion)).collect()
    }

    fn items(&mut self, student: &str, criterion: &Criterion) -> Result<Vec<GradebookItem>, RecordError> {
        let mut items = vec![];
        let head = self.head(criterion);
        let each = match criterion.worth {
            CriterionPoints::Each(points) => points,
            CriterionPoints::ByWinRate(_) => Points::ZERO,
        };
        for (index, title) in (0..).zip(self.titles(criterion, student)) {
            let id = item_id(student, &criterion.name, index);
            let state = self.state(student, criterion, &id)?;
            let item = GradebookItem { points: points(&state, each), of: each, id, title, state };
            self.consider(student, &head, &item)?;
            items.push(item);
        }
        if let CriterionPoints::ByWinRate(bands) = &criterion.worth {
            items.push(win_rate(win_rate_id(student, &criterion.name), bands, &items));
        }
        Ok(items)
    }

    fn state(&mut self, student: &str, criterion: &Criterion, id: &str) -> Result<ItemState, RecordError> {
        match criterion.kind {
            CriterionKind::Games { drawn, .. } if self.folder.path_of(id).exists() => {
                let record = self.folder.game(id)?;
                let side = side_of(&record, student);
                self.note(record.players.of(side), record.began_unix_s);
                let not_won = record.verdict.winner() != Some(side);
                let analysis = not_won.then(|| analysis(self.folder, &record)).flatten();
                Ok(ItemState::Game(Box::new(GameItem { analysis, ..game_item(&record, side, drawn) })))
            }
            CriterionKind::Questions(_) if self.folder.path_of_answer(id).exists() => {
                let record = self.folder.answer(id)?;
                self.note(&record.agent, record.began_unix_s);
                Ok(ItemState::Answer(Box::new(answer_item(&record))))
            }
            CriterionKind::Games { .. } | CriterionKind::Questions(_) => Ok(ItemState::Missing),
        }
    }

    fn note(&mut self, player: &PlayerRecord, began: u64) {
        self.last_began = self.last_began.max(began);
        if let PlayerKind::Program { isolation, meter, .. } = player.seated {
            self.isolation.push(isolation);
            self.meters.push(meter);
        }
    }

    /// Puts `item` on the review list if it is void, or if its result is a close call, with the results of repetitions.
    fn consider(&mut self, student: &str, head: &CriterionHead, item: &GradebookItem) -> Result<(), RecordError> {
        let close_calls = item.state.close_calls();
        let void = self.voids.remove(&item.id).filter(|_| item.state == ItemState::Missing);
        if close_calls.is_empty() && void.is_none() {
            return Ok(());
        }
        let (mut times, mut earned) = (0, 0);
        for id in (1..).map(|time| again_id(&item.id, time)) {
            let verdict = if self.folder.path_of(&id).exists() {
                let record = self.folder.game(&id)?;
                let drawn = head.drawn.and_then(|worth| drawn_on_the_board(&record.verdict, worth));
                half_wins(&record.verdict, side_of(&record, student), drawn) == 2
            } else if self.folder.path_of_answer(&id).exists() {
                self.folder.answer(&id)?.verdict.is_right()
            } else {
                break;
            };
            times += 1;
            earned += u32::from(verdict);
        }
        self.review.push(Review {
            student: student.to_owned(),
            id: item.id.clone(),
            of: item.of,
            earned: item.is_earned(),
            close_calls: close_calls.to_vec(),
            again: (times, earned),
            void,
        });
        Ok(())
    }
}

/// The points that `state` earns of `each`.
fn points(state: &ItemState, each: Points) -> Points {
    match state {
        ItemState::Answer(answer) if answer.verdict.is_right() => each,
        // The points of a win rate were computed with it.
        ItemState::Missing | ItemState::WinRate(_) | ItemState::Answer(_) => Points::ZERO,
        ItemState::Game(game) => match game.half_wins() {
            2 => each,
            1 => each.half(),
            _ => Points::ZERO,
        },
    }
}

/// The common points of `games`. Unplayed games are not won; if none has been played, there are no points, whatever the
/// lowest band gives.
fn win_rate(id: String, bands: &WinRateBands, games: &[GradebookItem]) -> GradebookItem {
    let count = |number: usize| u32::try_from(number).expect("an assignment has at most 9999 games");
    let missing = games.iter().filter(|game| game.state == ItemState::Missing);
    let missing = count(missing.count());
    let wins = WinCount { halves: games.iter().filter_map(GradebookItem::half_wins).sum(), games: count(games.len()) };
    let band = bands.band(wins).filter(|_| missing < wins.games).copied();
    GradebookItem {
        id,
        title: format!("win rate: {bands}"),
        of: bands.most(),
        points: band.map_or(Points::ZERO, |_| bands.points(wins)),
        state: ItemState::WinRate(WinRateItem { wins, missing, band }),
    }
}

/// `worth`, if the game was drawn on the board.
const fn drawn_on_the_board(verdict: &Verdict, worth: DrawPoints) -> Option<DrawPoints> {
    if matches!(verdict, Verdict::Drawn { .. }) { Some(worth) } else { None }
}

fn side_of(record: &GameRecord, name: &str) -> Side {
    if record.players.black.name == name { Side::Black } else { Side::White }
}

fn game_item(record: &GameRecord, side: Side, drawn: DrawPoints) -> GameItem {
    let own = || record.turns.iter().filter(|turn| turn.side() == side);
    let not_won = record.verdict.winner() != Some(side);
    let skipped = record.turns.len().saturating_sub(LAST_TURNS);
    let last = (1..).zip(&record.turns).skip(skipped);
    GameItem {
        side,
        first: record.first,
        opponent: record.players.of(side.other()).name.clone(),
        verdict: record.verdict.clone(),
        drawn: drawn_on_the_board(&record.verdict, drawn),
        turns: u32::try_from(record.turns.len()).unwrap_or(u32::MAX),
        play_time: *record.conditions.play_time.of(side),
        charged: own().map(TurnRecord::charged).sum(),
        last_turns: last.map(|(turn, record)| last_turn(turn, record)).collect(),
        explanation: not_won.then(|| explain(record).ok()).flatten().map(Box::new),
        analysis: None,
        time: time_sentence(record, side),
        warnings: warnings(own()),
        close_calls: record.close_calls.iter().filter(|call| can_change_points(call, record, drawn)).copied().collect(),
    }
}

/// Whether points depend on a close call. Where draws ignore the clocks, it does not matter to whom a draw would go.
const fn can_change_points(call: &CloseCall, record: &GameRecord, drawn: DrawPoints) -> bool {
    let ignores_clocks = matches!(drawn, DrawPoints::Half | DrawPoints::Won);
    if !ignores_clocks || !matches!(record.verdict, Verdict::Drawn { .. }) {
        return true;
    }
    match call {
        CloseCall::WithinUncertainty { .. } | CloseCall::WithinNoise { .. } => false,
        CloseCall::OtherClock { otherwise, .. } => !matches!(otherwise, OtherClockResult::DrawGoesTo { .. }),
    }
}

/// What the analysis of a game says, if there is one.
fn analysis(folder: &RunFolder, record: &GameRecord) -> Option<AnalysisWords> {
    let analysis = folder.analysis(&record.id)?;
    let positions = recorded_positions(record).ok()?;
    Some(AnalysisWords::of(record, &positions, &analysis, &SideNames::of_sides(record.game)))
}

/// What time had to do with the loss of `side`, if anything.
fn time_sentence(record: &GameRecord, side: Side) -> Option<String> {
    let loss = time_loss(record).filter(|loss| loss.loser() == side)?;
    Some(time_loss_sentence(&loss, &SideNames::of_sides(record.game)))
}

fn last_turn(turn: u32, record: &TurnRecord) -> FinalTurn {
    FinalTurn {
        turn,
        side: record.side(),
        mv: record.mv().map(str::to_owned),
        refused: refused(record),
        charged: record.charged(),
    }
}

/// What was written where there is no legal move.
fn refused(record: &TurnRecord) -> Option<String> {
    let TurnRecord::Run { mv: None, run, .. } = record else {
        return None;
    };
    let written = run.output.content()?.trim_ascii();
    (!written.is_empty()).then(|| quote(written))
}

fn warnings<'a>(turns: impl Iterator<Item = &'a TurnRecord>) -> Vec<(String, u32)> {
    let mut counts = BTreeMap::new();
    for turn in turns {
        if let TurnRecord::Run { warnings, .. } = turn {
            for warning in warnings {
                *counts.entry(warning.code.to_string()).or_insert(0) += 1;
            }
        }
    }
    counts.into_iter().collect()
}
