//! Everything before the first game of a grading: agents built and calibrated, the run begun or found again.

use std::collections::BTreeMap;
use std::path::Path;

use super::Grade;
use crate::agents::{Calibration, Class, Contestant, Entry, Python2, Workshop};
use crate::assignment::{Assignment, CaseSource, CriterionKind, QuestionText};
use crate::cli::Failure;
use crate::cli::output::note;
use crate::grading::{Continued, Enrolled, Grading, enrol, go_on, is_again, reference, solved};
use crate::records::{AgentRecord, Host, Manifest, RecordError, Role, RunFolder};
use crate::seat::{IsolationRange, SeatOptions};
use crate::tournament::{Runner, Undone};
use crate::wording::{counted, plain};

/// A grading that is ready to go on.
pub(super) struct Ready {
    /// Plays and asks.
    pub(super) runner: Runner,
    /// What is left to be done with the submissions that were named.
    pub(super) undone: Vec<Undone>,
}

/// Reads the assignment, which has to have something to grade.
pub(super) fn load(path: &Path) -> Result<Assignment, Failure> {
    let assignment = Assignment::load(path).map_err(|faults| Failure::Input(faults.to_string()))?;
    if assignment.criteria.is_empty() {
        return Err(Failure::input(
            path,
            "it has no `[[grade]]`: there is nothing to give points for",
        ));
    }
    Ok(assignment)
}

/// Prepares what `grade` asks for. Agents are built below `builds`, which has to stay.
pub(super) fn prepare(grade: &Grade, assignment: &Assignment, builds: &Path) -> Result<Ready, Failure> {
    let text = std::fs::read_to_string(&grade.assignment).map_err(|error| Failure::input(&grade.assignment, error))?;
    let questions = questions(assignment)?;
    let out = grade.out()?;
    let before = before(&out, &text)?;
    let seats = seats(grade, assignment);
    let workshop = workshop(grade, assignment, &seats, &out)?;
    let mut references = references(assignment, &workshop, &seats, &builds.join("references"))?;
    let enrolled = enrolled(grade, &workshop, &builds.join("class"))?;
    let class = class(before.as_ref(), &enrolled, &grade.regrade)?;
    let opponents = opponents(&mut references, &class);
    let grading = Grading {
        assignment,
        questions: &questions,
        opponents: &opponents,
        entrants: &class.entrants,
        rejected: &class.rejected,
        host: Host::this(),
    };
    let manifest = grading.manifest();
    let folder = begin(&out, manifest, before, &class.anew, &text)?;
    let references = references.into_iter().flatten();
    let references = references.map(|contestant| (contestant.name().to_owned(), contestant));
    let runner = Runner {
        manifest: folder.manifest()?,
        folder,
        seats,
        contestants: enrolled.contestants.into_iter().chain(references).collect(),
    };
    ready(runner)
}

/// The questions of each criterion; none for one of games.
fn questions(assignment: &Assignment) -> Result<Vec<Vec<QuestionText>>, Failure> {
    let criteria = assignment.criteria.iter();
    criteria
        .map(|criterion| {
            let questions = criterion.kind.read_questions(assignment.game);
            let questions = questions.map_err(|faults| Failure::Input(faults.to_string()))?;
            match &criterion.kind {
                CriterionKind::Cases {
                    cases: CaseSource::Solved(folder),
                    ..
                } => questions.into_iter().map(|text| with_answer(text, folder)).collect(),
                CriterionKind::SingleMoves { .. } | CriterionKind::Cases { .. } | CriterionKind::Games { .. } => {
                    Ok(questions)
                }
            }
        })
        .collect()
}

fn with_answer(text: QuestionText, folder: &Path) -> Result<QuestionText, Failure> {
    let name = text.name.clone();
    solved(text).map_err(|fault| Failure::input(folder, format!("case `{name}`: {fault}")))
}

/// The run in the folder `out`, where one was begun there by this assignment.
fn before(out: &Path, text: &str) -> Result<Option<Manifest>, Failure> {
    if !RunFolder::is_begun(out) {
        return Ok(None);
    }
    let folder = RunFolder::open(out)?;
    match folder.assignment()? {
        Some(before) if before == text => Ok(Some(folder.manifest()?)),
        Some(_) => Err(other_run(
            out,
            "its assignment file has changed since, and points are given by one only",
        )),
        None => Err(other_run(out, "it was not begun by `grade`")),
    }
}

