//! `referee serve --play AGENT`: a person against an agent on a page, through [`referee_pages::serve`].

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::assignment::read_for_play;
use super::events::EventLog;
use super::game::{games_help, rules_help, with_rules};
use super::listen::ListenArgument;
use super::play_time::PlayTime;
use super::run_arguments::Python2Argument;
use super::run_display::{Detail, RunDisplay};
use super::session::{interruption, on_threads, prepared};
use crate::runs::{MatchTerms, PERSON, PersonGames, PersonMatchRequest, scratch_dir};
use referee_games::{GameName, KnownGames};
use referee_pages::serve::{PlaySession, RequestPolicy, play_routes};
use referee_seat::{Isolation, IsolationRange, Scratch, SeatOptions};
use referee_submissions::agents::{AgentName, AgentSpec};

/// What `--play` takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Playing")]
pub(super) struct PlayArguments {
    /// Play against this agent, named as in `referee play`, instead of showing a run
    #[arg(long, value_name = "AGENT")]
    play: Option<AgentSpec>,
    #[arg(long, requires = "play", help = games_help(""))]
    game: Option<GameName>,
    #[arg(long, requires = "game", help = rules_help())]
    rules: Option<String>,
    /// Play by this assignment file, as grading will: its game, file names, provided files, protocol, clocks, limits
    /// and tolerance. `--time` replaces its play time
    #[arg(long, requires = "play", value_name = "FILE", conflicts_with = "game")]
    assignment: Option<PathBuf>,
    /// Time of each side for the whole game, in seconds: CPU time for the agent, wall-clock time for you; `none`: no
    /// clock for you [default: 300; for a custom game, the time that its rules give]
    #[arg(long, requires = "play", value_parser = PlayTime::read)]
    time: Option<PlayTime>,
    /// Your name in the records
    #[arg(long, requires = "play", default_value = PERSON)]
    name: AgentName,
    /// Minimum isolation level: bare, confined or sealed; use the best available, refuse to run below this
    #[arg(long, requires = "play", default_value = "bare", value_name = "LEVEL")]
    isolation: Isolation,
    #[command(flatten)]
    python2: Python2Argument,
    /// Random seed of a built-in agent
    #[arg(long, requires = "play", default_value_t = 0)]
    seed: u64,
    /// Output directory; a run of the same players in it is resumed [default: a new directory in results/]
    #[arg(long, requires = "play", value_name = "DIR")]
    out: Option<PathBuf>,
}

impl PlayArguments {
    pub(super) fn run(self, listen: ListenArgument, games: &KnownGames) -> Result<(), Failure> {
        let Some(agent) = self.play else {
            return Err(Failure::Usage("name a run directory, or an agent with `--play`".to_owned()));
        };
        let assignment = self.assignment.as_deref().map(|path| read_for_play(path, games)).transpose()?;
        let time = self.time.unwrap_or_default();
        let (game, conditions) = match (&assignment, &self.game) {
            (Some(assignment), _) => (assignment.game, time.conditions_of(assignment)),
            (None, Some(game)) => {
                let game = with_rules(games.named(game)?, self.rules.as_deref())?;
                (game, time.conditions(game))
            }
            (None, None) => {
                return Err(Failure::Usage(
                    "`--play` needs a game: add `--game GAME` or `--assignment FILE`".to_owned(),
                ));
            }
        };
        let against = PersonMatchRequest {
            game,
            games: PersonGames::AddedLater,
            person: self.name,
            clock: time.of_person(),
            agent,
            terms: MatchTerms {
                assignment,
                seats: SeatOptions { isolation: IsolationRange::at_least(self.isolation), ..conditions.seats() },
                python2: self.python2.python2(),
                conditions,
                out: self.out,
                known_games: games.clone(),
            },
            seed: self.seed,
        };
        on_threads(serve(against, listen))
    }
}

async fn serve(against: PersonMatchRequest, listen: ListenArgument) -> Result<(), Failure> {
    // The page asks for the side before each game.
    let side = against.game.profile().first_turn.drawn_by(0);
    let builds = scratch_dir(Scratch::Builds)?;
    let below = builds.path().to_owned();
    let on_progress = RunDisplay::new(Detail::Games, EventLog::default()).on_progress();
    let table = prepared(move || {
        let (against, folder) = against.prepare(&below, &on_progress)?;
        Ok(Arc::new(PlaySession::new(against, folder, side)))
    })
    .await?;
    let server = listen.open(RequestPolicy::LookAndAct, &table.folder_name()).await?;
    let end = async {
        interruption().await;
    };
    let ended = server.serve(play_routes(&table), RequestPolicy::LookAndAct, end).await;
    ended.map_err(|error| Failure::Machine(format!("the server failed: {error}")))
}
