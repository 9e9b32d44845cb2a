//! Makes agents from the submissions of a class, several at a time. It plays nothing; gradings and competitions call
//! it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use referee_matches::tournament::agent_record;
use referee_records::{AgentRecord, AgentRole, Rejection};
use referee_submissions::agents::{Agent, AgentBuilder, AgentError, ClassEntry, Participant};

/// A class that is ready for grading.
#[derive(Debug, Default)]
pub struct EnrolledClass {
    /// The agents by their names.
    pub participants: BTreeMap<String, Participant>,
    /// The valid submissions, by name.
    pub agent_records: Vec<AgentRecord>,
    /// The rejected submissions, by name.
    pub rejected: Vec<Rejection>,
    /// What this machine lacks, by the names of the affected students: it must be installed before anybody is graded.
    pub lacking: Vec<(String, AgentError)>,
}

/// Makes an agent of each of `entries` where possible, `jobs` at a time, in separate folders below `builds`. Calls
/// `on_event` after each that there is something to build of ([`to_build`]), from several threads.
pub fn enrol(
    entries: &[ClassEntry],
    builder: &AgentBuilder,
    builds: &Path,
    jobs: usize,
    on_event: impl Fn() + Sync,
) -> EnrolledClass {
    let enrolled = Mutex::new(EnrolledClass::default());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = entries.get(index) else { break };
            let made = match &entry.spec {
                Ok(spec) => builder.prepare(spec, &builds.join(index.to_string())),
                Err(fault) => Err(AgentError::Submission { path: entry.path.clone(), fault: fault.clone() }),
            };
            let mut enrolled = enrolled.lock();
            enrolled.add(entry, made);
            if entry.spec.is_ok() {
                on_event();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, entries.len().max(1)) {
            scope.spawn(work);
        }
    });
    let mut enrolled = enrolled.into_inner();
    enrolled.agent_records.sort_by(|a, b| a.name.cmp(&b.name));
    enrolled.rejected.sort_by(|a, b| a.name.cmp(&b.name));
    enrolled.lacking.sort_by(|a, b| a.0.cmp(&b.0));
    enrolled
}

/// How many of `entries` are built: what was not handed in, or was refused before, is not.
pub fn to_build(entries: &[ClassEntry]) -> usize {
    entries.iter().filter(|entry| entry.spec.is_ok()).count()
}

impl EnrolledClass {
    fn add(&mut self, entry: &ClassEntry, made: Result<Agent, AgentError>) {
        let (name, origin) = (entry.student.to_string(), entry.path.display().to_string());
        match made {
            Ok(agent) => {
                let participant = Participant::new(agent).renamed(name.clone());
                let record = agent_record(&participant, AgentRole::Participant);
                self.agent_records.push(AgentRecord { origin, ..record });
                self.participants.insert(name, participant);
            }
            Err(AgentError::Submission { fault, .. }) => self.rejected.push(Rejection {
                name,
                origin,
                fault: fault.finding(),
                compiler_output: fault.compiler_output().map(str::to_owned),
            }),
            Err(error) => self.lacking.push((name, error)),
        }
    }
}
