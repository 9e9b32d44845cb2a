//! Prepares a competition: makes its agents, and begins or resumes its run. It plays nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{CompetitionRequest, OnProgress, Progress};
use crate::runs::assignment_file::{EarlierRun, assignment_text, expect_place, report_kept_rules};
use crate::runs::error::{Remedy, RunFailure};
use crate::runs::progress::StepKind;
use crate::runs::submissions::{expect_elsewhere, import};
use referee_course::assignment::AssignmentAgent;
use referee_course::grading::{EnrolledClass, enrol, to_build};
use referee_matches::tournament::{Format, Runner, agent_record, derive_seed};
use referee_messages::{counted, plain};
use referee_records::{AgentRecord, AgentRole, Manifest, Rejection, RunFolder, RunKind};
use referee_submissions::agents::{AgentBuilder, AgentSource, AgentSpec, Class, Participant, SourceStore, SpecError};
use referee_submissions::intake::ClassIntake;

/// Makes the agents of `request`, stores their sources with the run, and records them in it. Agents are built below
/// `builds`, which must stay. They are not calibrated.
///
/// # Errors
///
/// [`RunFailure`]; then the run is as it was.
pub fn prepare_competition(
    request: &CompetitionRequest,
    builds: &Path,
    on_progress: &OnProgress,
) -> Result<Runner, RunFailure> {
    let (assignment, competition, out) = (&request.assignment, &request.competition, &request.options.out);
    let text = assignment_text(&request.path)?;
    expect_place(out, RunKind::Competition)?;
    let games = &request.options.known_games;
    let earlier = EarlierRun::read(out, &request.path, &text, games)?;
    earlier.iter().try_for_each(|earlier| earlier.expect_same_competition(&request.path))?;
    let before = earlier.as_ref().map(|earlier| &earlier.manifest);
    report_kept_rules(before, assignment.game, on_progress);
    if before.is_none() {
        // Now, before agents are built into it.
        RunFolder::expect_makeable(out).map_err(RunFailure::of_folder)?;
    }
    let setup = request.options.setup(assignment)?;
    let (named, class) = request.import(builds, on_progress)?;
    expect_elsewhere(out, &class.class.entries, request.class.as_deref())?;
    let (participants, rejected) = participants((&named, &class.class), request, &setup.builder, builds, on_progress)?;
    if before.is_none() {
        expect_opponents(&participants, &rejected)?;
    }
    if let Some(participant) = participants.values().next() {
        let level = setup.expect_seat(assignment.game, participant)?;
        if !participants.values().all(|one| one.agent().is_builtin()) {
            setup.note_unconfined(level, on_progress)?;
        }
    }
    let manifest = Manifest {
        seating: Some(request.options.seating(assignment)),
        ..manifest(request, before, &participants, rejected)?
    };
    let checked = competition.format.check(&competition.field(&manifest));
    checked.map_err(RunFailure::request)?;
    let source_store = SourceStore::in_folder(out.join("agents"));
    for participant in participants.values() {
        source_store.keep(participant.agent())?;
    }
    let folder = match earlier {
        Some(EarlierRun { folder, .. }) => {
            folder.revise_assignment(&text)?;
            folder
        }
        None => RunFolder::begin_by(out, &manifest, &text, games).map_err(RunFailure::of_folder)?,
    };
    on_progress(Progress::Opened { folder: &folder, manifest: &manifest, slots: request.options.slots.count() });
    folder.revise(&manifest)?;
    setup.runner(folder, manifest, participants)
}

impl CompetitionRequest {
    /// The agents that are named or built in, and the submissions besides, each with a name of its own. Archives are
    /// unpacked below `scratch`, which must stay.
    ///
    /// # Errors
    ///
    /// [`RunFailure`], never for what is wrong with one submission.
    pub fn import(
        &self,
        scratch: &Path,
        on_progress: &OnProgress,
    ) -> Result<(Vec<AssignmentAgent>, ClassIntake), RunFailure> {
        let (mut named, mut submissions): (_, Vec<PathBuf>) = (self.competition.agents.clone(), vec![]);
        for text in &self.agents {
            let spec: AgentSpec = text.parse().map_err(|error: SpecError| RunFailure::request(error))?;
            match spec.source() {
                AgentSource::Path(path) if path.as_os_str() == text.as_str() => submissions.push(path.clone()),
                AgentSource::Path(_) | AgentSource::Builtin(_) | AgentSource::Submission(_) => {
                    let name = spec.name();
                    named.push(AssignmentAgent { name, spec });
                }
            }
        }
        let class = self.class.as_deref();
        let programs = &self.assignment.submission.names;
        let of = (self.roster.as_deref(), self.part.as_deref());
        let class = import((&submissions, class), of, programs, scratch, on_progress)?;
        let students = class.class.entries.iter().map(|entry| entry.student.as_str());
        let mut taken = BTreeSet::new();
        for name in named.iter().map(|agent| agent.name.as_str()).chain(students) {
            if !taken.insert(name) {
                let problem = RunFailure::request(format!("two agents are named `{}`", plain(name)));
                return Err(problem.with(Remedy::RenameAgent));
            }
        }
        Ok((named, class))
    }
}

