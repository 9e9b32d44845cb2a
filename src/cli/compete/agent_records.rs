//! Prepares a competition: makes its agents, and begins or resumes its run. It plays nothing; `compete` and `plan` call
//! it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::entry::ClassEntry;
use crate::agents::{AgentBuilder, AgentSource, AgentSpec, Calibration, FileNames, Participant, SourceStore};
use crate::assignment::{Assignment, Competition, Invited};
use crate::cli::Failure;
use crate::cli::kind::expect_kind_in;
use crate::cli::output::note;
use crate::cli::resume::note_resumed;
use crate::cli::roster::{expect_elsewhere, note_class, roster_text};
use crate::cli::run_path::{ANOTHER_OUT, expect_place_for_run, or_write_elsewhere};
use crate::cli::seating::{builder, other_run, seats};
use crate::grading::{Enrolled, enrol};
use crate::intake::{TakenIn, take_in_class, take_in_submissions};
use crate::messages::{counted, plain};
use crate::records::{
    AgentRecord, AgentRole, Host, LARGEST_ASSIGNMENT_BYTES, Manifest, Rejection, RunFolder, RunKind, read_bounded_text,
};
use crate::tournament::{Runner, SelfTest, agent_record, derive_seed};

/// Prepares `entry`, including the calibration of the agents, and records it in the run. Agents are built below
/// `builds`, which must stay; their sources are stored with the run.
pub(in crate::cli) fn prepare(
    entry: &ClassEntry,
    assignment: &Assignment,
    competition: &Competition,
    builds: &Path,
) -> Result<Runner, Failure> {
    let text = read_bounded_text(&entry.assignment, LARGEST_ASSIGNMENT_BYTES);
    let text = text.map_err(|error| Failure::input(&entry.assignment, error))?;
    let out = entry.out()?;
    let before = before(&out, &text)?;
    let seating = entry.seating(assignment);
    let seats = seats(seating, assignment);
    let builder = builder(seating, assignment, &seats, out.join("built"))?;
    let entrants = entrants(entry, competition, &builder.names, builds)?;
    expect_elsewhere(&out, &entrants.class.class.entries, entry.class.as_deref())?;
    let (participants, rejected) = participants(&entrants, entry, &builder, builds)?;
    for participant in participants.values().take(1) {
        // Check that this machine can do it before a run is begun.
        let seat = participant.take_seat(assignment.game, 0, &seats);
        seat.map_err(|error| Failure::Machine(error.to_string()))?;
    }
    let manifest = Manifest {
        seating: Some(seating),
        ..manifest(entry, assignment, competition, before.as_ref(), &participants, rejected)?
    };
    let checked = competition.format.check(&competition.field(&manifest));
    checked.map_err(|error| Failure::Usage(error.to_string()))?;
    let source_store = SourceStore::in_folder(out.join("agents"));
    for participant in participants.values() {
        source_store.keep(participant.agent())?;
    }
    let folder = match before {
        Some(_) => RunFolder::open(&out)?,
        None => RunFolder::begin_by(&out, &manifest, &text).map_err(|error| or_write_elsewhere(error, ANOTHER_OUT))?,
    };
    note_resumed(&folder, &manifest);
    folder.revise(&manifest)?;
    Ok(Runner {
        self_test: SelfTest::new(&manifest, &builder, Host::this())?,
        manifest,
        folder,
        seats,
        participants,
        host: Host::this(),
    })
}

fn before(out: &Path, text: &str) -> Result<Option<Manifest>, Failure> {
    if !RunFolder::is_begun(out) {
        expect_place_for_run(out)?;
        // Now, before agents are built into it.
        RunFolder::expect_makeable(out).map_err(|error| or_write_elsewhere(error, ANOTHER_OUT))?;
        return Ok(None);
    }
    let (folder, manifest) = RunFolder::open_with_manifest(out)?;
    expect_kind_in(out, RunKind::Competition)?;
    match folder.assignment()? {
        Some(before) if before == text => Ok(Some(manifest)),
        Some(_) => Err(other_run(out, "its assignment file has changed")),
        None => Err(other_run(out, "it was not started by `compete`")),
    }
}