fn other_run(out: &Path, difference: &str) -> Failure {
    let (path, difference) = (out.to_owned(), difference.to_owned());
    RecordError::OtherRun { path, difference }.into()
}

fn seats(grade: &Grade, assignment: &Assignment) -> SeatOptions {
    SeatOptions {
        charge: assignment.clock.charge,
        meter: grade.meter,
        isolation: IsolationRange::at_least(grade.isolation.unwrap_or(assignment.minimum_isolation)),
        limits: assignment.limits,
        ..SeatOptions::default()
    }
}

fn workshop(grade: &Grade, assignment: &Assignment, seats: &SeatOptions, out: &Path) -> Result<Workshop, Failure> {
    let workshop =
        Workshop::new().map_err(|error| Failure::Machine(format!("cannot tell where `referee` itself is: {error}")))?;
    let python2 = if grade.python2_by_python3 {
        Python2::ByPython3
    } else {
        Python2::Required
    };
    Ok(Workshop {
        conventions: assignment.conventions,
        python2,
        seats: seats.clone(),
        cache: Some(out.join("built")),
        ..workshop
    })
}

/// The opponent of each criterion of games. Whether this machine can do what is asked shows here, before a run is begun.
fn references(
    assignment: &Assignment,
    workshop: &Workshop,
    seats: &SeatOptions,
    builds: &Path,
) -> Result<Vec<Option<Contestant>>, Failure> {
    let prepare = |(index, kind): (usize, &CriterionKind)| {
        let CriterionKind::Games {
            opponent,
            opponent_name,
            ..
        } = kind
        else {
            return Ok(None);
        };
        let agent = workshop.prepare(opponent, &builds.join(index.to_string()))?;
        let contestant = Contestant::new(agent).renamed(opponent_name.to_string());
        contestant
            .take_seat(assignment.game, 0, seats)
            .map_err(|error| Failure::Machine(error.to_string()))?;
        Ok(Some(contestant))
    };
    let kinds = assignment.criteria.iter().map(|criterion| &criterion.kind);
    kinds.enumerate().map(prepare).collect()
}

/// The submissions that are named, made agents where that can be done.
fn enrolled(grade: &Grade, workshop: &Workshop, builds: &Path) -> Result<Enrolled, Failure> {
    let entries = entries(grade)?;
    let enrolled = enrol(&entries, workshop, builds, grade.jobs());
    if enrolled.lacking.is_empty() {
        return Ok(enrolled);
    }
    let lines: Vec<String> = enrolled
        .lacking
        .iter()
        .map(|(name, error)| format!("\n  {}: {}", plain(name), plain(&error.to_string())))
        .collect();
    Err(Failure::Machine(format!(
        "nothing is graded, because this machine cannot make {} ready:{}\ninstall what is missing, or leave them out",
        counted(lines.len(), "submission"),
        lines.concat()
    )))
}

fn entries(grade: &Grade) -> Result<Vec<Entry>, Failure> {
    let class = match (&grade.class, grade.submissions.as_slice()) {
        (None, []) => {
            return Err(Failure::Usage(
                "no submission is named: name them one by one, or their folder with `--class`".to_owned(),
            ));
        }
        (Some(_), [_, ..]) => {
            return Err(Failure::Usage(
                "`--class` names the folder of all submissions: name none beside it".to_owned(),
            ));
        }
        (Some(folder), []) => Class::submissions_in(folder),
        (None, submissions) => Class::named(submissions),
    };
    let class = class.map_err(|error| Failure::Input(error.to_string()))?;
    for remark in &class.remarks {
        note(&plain(remark));
    }
    let is_known = |name: &String| class.entries.iter().any(|entry| entry.student.as_str() == name);
    if let Some(unknown) = grade.only.iter().chain(&grade.regrade).find(|name| !is_known(name)) {
        return Err(Failure::Usage(format!(
            "none of the submissions that are named belongs to `{}`",
            plain(unknown)
        )));
    }
    let is_wanted =
        |entry: &Entry| grade.only.is_empty() || grade.only.iter().any(|name| name == entry.student.as_str());
    Ok(class.entries.into_iter().filter(is_wanted).collect())
}

