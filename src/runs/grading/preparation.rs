//! Prepares a grading: builds its agents, and begins or resumes its run. It plays nothing.

use std::path::Path;

use super::class::{all_ready, before_without, continued, expect_each_once, students};
use super::questions::questions;
use super::{GradingRequest, OnProgress, Progress};
use crate::runs::agent_setup::AgentSetup;
use crate::runs::assignment_file::{EarlierRun, assignment_text, report_kept_rules};
use crate::runs::error::RunFailure;
use crate::runs::progress::StepKind;
use referee_course::assignment::{Assignment, CriterionKind};
use referee_course::grading::{EnrolledClass, Grading, MergedClass, enrol, file_stem, reference, to_build};
use referee_matches::tournament::{Runner, agent_record};
use referee_records::{AgentRecord, AgentRole, RunFolder, write_files};
use referee_seat::Isolation;
use referee_submissions::agents::{AgentSpec, Participant};

/// Prepares `request`. Agents are built below `builds`, which must stay.
pub(super) fn prepare(request: &GradingRequest, builds: &Path, on_progress: &OnProgress) -> Result<Runner, RunFailure> {
    let (assignment, out) = (&request.assignment, &request.options.out);
    let text = assignment_text(&request.path)?;
    let questions = questions(assignment)?;
    let earlier = EarlierRun::read(out, &request.path, &text, &request.options.known_games)?;
    let before = earlier.as_ref().map(|earlier| before_without(&earlier.manifest, &request.class.without));
    let before = before.as_ref();
    expect_each_once(&request.class, before)?;
    report_kept_rules(before, assignment.game, on_progress);
    let setup = request.options.setup(assignment)?;
    setup.note_unconfined(expect_fit(&setup, assignment)?, on_progress)?;
    let mut references = references(assignment, &setup, &builds.join("references"))?;
    let enrolled = enrolled(request, &setup, &builds.join("class"), on_progress)?;
    let class = continued(before, &enrolled, request)?;
    for name in &class.admitted {
        on_progress(Progress::Admitted(name));
    }
    let opponents = opponents(&mut references, &class);
    let grading = Grading {
        assignment,
        questions: &questions,
        opponents: &opponents,
        agent_records: &class.agent_records,
        rejected: &class.rejected,
    };
    let mut manifest = grading.manifest();
    manifest.students = students(request, before, &manifest);
    let folder = match earlier {
        None => RunFolder::begin_by(out, &manifest, &text, &request.options.known_games)?,
        Some(earlier) => earlier.resume(&text, manifest, &class.anew, on_progress)?,
    };
    keep_compiler_output(&folder, &enrolled)?;
    let references = references.into_iter().flatten();
    let references = references.map(|participant| (participant.name().to_owned(), participant));
    let manifest = folder.manifest()?;
    on_progress(Progress::Opened { folder: &folder, manifest: &manifest, slots: request.options.slots.count() });
    setup.runner(folder, manifest, enrolled.participants.into_iter().chain(references).collect())
}

/// Checks with a built-in agent that this machine is fit, before anything is built. Returns the level of isolation.
fn expect_fit(setup: &AgentSetup, assignment: &Assignment) -> Result<Isolation, RunFailure> {
    let anybody: AgentSpec = "builtin:random".parse().map_err(|error| RunFailure::Bug(format!("{error}")))?;
    let agent = setup.builder.prepare(&anybody, Path::new(""))?;
    setup.expect_seat(assignment.game, &Participant::new(agent))
}

/// The opponent of each criterion with games.
fn references(
    assignment: &Assignment,
    setup: &AgentSetup,
    builds: &Path,
) -> Result<Vec<Option<Participant>>, RunFailure> {
    let prepare = |(index, kind): (usize, &CriterionKind)| {
        let CriterionKind::Games { opponent, opponent_name, .. } = kind else {
            return Ok(None);
        };
        let agent = setup.builder.prepare(opponent, &builds.join(index.to_string()))?;
        Ok(Some(Participant::new(agent).renamed(opponent_name.to_string())))
    };
    let kinds = assignment.criteria.iter().map(|criterion| &criterion.kind);
    kinds.enumerate().map(prepare).collect()
}

/// The named submissions, made agents where possible.
fn enrolled(
    request: &GradingRequest,
    setup: &AgentSetup,
    builds: &Path,
    on_progress: &OnProgress,
) -> Result<EnrolledClass, RunFailure> {
    let entries = &request.class.entries;
    on_progress(Progress::StepsBegan(StepKind::Building, to_build(entries)));
    let built = || on_progress(Progress::StepDone);
    let enrolled = enrol(entries, &setup.builder, builds, request.options.slots.count(), built);
    on_progress(Progress::StepsEnded);
    all_ready(enrolled)
}

/// Stores the compilers' output, for accepted and rejected programs.
fn keep_compiler_output(folder: &RunFolder, enrolled: &EnrolledClass) -> Result<(), RunFailure> {
    let made = enrolled.participants.iter();
    let made = made.filter_map(|(name, participant)| Some((name, participant.agent().compiler_output.as_ref()?)));
    let refused = enrolled.rejected.iter();
    let refused = refused.filter_map(|rejection| Some((&rejection.name, rejection.compiler_output.as_ref()?)));
    let files: Vec<(String, &str)> =
        made.chain(refused).map(|(name, said)| (format!("compiler/{}.txt", file_stem(name)), said.as_str())).collect();
    write_files(folder.path(), files.iter().map(|(path, said)| (path.as_str(), *said)))?;
    Ok(())
}

/// The records of the references, under unique names. Several criteria may share a reference.
fn opponents(references: &mut [Option<Participant>], class: &MergedClass) -> Vec<Option<AgentRecord>> {
    let agent_records = class.agent_records.iter().map(|agent| agent.name.as_str());
    let students: Vec<&str> =
        agent_records.chain(class.rejected.iter().map(|rejection| rejection.name.as_str())).collect();
    let mut known: Vec<AgentRecord> = vec![];
    let mut record = |slot: &mut Option<Participant>| {
        let participant = slot.take()?;
        let digest = participant.digest();
        let name = reference(participant.name(), |name| {
            let is_another = |agent: &AgentRecord| agent.name == name && agent.digest != digest;
            students.contains(&name) || known.iter().any(is_another)
        });
        let participant = participant.renamed(name);
        let record = AgentRecord { remarks: vec![], ..agent_record(&participant, AgentRole::Reference) };
        known.push(record.clone());
        *slot = Some(participant);
        Some(record)
    };
    references.iter_mut().map(&mut record).collect()
}