/// The submissions of `entry` as they are understood, one line each, and the agents besides; nothing is built or run.
pub(super) fn dry_run(
    entry: &ClassEntry,
    assignment: &Assignment,
    competition: &Competition,
    scratch: &Path,
) -> Result<String, Failure> {
    let programs = &assignment.submission.names;
    let Entrants { named, class } = entrants(entry, competition, programs, scratch)?;
    let agents: Vec<String> = named.iter().map(|agent| plain(agent.name.as_str())).collect();
    let agents = match agents.len() {
        0 => String::new(),
        some => format!("{} besides: {}\n", counted(some, "named agent"), agents.join(", ")),
    };
    if class.class.entries.is_empty() {
        return Ok(format!("no submissions\n{agents}"));
    }
    Ok(roster_text(&class.class.entries, &class.facts, programs) + &agents)
}

/// Everybody who is to take part, each with a name of their own.
struct Entrants {
    /// The agents with a name of their own or built in.
    named: Vec<Invited>,
    /// The submissions.
    class: TakenIn,
}

fn entrants(
    entry: &ClassEntry,
    competition: &Competition,
    names: &FileNames,
    scratch: &Path,
) -> Result<Entrants, Failure> {
    let (named, submissions) = named(entry, competition)?;
    let class = class(entry, &submissions, names, scratch)?;
    let students = class.class.entries.iter().map(|entry| entry.student.as_str());
    let mut taken = BTreeSet::new();
    for name in named.iter().map(|agent| agent.name.as_str()).chain(students) {
        if !taken.insert(name) {
            return Err(Failure::Usage(format!(
                "two agents are named `{}`: rename one with `NAME=`",
                plain(name)
            )));
        }
    }
    Ok(Entrants { named, class })
}

/// All valid agents, by name, and the invalid submissions.
fn participants(
    entrants: &Entrants,
    entry: &ClassEntry,
    builder: &AgentBuilder,
    builds: &Path,
) -> Result<(BTreeMap<String, Participant>, Vec<Rejection>), Failure> {
    let mut all = BTreeMap::new();
    for (index, Invited { name, spec }) in entrants.named.iter().enumerate() {
        let agent = builder.prepare(spec, &builds.join(format!("named-{index}")))?;
        all.insert(name.to_string(), Participant::new(agent).renamed(name.to_string()));
    }
    let jobs = entry.jobs.map_or_else(|| Host::this().cores, usize::from);
    let Enrolled {
        participants,
        rejected,
        lacking,
        ..
    } = enrol(
        &entrants.class.class.entries,
        builder,
        &builds.join("class"),
        jobs,
        || (),
    );
    if let Some((name, error)) = lacking.first() {
        return Err(Failure::Machine(format!(
            "this machine cannot build {}; the first is {}: {}",
            counted(lacking.len(), "submission"),
            plain(name),
            plain(&error.to_string())
        )));
    }
    for rejection in &rejected {
        note(&format!(
            "{} is excluded: {}",
            plain(&rejection.name),
            plain(&rejection.fault.to_string())
        ));
    }
    all.extend(participants);
    Ok((all, rejected))
}

/// The agents with a name of their own or built in, and the paths of submissions.
fn named(entry: &ClassEntry, competition: &Competition) -> Result<(Vec<Invited>, Vec<PathBuf>), Failure> {
    let (mut named, mut submissions) = (competition.agents.clone(), vec![]);
    for text in &entry.agents {
        let spec: AgentSpec = text
            .parse()
            .map_err(|error: crate::agents::SpecError| Failure::Usage(error.to_string()))?;
        match spec.source() {
            AgentSource::Path(path) if path.as_os_str() == text.as_str() => submissions.push(path.clone()),
            AgentSource::Path(_) | AgentSource::Builtin(_) | AgentSource::Submission(_) => named.push(Invited {
                name: spec.name(),
                spec,
            }),
        }
    }
    Ok((named, submissions))
}