/// A competition of one agent, or of none, would end at once without a game.
fn expect_opponents(participants: &BTreeMap<String, Participant>, rejected: &[Rejection]) -> Result<(), RunFailure> {
    if participants.len() > 1 {
        return Ok(());
    }
    let excluded = match rejected.len() {
        0 => String::new(),
        some => format!("; excluded: {}", counted(some, "submission")),
    };
    let found = participants
        .keys()
        .next()
        .map_or_else(|| "there is none".to_owned(), |only| format!("there is only `{}`", plain(only)));
    Err(RunFailure::request(format!("a competition needs at least two agents, and {found}{excluded}")))
}

/// All valid agents, by name, and the invalid submissions.
fn participants(
    (named, class): (&[AssignmentAgent], &Class),
    request: &CompetitionRequest,
    builder: &AgentBuilder,
    builds: &Path,
    on_progress: &OnProgress,
) -> Result<(BTreeMap<String, Participant>, Vec<Rejection>), RunFailure> {
    let mut all = BTreeMap::new();
    let is_built = |spec: &AgentSpec| !matches!(spec.source(), AgentSource::Builtin(_));
    let sources = named.iter().filter(|agent| is_built(&agent.spec)).count();
    on_progress(Progress::StepsBegan(StepKind::Building, sources + to_build(&class.entries)));
    for (index, AssignmentAgent { name, spec }) in named.iter().enumerate() {
        let agent = builder.prepare(spec, &builds.join(format!("named-{index}")))?;
        all.insert(name.to_string(), Participant::new(agent).renamed(name.to_string()));
        if is_built(spec) {
            on_progress(Progress::StepDone);
        }
    }
    let (jobs, built) = (request.options.slots.count(), || on_progress(Progress::StepDone));
    let EnrolledClass { participants, rejected, lacking, .. } =
        enrol(&class.entries, builder, &builds.join("class"), jobs, built);
    on_progress(Progress::StepsEnded);
    if let Some((name, error)) = lacking.first() {
        return Err(RunFailure::machine(format!(
            "this machine cannot build {}; the first is {}: {}",
            counted(lacking.len(), "submission"),
            plain(name),
            plain(&error.to_string())
        )));
    }
    for rejection in &rejected {
        on_progress(Progress::Excluded(rejection));
    }
    all.extend(participants);
    Ok((all, rejected))
}

/// The earlier run with newly added and withdrawn agents; or a new one, seeded by lot.
fn manifest(
    request: &CompetitionRequest,
    before: Option<&Manifest>,
    participants: &BTreeMap<String, Participant>,
    rejected: Vec<Rejection>,
) -> Result<Manifest, RunFailure> {
    let assignment = &request.assignment;
    let mut manifest = before.cloned().unwrap_or_else(|| {
        let conditions = assignment.conditions(request.competition.play_time);
        Manifest { kind: RunKind::Competition, ..Manifest::new(assignment.game, conditions, assignment.seed) }
    });
    manifest.rejected = rejected;
    withdraw(&mut manifest, &request.withdraw)?;
    for agent in &manifest.agents {
        check_unchanged(agent, participants)?;
    }
    let is_known = |name: &String| manifest.agents.iter().any(|agent| agent.name == *name);
    let mut new: Vec<&Participant> = participants.values().filter(|one| !is_known(&one.name().to_owned())).collect();
    expect_open(&request.competition.format, &manifest, &new)?;
    new.sort_by_key(|participant| derive_seed(manifest.seed, &["seeding", participant.name()]));
    let record = |participant| agent_record(participant, AgentRole::Participant);
    manifest.agents.extend(new.into_iter().map(record));
    Ok(manifest)
}

/// Takes the agents of these names out of the competition.
pub(super) fn withdraw(manifest: &mut Manifest, names: &[String]) -> Result<(), RunFailure> {
    for name in names {
        let agent = manifest.agents.iter_mut().find(|agent| agent.name == *name);
        let agent = agent
            .ok_or_else(|| RunFailure::request(format!("no agent named `{}` in this competition", plain(name))))?;
        agent.role = AgentRole::Withdrawn;
    }
    Ok(())
}

/// Once they have planned a round, most formats would never pair an agent that joins.
fn expect_open(format: &Format, manifest: &Manifest, new: &[&Participant]) -> Result<(), RunFailure> {
    let is_open = format.is_planned_at_once() || manifest.games.is_empty();
    let Some(first) = new.first().filter(|_| !is_open) else { return Ok(()) };
    let name = plain(first.name());
    Err(RunFailure::request(format!(
        "`{name}` cannot join: a competition of this format accepts no new agents once its first round is planned; \
         leave it out, or start a new competition with another `--out`"
    )))
}

/// An agent that has begun continues with the same files, or withdraws.
fn check_unchanged(agent: &AgentRecord, participants: &BTreeMap<String, Participant>) -> Result<(), RunFailure> {
    let name = plain(&agent.name);
    match (agent.role, participants.get(&agent.name)) {
        (AgentRole::Withdrawn, _) => Ok(()),
        (AgentRole::Participant | AgentRole::Reference, Some(participant)) if participant.digest() == agent.digest => {
            Ok(())
        }
        (AgentRole::Participant | AgentRole::Reference, Some(_)) => {
            let changed = format!("the files of `{name}` have changed since its first game");
            Err(RunFailure::request(changed).with(Remedy::RestoreOrWithdraw(agent.name.clone())))
        }
        (AgentRole::Participant | AgentRole::Reference, None) => {
            let missing = format!("`{name}` is missing from the command but has played in this run");
            Err(RunFailure::request(missing).with(Remedy::NameOrWithdraw(agent.name.clone())))
        }
    }
}
