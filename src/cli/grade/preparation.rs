//! Prepares a grading: builds its agents, and begins or resumes its run. It plays nothing; `request` calls it.

use std::path::Path;

use super::class::{all_ready, continued, students};
use super::request::GradingRequest;
use crate::agents::{AgentBuilder, AgentSpec, Participant};
use crate::assignment::{Assignment, CaseSource, CriterionKind, QuestionText};
use crate::cli::Failure;
use crate::cli::resume::note_resumed;
use crate::cli::seating::{builder, other_run, seats};
use crate::console::Steps;
use crate::games::Puzzles;
use crate::grading::{Continued, Enrolled, Grading, enrol, file_stem, is_again, reference, solved};
use crate::records::{
    AgentRecord, AgentRole, Host, LARGEST_ASSIGNMENT_BYTES, Manifest, RunFolder, read_bounded_text, write_files,
};
use crate::seat::{SeatError, SeatOptions};
use crate::tournament::{Runner, SelfTest, agent_record};

/// Reads the assignment, which must have something to grade.
pub(in crate::cli) fn load(path: &Path) -> Result<Assignment, Failure> {
    let assignment = Assignment::load(path).map_err(|faults| Failure::Input(faults.to_string()))?;
    if assignment.criteria.is_empty() {
        return Err(Failure::input(path, "it has no `[[grade]]`: there is nothing to grade"));
    }
    Ok(assignment)
}

/// Prepares `order`. Agents are built below `builds`, which must stay.
pub(super) fn prepare(order: &GradingRequest, assignment: &Assignment, builds: &Path) -> Result<Runner, Failure> {
    let path = &order.assignment;
    let text = read_bounded_text(path, LARGEST_ASSIGNMENT_BYTES).map_err(|error| Failure::input(path, error))?;
    let questions = questions(assignment)?;
    let before = before(order, &text)?;
    let seating = order.seating(assignment);
    let seats = seats(seating, assignment);
    let builder = builder(seating, assignment, &seats, order.out.join("built"))?;
    expect_fit(&builder, assignment, &seats)?;
    let mut references = references(assignment, &builder, &builds.join("references"))?;
    let enrolled = enrolled(order, &builder, &builds.join("class"))?;
    let class = continued(before.as_ref(), &enrolled, &order.regrade)?;
    let opponents = opponents(&mut references, &class);
    let grading = Grading {
        assignment,
        questions: &questions,
        opponents: &opponents,
        agent_records: &class.agent_records,
        rejected: &class.rejected,
    };
    let mut manifest = grading.manifest();
    manifest.students = students(&order.students, before.as_ref(), &manifest);
    let folder = begin(&order.out, manifest, before, &class.anew, &text)?;
    keep_compiler_output(&folder, &enrolled)?;
    let references = references.into_iter().flatten();
    let references = references.map(|participant| (participant.name().to_owned(), participant));
    let manifest = folder.manifest()?;
    note_resumed(&folder, &manifest);
    Ok(Runner {
        self_test: SelfTest::new(&manifest, &builder, Host::this())?,
        manifest,
        folder,
        seats,
        participants: enrolled.participants.into_iter().chain(references).collect(),
        host: Host::this(),
    })
}

/// The questions of each criterion; empty for games.
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
                } => {
                    let puzzles = assignment
                        .game
                        .puzzles()
                        .expect("it was held against the game when it was read");
                    questions
                        .into_iter()
                        .map(|text| with_answer(text, puzzles, folder))
                        .collect()
                }
                CriterionKind::SingleMoves { .. } | CriterionKind::Cases { .. } | CriterionKind::Games { .. } => {
                    Ok(questions)
                }
            }
        })
        .collect()
}

fn with_answer(text: QuestionText, puzzles: &Puzzles, folder: &Path) -> Result<QuestionText, Failure> {
    let name = text.name.clone();
    solved(text, puzzles).map_err(|fault| Failure::input(folder, format!("case `{name}`: {fault}")))
}

/// The earlier run in the folder of `order`, if it belongs to this assignment. Comments may have changed.
fn before(order: &GradingRequest, text: &str) -> Result<Option<Manifest>, Failure> {
    let out = &order.out;
    if !RunFolder::is_begun(out) {
        return Ok(None);
    }
    let (folder, manifest) = RunFolder::open_with_manifest(out)?;
    // What lateness costs is computed from the records each time.
    let read = |text: &str| {
        let read = Assignment::parse(text, &order.assignment).ok()?;
        Some(Assignment { late: None, ..read })
    };
    match folder.assignment()? {
        Some(before) if before == text || (read(&before).is_some() && read(&before) == read(text)) => {
            Ok(Some(manifest))
        }
        Some(_) => Err(other_run(
            out,
            "its assignment file has changed, and a run has only one",
        )),
        None => Err(other_run(out, "it was not started by `grade`")),
    }
}

