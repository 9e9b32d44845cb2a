//! Makes a ladder from an assignment. It plays nothing; `cli/ladder` calls it.

use std::path::{Path, PathBuf};

use super::{OpenLadder, PROVIDED};
use crate::runs::RunOptions;
use crate::runs::agent_setup::AgentSetup;
use crate::runs::assignment_file::{assignment_text, expect_place};
use crate::runs::error::RunFailure;
use referee_course::assignment::{Assignment, LadderRules};
use referee_games::KnownGames;
use referee_matches::tournament::agent_record;
use referee_messages::plain;
use referee_records::{AgentRole, Manifest, RunFolder, RunKind};
use referee_submissions::agents::{AgentSpec, Participant, copy_provided};

/// A ladder to make.
#[derive(Debug)]
pub struct NewLadder {
    /// The assignment file; `None` for one that names the game alone.
    pub assignment: Option<PathBuf>,
    /// The text of the assignment, if it has no file.
    pub text: String,
    /// Where the ladder is made, and how agents are seated in it.
    pub options: RunOptions,
}

/// The name under which an assignment without a file is reported.
const LADDER_FILE: &str = "ladder.toml";

/// Takes over the settings of a ladder that has no version yet.
pub(super) fn follow_settings(ladder: &mut OpenLadder, setup: &AgentSetup) -> Result<(), RunFailure> {
    let OpenLadder { manifest, assignment, rules, .. } = ladder;
    manifest.game = assignment.game;
    manifest.seed = assignment.seed;
    manifest.conditions = assignment.conditions(rules.play_time);
    manifest.agents = vec![agent_record(&reference(rules, setup)?, AgentRole::Reference)];
    Ok(())
}

/// The agent whose rating is 0.
fn reference(rules: &LadderRules, setup: &AgentSetup) -> Result<Participant, RunFailure> {
    let spec: AgentSpec = format!("builtin:{}", rules.reference).parse().map_err(RunFailure::request)?;
    Ok(Participant::new(setup.builder.prepare(&spec, Path::new(""))?))
}

impl NewLadder {
    /// Makes the ladder. Its folder has everything that it needs, so that it can be moved and copied.
    ///
    /// # Errors
    ///
    /// [`RunFailure`]; then nothing was made.
    pub fn make(&self) -> Result<RunFolder, RunFailure> {
        let (out, games) = (&self.options.out, &self.options.known_games);
        expect_place(out, RunKind::Ladder)?;
        if RunFolder::is_begun(out) {
            let path = plain(&out.display().to_string());
            return Err(RunFailure::request(format!("`{path}` is a ladder already: name a new directory")));
        }
        RunFolder::expect_makeable(out).map_err(RunFailure::of_folder)?;
        let (assignment, text) = self.assignment(games)?;
        let rules = assignment.ladder.as_ref().expect("it was added where it was missing");
        let setup = self.options.setup(&assignment)?;
        let reference = reference(rules, &setup)?;
        setup.expect_seat(assignment.game, &reference)?;
        let conditions = assignment.conditions(rules.play_time);
        let manifest = Manifest {
            kind: RunKind::Ladder,
            agents: vec![agent_record(&reference, AgentRole::Reference)],
            seating: Some(self.options.seating(&assignment)),
            ..Manifest::new(assignment.game, conditions, assignment.seed)
        };
        if let Some(provided) = &assignment.submission.provide {
            copy_provided(provided, &out.join(PROVIDED))?;
        }
        RunFolder::begin_by(out, &manifest, &text, games).map_err(RunFailure::of_folder)
    }

    /// The assignment with its `[ladder]`, and its text.
    fn assignment(&self, games: &KnownGames) -> Result<(Assignment, String), RunFailure> {
        let Some(path) = &self.assignment else {
            return Ok((Assignment::parse(&self.text, Path::new(LADDER_FILE), games)?, self.text.clone()));
        };
        let assignment = Assignment::load(path, games)?;
        let text = assignment_text(path)?;
        if assignment.ladder.is_some() {
            return Ok((assignment, text));
        }
        let text = format!("{}\n\n[ladder]\n", text.trim_end());
        let with_ladder = Assignment::parse(&text, path, games)?;
        Ok((Assignment { ladder: with_ladder.ladder, ..assignment }, text))
    }
}
