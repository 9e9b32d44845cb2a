//! A grading that is resumed, perhaps by a changed assignment: which of its records count. It plays nothing.

use std::collections::BTreeMap;
use std::path::Path;

use super::lock;
use super::questions::questions;
use crate::runs::assignment_file::{EarlierRun, assignment_text, load_grading};
use crate::runs::error::{Remedy, RunFailure};
use crate::runs::kind::{WantedKind, expect_kind};
use crate::runs::progress::{OnProgress, Progress};
use crate::runs::run_path::open_run;
use referee_course::assignment::{Assignment, Criterion, CriterionKind};
use referee_course::grading::{Grading, Reuse, is_again};
use referee_games::KnownGames;
use referee_messages::{counted_are, plain};
use referee_records::{AgentRecord, Manifest, RunFolder, RunKind};
use referee_submissions::agents::{AgentName, AgentSpec};

impl EarlierRun {
    /// Makes it the run of `manifest`: repetitions of close calls stay, records of the students `anew` are removed, and
    /// those that do not hold under the assignment, now `text`, are set aside.
    pub(super) fn resume(
        self,
        text: &str,
        mut manifest: Manifest,
        anew: &[String],
        on_progress: &OnProgress,
    ) -> Result<RunFolder, RunFailure> {
        self.expect_same_game()?;
        self.expect_same_references(&manifest)?;
        self.forget(anew)?;
        self.keep_repetitions(&mut manifest, anew);
        let reuse = self.reuse(&manifest)?;
        self.revise(&reuse, (manifest, text), on_progress)?;
        Ok(self.folder)
    }

    fn expect_same_game(&self) -> Result<(), RunFailure> {
        let (then, now) = (self.then.game, self.now.game);
        if then == now {
            return Ok(());
        }
        Err(RunFailure::other_run(self.folder.path(), format!("its game is {then}, not {now}")))
    }

    /// A student measured by another program was measured differently; and a student who joined later must not take its
    /// name. An opponent that the assignment no longer names may go.
    fn expect_same_references(&self, manifest: &Manifest) -> Result<(), RunFailure> {
        let references = |manifest: &Manifest| -> Vec<(String, String)> {
            let agents = manifest.agents.iter().filter(|agent| !agent.role.is_participant());
            agents.map(|agent| (agent.name.clone(), agent.digest.clone())).collect()
        };
        let wanted: Vec<_> = self.now.criteria.iter().filter_map(opponent).collect();
        let stay = self.then.criteria.iter().filter_map(opponent).filter(|opponent| wanted.contains(opponent));
        let stay: Vec<&str> = stay.map(|(_, name)| name.as_str()).collect();
        let (now, then) = (references(manifest), references(&self.manifest));
        let mut then = then.iter().filter(|(name, _)| stay.contains(&name.trim_end_matches('+')));
        let Some((name, _)) = then.find(|reference| !now.contains(reference)) else {
            return Ok(());
        };
        let is_student = manifest.agents.iter().any(|agent| agent.role.is_participant() && agent.name == *name)
            || manifest.rejected.iter().any(|rejection| rejection.name == *name);
        let difference = if is_student {
            format!("its reference agent `{name}` has the same name as a new submission; rename the submission")
        } else {
            format!("the files of its reference agent `{name}` have changed, and all students must meet the same agent")
        };
        Err(RunFailure::other_run(self.folder.path(), difference))
    }

    fn forget(&self, anew: &[String]) -> Result<(), RunFailure> {
        let is_anew = |name: &String| anew.contains(name);
        let games = self.manifest.games.iter().filter(|game| is_anew(&game.black) || is_anew(&game.white));
        let answers = self.manifest.answers.iter().filter(|asked| is_anew(&asked.agent));
        let mut ids = games.map(|game| &game.id).chain(answers.map(|asked| &asked.id));
        Ok(ids.try_for_each(|id| self.folder.forget(id))?)
    }

    /// Plans again what repeats an item, except for the students `anew`.
    fn keep_repetitions(&self, manifest: &mut Manifest, anew: &[String]) {
        let known: Vec<String> = manifest.agents.iter().map(|agent| agent.name.clone()).collect();
        let stays = |id: &str, names: &[&String]| {
            is_again(id) && names.iter().all(|name| known.contains(name) && !anew.contains(name))
        };
        let games = self.manifest.games.iter().filter(|game| stays(&game.id, &[&game.black, &game.white]));
        manifest.games.extend(games.cloned());
        let answers = self.manifest.answers.iter().filter(|asked| stays(&asked.id, &[&asked.agent]));
        manifest.answers.extend(answers.cloned());
    }