/// Checks with a built-in agent that this machine is fit, before anything is built.
fn expect_fit(builder: &AgentBuilder, assignment: &Assignment, seats: &SeatOptions) -> Result<(), Failure> {
    let anybody: AgentSpec = "builtin:random"
        .parse()
        .map_err(|error| Failure::Bug(format!("{error}")))?;
    let agent = builder.prepare(&anybody, Path::new(""))?;
    let seat = Participant::new(agent).take_seat(assignment.game, 0, seats);
    seat.map(drop).map_err(|error| {
        let remedy = match &error {
            SeatError::TooWeak { available, .. } => format!(
                "; `referee doctor` shows what submissions can do then, and `--isolation {available}` accepts it"
            ),
            SeatError::NotAbsolute(_)
            | SeatError::NoKeeper { .. }
            | SeatError::NoMeter { .. }
            | SeatError::Lost { .. }
            | SeatError::Failed(_) => String::new(),
        };
        Failure::Machine(format!("{error}{remedy}"))
    })
}

/// The opponent of each criterion with games.
fn references(
    assignment: &Assignment,
    builder: &AgentBuilder,
    builds: &Path,
) -> Result<Vec<Option<Participant>>, Failure> {
    let prepare = |(index, kind): (usize, &CriterionKind)| {
        let CriterionKind::Games {
            opponent,
            opponent_name,
            ..
        } = kind
        else {
            return Ok(None);
        };
        let agent = builder.prepare(opponent, &builds.join(index.to_string()))?;
        Ok(Some(Participant::new(agent).renamed(opponent_name.to_string())))
    };
    let kinds = assignment.criteria.iter().map(|criterion| &criterion.kind);
    kinds.enumerate().map(prepare).collect()
}

/// The named submissions, made agents where possible.
fn enrolled(order: &GradingRequest, builder: &AgentBuilder, builds: &Path) -> Result<Enrolled, Failure> {
    let steps = Steps::new("submissions built", order.entries.len());
    let enrolled = enrol(&order.entries, builder, builds, order.jobs, || steps.step());
    drop(steps);
    all_ready(enrolled)
}

/// Stores the compilers' output, for accepted and rejected programs.
fn keep_compiler_output(folder: &RunFolder, enrolled: &Enrolled) -> Result<(), Failure> {
    let made = enrolled.participants.iter();
    let made = made.filter_map(|(name, participant)| Some((name, participant.agent().compiler_output.as_ref()?)));
    let refused = enrolled.rejected.iter();
    let refused = refused.filter_map(|rejection| Some((&rejection.name, rejection.compiler_output.as_ref()?)));
    let files: Vec<(String, &str)> = made
        .chain(refused)
        .map(|(name, said)| (format!("compiler/{}.txt", file_stem(name)), said.as_str()))
        .collect();
    write_files(folder.path(), files.iter().map(|(path, said)| (path.as_str(), *said)))?;
    Ok(())
}

/// The records of the references, under unique names. Several criteria may share a reference.
fn opponents(references: &mut [Option<Participant>], class: &Continued) -> Vec<Option<AgentRecord>> {
    let agent_records = class.agent_records.iter().map(|agent| agent.name.as_str());
    let students: Vec<&str> = agent_records
        .chain(class.rejected.iter().map(|rejection| rejection.name.as_str()))
        .collect();
    let mut known: Vec<AgentRecord> = vec![];
    let mut record = |slot: &mut Option<Participant>| {
        let participant = slot.take()?;
        let digest = participant.digest();
        let name = reference(participant.name(), |name| {
            let is_another = |agent: &AgentRecord| agent.name == name && agent.digest != digest;
            students.contains(&name) || known.iter().any(is_another)
        });
        let participant = participant.renamed(name);
        let record = AgentRecord {
            remarks: vec![],
            ..agent_record(&participant, AgentRole::Reference)
        };
        known.push(record.clone());
        *slot = Some(participant);
        Some(record)
    };
    references.iter_mut().map(&mut record).collect()
}

/// Begins or resumes the run: repetitions of close calls stay, and records of regraded students are removed.
fn begin(
    out: &Path,
    mut manifest: Manifest,
    before: Option<Manifest>,
    anew: &[String],
    text: &str,
) -> Result<RunFolder, Failure> {
    let Some(before) = before else {
        return Ok(RunFolder::begin_by(out, &manifest, text)?);
    };
    let same_terms = manifest.questions == before.questions
        && manifest.seed == before.seed
        && manifest.conditions == before.conditions;
    if !same_terms {
        return Err(other_run(out, "the positions or cases of its assignment have changed"));
    }
    expect_same_references(out, &manifest, &before)?;
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
    folder.revise_assignment(text)?;
    Ok(folder)
}

/// A student measured by another program was measured differently; and a student who joined later must not take its
/// name.
fn expect_same_references(out: &Path, manifest: &Manifest, before: &Manifest) -> Result<(), Failure> {
    let references = |manifest: &Manifest| -> Vec<(String, String)> {
        let agents = manifest.agents.iter().filter(|agent| !agent.role.is_participant());
        agents.map(|agent| (agent.name.clone(), agent.digest.clone())).collect()
    };
    let (now, then) = (references(manifest), references(before));
    let Some((name, _)) = then.iter().find(|reference| !now.contains(reference)) else {
        return Ok(());
    };
    let is_student = manifest
        .agents
        .iter()
        .any(|agent| agent.role.is_participant() && agent.name == *name)
        || manifest.rejected.iter().any(|rejection| rejection.name == *name);
    let difference = if is_student {
        format!("its reference agent `{name}` has the same name as a new submission; rename the submission")
    } else {
        format!("the files of its reference agent `{name}` have changed, and all students must meet the same agent")
    };
    Err(other_run(out, &difference))
}