/// The class as it was and as it is now.
fn class(before: Option<&Manifest>, enrolled: &Enrolled, regrade: &[String]) -> Result<Continued, Failure> {
    let (entrants, rejected) = (&enrolled.entrants, &enrolled.rejected);
    go_on(before, entrants, rejected, regrade).map_err(|changed| {
        let names: Vec<String> = changed.iter().map(|name| plain(name)).collect();
        let regrade: Vec<String> = names.iter().map(|name| format!("--regrade '{name}'")).collect();
        Failure::Usage(format!(
            "not what it was when it was graded: {}; with `{}` it is graded anew and the old results are removed, \
             with `--out` both are kept",
            names.join(", "),
            regrade.join(" ")
        ))
    })
}

/// The records of the references, under names that no submission has.
fn opponents(references: &mut [Option<Contestant>], class: &Continued) -> Vec<Option<AgentRecord>> {
    let entrants = class.entrants.iter().map(|agent| &agent.name);
    let taken: Vec<&String> = entrants
        .chain(class.rejected.iter().map(|rejection| &rejection.name))
        .collect();
    let mut record = |slot: &mut Option<Contestant>| {
        let contestant = slot.take()?;
        let name = reference(contestant.name(), |name| taken.iter().any(|taken| *taken == name));
        let record = AgentRecord {
            name: name.clone(),
            origin: contestant.agent().spec.to_string(),
            digest: contestant.digest(),
            role: Role::Reference,
            remarks: vec![],
        };
        *slot = Some(contestant.renamed(name));
        Some(record)
    };
    references.iter_mut().map(&mut record).collect()
}

/// Begins the run, or goes on with it: what is done again of close calls stays, and the records of those who are graded anew
/// go.
fn begin(
    out: &Path,
    mut manifest: Manifest,
    before: Option<Manifest>,
    anew: &[String],
    text: &str,
) -> Result<RunFolder, Failure> {
    let Some(before) = before else {
        let folder = RunFolder::begin(out, &manifest)?;
        folder.keep_assignment(text)?;
        return Ok(folder);
    };
    let same_terms = manifest.questions == before.questions
        && manifest.seed == before.seed
        && manifest.conditions == before.conditions;
    if !same_terms {
        return Err(other_run(
            out,
            "the positions or cases of its assignment have changed since",
        ));
    }
    let folder = RunFolder::open(out)?;
    let is_anew = |name: &String| anew.contains(name);
    for pairing in &before.games {
        if is_anew(&pairing.black) || is_anew(&pairing.white) {
            folder.forget_game(&pairing.id)?;
        } else if is_again(&pairing.id) {
            manifest.games.push(pairing.clone());
        }
    }
    for asked in &before.answers {
        if is_anew(&asked.agent) {
            folder.forget_answer(&asked.id)?;
        } else if is_again(&asked.id) {
            manifest.answers.push(asked.clone());
        }
    }
    folder.revise(&manifest)?;
    Ok(folder)
}

/// Calibrates everybody who is left to do something; what is odd about it becomes a remark.
fn ready(mut runner: Runner) -> Result<Ready, Failure> {
    let undone: Vec<Undone> = runner
        .undone()
        .into_iter()
        .filter(|undone| runner.can_do(undone))
        .collect();
    let mut remarks: BTreeMap<String, String> = BTreeMap::new();
    for (name, contestant) in &mut runner.contestants {
        if !undone.iter().any(|undone| undone.concerns(name)) {
            continue;
        }
        let calibration = contestant.calibrate(&runner.seats);
        match calibration.map_err(|error| Failure::Machine(format!("{}: calibrate: {error}", plain(name))))? {
            Calibration::None | Calibration::Done => {}
            Calibration::Odd(oddity) => drop(remarks.insert(name.clone(), format!("calibrate {oddity}"))),
        }
    }
    for agent in &mut runner.manifest.agents {
        let remark = remarks.remove(&agent.name);
        agent
            .remarks
            .extend(remark.filter(|remark| !agent.remarks.contains(remark)));
    }
    runner.folder.revise(&runner.manifest)?;
    Ok(Ready { runner, undone })
}