/// The submissions of the command, unpacked below `builds`.
fn class(entry: &ClassEntry, submissions: &[PathBuf], names: &FileNames, builds: &Path) -> Result<TakenIn, Failure> {
    let mut class = match submissions {
        [] => TakenIn::default(),
        _ => take_in_submissions(submissions, names, &builds.join("submissions"))?,
    };
    if let Some(folder) = &entry.class {
        class.add(take_in_class(folder, names, &builds.join("unpacked"))?);
    }
    if let Some(roster) = &entry.roster {
        class.hold_against(roster)?;
    }
    note_class(&class);
    Ok(class)
}

/// The earlier run with newly added and withdrawn agents; or a new one, seeded by lot.
fn manifest(
    entry: &ClassEntry,
    assignment: &Assignment,
    competition: &Competition,
    before: Option<&Manifest>,
    participants: &BTreeMap<String, Participant>,
    rejected: Vec<Rejection>,
) -> Result<Manifest, Failure> {
    let mut manifest = before.cloned().unwrap_or_else(|| {
        let conditions = assignment.conditions(competition.play_time);
        Manifest {
            kind: RunKind::Competition,
            ..Manifest::new(assignment.game, conditions, assignment.seed)
        }
    });
    manifest.rejected = rejected;
    for name in &entry.withdraw {
        let agent = manifest.agents.iter_mut().find(|agent| agent.name == *name);
        let agent =
            agent.ok_or_else(|| Failure::Usage(format!("no agent named `{}` in this competition", plain(name))))?;
        agent.role = AgentRole::Withdrawn;
    }
    for agent in &manifest.agents {
        still_there(agent, participants)?;
    }
    let is_known = |name: &String| manifest.agents.iter().any(|agent| agent.name == *name);
    let mut new: Vec<&Participant> = participants
        .values()
        .filter(|one| !is_known(&one.name().to_owned()))
        .collect();
    new.sort_by_key(|participant| derive_seed(manifest.seed, &["seeding", participant.name()]));
    let record = |participant| agent_record(participant, AgentRole::Participant);
    manifest.agents.extend(new.into_iter().map(record));
    Ok(manifest)
}

/// An agent that has begun continues with the same files, or withdraws.
fn still_there(agent: &AgentRecord, participants: &BTreeMap<String, Participant>) -> Result<(), Failure> {
    let name = plain(&agent.name);
    match (agent.role, participants.get(&agent.name)) {
        (AgentRole::Withdrawn, _) => Ok(()),
        (AgentRole::Participant | AgentRole::Reference, Some(participant)) if participant.digest() == agent.digest => {
            Ok(())
        }
        (AgentRole::Participant | AgentRole::Reference, Some(_)) => Err(Failure::Usage(format!(
            "the files of `{name}` have changed since its first game: restore them, or withdraw it with `--withdraw \
             '{name}'` and enter the new version under another name"
        ))),
        (AgentRole::Participant | AgentRole::Reference, None) => Err(Failure::Usage(format!(
            "`{name}` is missing from the command but has played in this run: name it, or withdraw it with \
             `--withdraw '{name}'`"
        ))),
    }
}

/// Runs every `calibrate` program once.
pub(super) fn calibrate(runner: &mut Runner) -> Result<(), Failure> {
    for (name, participant) in &mut runner.participants {
        let calibration = runner.self_test.calibrate(participant, &runner.seats);
        match calibration.map_err(|error| Failure::Machine(format!("{}: calibrate: {error}", plain(name))))? {
            Calibration::None | Calibration::Done => {}
            Calibration::Odd(oddity) => {
                note(&format!(
                    "{}: calibrate {}; it plays anyway",
                    plain(name),
                    plain(&oddity)
                ));
            }
        }
    }
    Ok(())
}