    fn reuse(&self, manifest: &Manifest) -> Result<Reuse, RunFailure> {
        let (then, now) = (self.then.minimum_isolation, self.now.minimum_isolation);
        Ok(Reuse::of(&self.folder, &self.manifest, manifest, (now > then).then_some(now))?)
    }

    /// Writes `manifest` and the text of its assignment, after its records were moved.
    fn revise(
        &self,
        reuse: &Reuse,
        (mut manifest, text): (Manifest, &str),
        on_progress: &OnProgress,
    ) -> Result<(), RunFailure> {
        let aside = reuse.apply(&self.folder, &self.manifest, &self.text)?;
        manifest.games.retain(|game| !reuse.dropped.contains(&game.id));
        manifest.answers.retain(|asked| !reuse.dropped.contains(&asked.id));
        self.folder.revise(&manifest)?;
        self.folder.revise_assignment(text)?;
        if aside.is_some() || !reuse.changes_nothing() {
            on_progress(Progress::Reused { reuse, set_aside: aside.as_ref() });
        }
        Ok(())
    }

    /// The records of the opponents of each criterion, all of whom have played in this run.
    fn opponents(&self) -> Result<Vec<Option<AgentRecord>>, RunFailure> {
        let known: BTreeMap<&str, &AgentRecord> = self
            .manifest
            .agents
            .iter()
            .filter(|agent| !agent.role.is_participant())
            .map(|agent| (agent.name.as_str(), agent))
            .collect();
        let was_there: Vec<_> = self.then.criteria.iter().filter_map(opponent).collect();
        let record = |criterion: &Criterion| {
            let Some((spec, name)) = opponent(criterion) else {
                return Ok(None);
            };
            let names = (0..).map(|taken| format!("{name}{}", "+".repeat(taken)));
            let mut names = names.take(known.len() + 1);
            let found = names.find_map(|name| known.get(name.as_str()).map(|agent| (*agent).clone()));
            match found.filter(|_| was_there.contains(&(spec, name))) {
                Some(found) => Ok(Some(found)),
                None => Err(needs_games(&format!("nobody in this run has played against `{name}`"))),
            }
        };
        self.now.criteria.iter().map(record).collect()
    }

    /// The manifest of the same class under `assignment`.
    fn replanned(&self, assignment: &Assignment) -> Result<Manifest, RunFailure> {
        let students = self.manifest.agents.iter().filter(|agent| agent.role.is_participant());
        let students: Vec<AgentRecord> = students.cloned().collect();
        let questions = questions(assignment)?;
        let planned = Grading {
            assignment,
            questions: &questions,
            opponents: &self.opponents()?,
            agent_records: &students,
            rejected: &self.manifest.rejected,
        };
        let students = self.manifest.students.clone();
        let mut manifest = Manifest { students, host: self.manifest.host.clone(), ..planned.manifest() };
        self.keep_repetitions(&mut manifest, &[]);
        Ok(manifest)
    }
}

/// Makes the file `path` the assignment of the grading in the folder `run`, if no game has to be played for it.
///
/// # Errors
///
/// [`RunFailure`]; then the run is as it was.
pub fn reassign(run: &Path, path: &Path, games: &KnownGames, on_progress: &OnProgress) -> Result<(), RunFailure> {
    let (_, manifest) = open_run(run, games)?;
    expect_kind(run, &manifest, RunKind::Grading, WantedKind::ToRead)?;
    let _lock = lock(run)?;
    let (assignment, text) = (load_grading(path, games)?, assignment_text(path)?);
    let Some(earlier) = EarlierRun::read(run, path, &text, games)? else {
        return Ok(());
    };
    earlier.expect_same_game()?;
    let manifest = earlier.replanned(&assignment)?;
    let reuse = earlier.reuse(&manifest)?;
    if let Some(replay) = reuse.replays.first() {
        return Err(needs_games(&format!(
            "{} of its games and answers have to be played again, the first in the criterion `{}`, for {}",
            reuse.to_repeat(),
            plain(&replay.criterion),
            replay.reason
        )));
    }
    if let [first, ..] = reuse.added.as_slice() {
        return Err(needs_games(&format!(
            "{} not in this run, the first in the criterion `{}`",
            counted_are(reuse.added.len(), "item"),
            plain(first)
        )));
    }
    earlier.revise(&reuse, (manifest, &text), on_progress)
}

fn needs_games(why: &str) -> RunFailure {
    RunFailure::request(format!("this assignment changes what is played: {why}")).with(Remedy::GradeAgain)
}

fn opponent(criterion: &Criterion) -> Option<(&AgentSpec, &AgentName)> {
    match &criterion.kind {
        CriterionKind::Games { opponent, opponent_name, .. } => Some((opponent, opponent_name)),
        CriterionKind::Questions(_) => None,
    }
}
