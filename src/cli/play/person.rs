//! `referee play human AGENT`: a person at the terminal against an agent. [`referee_matches::human`] plays, and
//! `console` talks.

use std::io;
use std::sync::mpsc::Receiver;

use super::PlayCommand;
use super::report::score_of;
use crate::cli::Failure;
use crate::cli::events::EventLog;
use crate::cli::output::say;
use crate::cli::player::PlayerArgument;
use crate::cli::run_display::{Detail, RunDisplay};
use crate::cli::session::{interruption, prepared};
use crate::console::{seat, typed_lines};
use crate::runs::{GamePlan, PersonGames, PersonMatchRequest, scratch_dir};
use crate::shell::shell_path;
use referee_games::KnownGames;
use referee_matches::human::{NotPlayed, PersonMatch};
use referee_matches::referee::explain;
use referee_messages::{OutputStyle, SideNames, close_call_sentence, explained_in_short, verdict_sentence};
use referee_records::{GameRecord, Pairing, RunFolder, VoidBlame};
use referee_seat::Scratch;
use referee_submissions::agents::{AgentName, AgentSpec};

/// Which of the two players is the person.
#[derive(Clone, Debug)]
pub(super) struct PersonSide {
    person: AgentName,
    agent: AgentSpec,
    games: fn(GamePlan) -> PersonGames,
}

/// The players.
pub(super) enum Matchup {
    /// Only agents.
    Agents(Vec<AgentSpec>),
    /// A person and an agent.
    Person(PersonSide),
}

impl PlayCommand {
    /// The players, or why they cannot play.
    pub(super) fn matchup(&self) -> Result<Matchup, Failure> {
        let named: Vec<&PlayerArgument> = std::iter::once(&self.a).chain(&self.opponents).collect();
        let with_person = |person: &AgentName, agent: &AgentSpec, games| {
            Matchup::Person(PersonSide { person: person.clone(), agent: agent.clone(), games })
        };
        match named.as_slice() {
            [PlayerArgument::Person(person), PlayerArgument::Agent(agent)] => {
                Ok(with_person(person, agent, PersonGames::PersonFirst))
            }
            [PlayerArgument::Agent(agent), PlayerArgument::Person(person)] => {
                Ok(with_person(person, agent, PersonGames::AgentFirst))
            }
            all => {
                let agents = all.iter().map(|player| match player {
                    PlayerArgument::Agent(spec) => Ok(spec.clone()),
                    PlayerArgument::Person(_) => Err(Failure::Usage(
                        "a person plays one agent: `referee play human AGENT`, or `referee play AGENT human`"
                            .to_owned(),
                    )),
                });
                agents.collect::<Result<_, _>>().map(Matchup::Agents)
            }
        }
    }

    /// Plays the games of a person at this terminal.
    pub(super) async fn play_with_person(self, with: PersonSide, games: &KnownGames) -> Result<(), Failure> {
        if self.sprt.is_some() || self.jobs > 1 {
            return Err(Failure::Usage(
                "`--sprt` and `--jobs` are for games between agents: a person plays one game at a time".to_owned(),
            ));
        }
        let assignment = self.read_assignment(games)?;
        let plan = self.plan(assignment.as_ref(), games)?;
        let against = PersonMatchRequest {
            game: plan.game,
            games: (with.games)(plan),
            person: with.person,
            clock: self.time.unwrap_or_default().of_person(),
            agent: with.agent,
            terms: self.terms(plan.game, assignment, games),
            seed: self.seed,
        };
        let builds = scratch_dir(Scratch::Builds)?;
        let below = builds.path().to_owned();
        if self.events.is_some() {
            return Err(Failure::Usage("`--events` is for games between programs: remove it".to_owned()));
        }
        let on_progress = RunDisplay::new(Detail::Games, EventLog::default()).on_progress();
        let (against, folder) = prepared(move || Ok(against.prepare(&below, &on_progress)?)).await?;
        play_out(against, folder).await
    }
}

/// Plays the unfinished games in order, until the person leaves or a signal interrupts.
async fn play_out(against: PersonMatch, folder: RunFolder) -> Result<(), Failure> {
    let how_to_resume = format!(
        "an unfinished game is not recorded; rerun the same command with `--out {}` to play it again",
        folder.path().display()
    );
    let until_left = how_to_resume.clone();
    tokio::select! {
        ended = tokio::task::spawn_blocking(move || play_all(&against, &folder, &until_left)) => {
            ended.map_err(|error| Failure::Bug(error.to_string()))?
        }
        signal = interruption() => {
            // The prompt is still there; a closed pipe needs no message.
            drop(say("\n"));
            Err(Failure::Interrupted(format!("{signal}; {how_to_resume}")))
        }
    }
}

fn play_all(against: &PersonMatch, folder: &RunFolder, how_to_resume: &str) -> Result<(), Failure> {
    let lines = typed_lines(io::stdin());
    let finished = folder.finished(&against.manifest);
    let pending = against.manifest.games.iter().filter(|pairing| !finished.contains(&pairing.id));
    for pairing in pending {
        let record = play_one(against, pairing, &lines).map_err(|not_played| match not_played {
            NotPlayed::Left => Failure::Interrupted(format!("you left the game; {how_to_resume}")),
            NotPlayed::Void(void) => match void.cause.blame() {
                VoidBlame::Machine => Failure::Machine(void.to_string()),
                VoidBlame::Rules => Failure::Input(void.to_string()),
            },
        })?;
        folder.keep(&record)?;
        say(&result_text(&record, folder))?;
    }
    if against.manifest.games.len() > 1 {
        say(&(score_of(folder, &against.manifest)?.join("\n") + "\n"))?;
    }
    Ok(())
}

fn play_one(against: &PersonMatch, pairing: &Pairing, lines: &Receiver<String>) -> Result<GameRecord, NotPlayed> {
    let game = against.manifest.game;
    let names = SideNames::new(game, &pairing.black, &pairing.white);
    let own = against.side_of_person(pairing);
    let (person, mut display) = seat(lines, game, names, own, against.clock);
    display.introduce(&against.manifest.conditions_of(pairing));
    against.play(pairing, person, |snapshot, turns| display.see(&snapshot, turns))
}

/// The result of the game, and its location.
fn result_text(record: &GameRecord, folder: &RunFolder) -> String {
    let names = SideNames::of(record);
    let mut lines = vec![verdict_sentence(&record.verdict, &names)];
    let calls = record.close_calls.iter();
    lines.extend(calls.map(|call| format!("close call: {}", close_call_sentence(call, &names))));
    let explanation = explain(record).map(|explanation| explained_in_short(&explanation, OutputStyle::PLAIN));
    lines.extend(explanation.unwrap_or_default());
    lines.push(format!("replay it: referee replay {}", shell_path(&folder.path_of(&record.id))));
    lines.push(format!("in the browser: referee serve {}", shell_path(folder.path())));
    lines.join("\n") + "\n"
}
