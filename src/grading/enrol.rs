//! From the submissions of a class to agents that can be graded, several at a time.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::agents::{AgentError, Contestant, Entry, Workshop};
use crate::records::{AgentRecord, Rejection, Role};
use crate::tournament::agent_record;

/// A class that is ready to be graded.
#[derive(Debug, Default)]
pub struct Enrolled {
    /// The agents by their names.
    pub contestants: BTreeMap<String, Contestant>,
    /// Those that can take part, by name.
    pub entrants: Vec<AgentRecord>,
    /// Those that cannot, by name.
    pub rejected: Vec<Rejection>,
    /// What this machine lacks, by the names of those who need it: nobody can be graded before it is mended.
    pub lacking: Vec<(String, AgentError)>,
}

/// Makes an agent of each of `entries` that can be made one, `jobs` at a time, in folders of their own below `builds`.
/// `hear` is told of each when it is done, from several threads.
pub fn enrol(entries: &[Entry], workshop: &Workshop, builds: &Path, jobs: usize, hear: impl Fn() + Sync) -> Enrolled {
    let enrolled = Mutex::new(Enrolled::default());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((index, entry)) = take(entries, &next) {
            let outcome = prepare(entry, workshop, &builds.join(index.to_string()));
            let mut enrolled = enrolled.lock().expect("nobody panics with the lock held");
            enrolled.add(entry, outcome);
            hear();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, entries.len().max(1)) {
            scope.spawn(work);
        }
    });
    let mut enrolled = enrolled.into_inner().expect("nobody panics with the lock held");
    enrolled.entrants.sort_by(|a, b| a.name.cmp(&b.name));
    enrolled.rejected.sort_by(|a, b| a.name.cmp(&b.name));
    enrolled.lacking.sort_by(|a, b| a.0.cmp(&b.0));
    enrolled
}

fn take<'a>(entries: &'a [Entry], next: &AtomicUsize) -> Option<(usize, &'a Entry)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    entries.get(index).map(|entry| (index, entry))
}

/// What came of one submission.
enum Outcome {
    Ready(Box<Contestant>),
    Rejected(Rejection),
    Lacking(AgentError),
}

fn prepare(entry: &Entry, workshop: &Workshop, build: &Path) -> Outcome {
    let rejected = |fault, compiler_output: Option<&str>| {
        Outcome::Rejected(Rejection {
            name: entry.student.to_string(),
            origin: entry.path.display().to_string(),
            fault,
            compiler_output: compiler_output.map(str::to_owned),
        })
    };
    let spec = match &entry.spec {
        Ok(spec) => spec,
        Err(fault) => return rejected(fault.finding(), fault.compiler_output()),
    };
    match workshop.prepare(spec, build) {
        Ok(agent) => Outcome::Ready(Box::new(Contestant::new(agent).renamed(entry.student.to_string()))),
        Err(AgentError::Submission { fault, .. }) => rejected(fault.finding(), fault.compiler_output()),
        Err(error) => Outcome::Lacking(error),
    }
}

impl Enrolled {
    fn add(&mut self, entry: &Entry, outcome: Outcome) {
        let name = entry.student.to_string();
        match outcome {
            Outcome::Ready(contestant) => {
                self.entrants.push(AgentRecord {
                    origin: entry.path.display().to_string(),
                    ..agent_record(&contestant, Role::Entrant)
                });
                self.contestants.insert(name, *contestant);
            }
            Outcome::Rejected(rejection) => self.rejected.push(rejection),
            Outcome::Lacking(error) => self.lacking.push((name, error)),
        }
    }
}
