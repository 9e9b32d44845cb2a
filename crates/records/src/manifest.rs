//! The manifest of a run: who plays whom and answers which questions, under which conditions. Plain data with lookups.
//! Commands and `grading` make it; everything that reads a run starts with it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{
    AnswerRecord, AnswerRequest, Conditions, GameRecord, Host, ParticipantRecord, PerSide, PersonClock, PlayerRecord,
    Question, SCHEMA,
};
use referee_games::protocol::Finding;
use referee_games::{GameRef, Side};
use referee_seat::{Isolation, Meter};
use referee_time::CpuTime;

/// The definition of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest<G = GameRef> {
    /// The version of this format, [`SCHEMA`].
    pub schema: u32,
    /// The version of the program that began the run.
    pub referee: String,
    /// The kind of run.
    pub kind: RunKind,
    /// The game and its rule set; in a file, the [`GameId`](referee_games::GameId) of it.
    #[serde(flatten)]
    pub game: G,
    /// The conditions of every game and answer, except times that a game or question has of its own.
    pub conditions: Conditions,
    /// The seed for all randomness of the run.
    pub seed: u64,
    /// The agents.
    pub agents: Vec<AgentRecord>,
    /// Submissions that cannot take part through their own fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejection>,
    /// Who the students of a grading are, and when they handed in; empty if nothing is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub students: Vec<StudentRecord>,
    /// The participants of a ladder, in the order of their first versions; empty for other runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<ParticipantRecord>,
    /// Every game of the run. The file of a ladder lists none: its games are those that have a record.
    pub games: Vec<Pairing>,
    /// The rounds of a competition, in the order of its games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<PlannedRound>,
    /// The questions for single agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// Every answer of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnswerRequest>,
    /// How agents are built and seated on every machine that plays games of the run; `None` if only the starting
    /// command's options say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seating: Option<SeatingOptions>,
    /// The machine that started the run.
    pub host: Host,
}

impl<G> Manifest<G> {
    /// The same manifest of `game`, which its file names.
    pub fn with_game(self, game: GameRef) -> Manifest {
        Manifest {
            game,
            schema: self.schema,
            referee: self.referee,
            kind: self.kind,
            conditions: self.conditions,
            seed: self.seed,
            agents: self.agents,
            rejected: self.rejected,
            students: self.students,
            participants: self.participants,
            games: self.games,
            rounds: self.rounds,
            questions: self.questions,
            answers: self.answers,
            seating: self.seating,
            host: self.host,
        }
    }
}

impl Manifest {
    /// An empty manifest for a run of games on this machine, by this version.
    pub fn new(game: GameRef, conditions: Conditions, seed: u64) -> Self {
        Self {
            schema: SCHEMA,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            kind: RunKind::Games,
            game,
            conditions,
            seed,
            agents: Vec::new(),
            rejected: Vec::new(),
            students: Vec::new(),
            participants: Vec::new(),
            games: Vec::new(),
            rounds: Vec::new(),
            questions: Vec::new(),
            answers: Vec::new(),
            seating: None,
            host: Host::this(),
        }
    }
}

/// The kind of run. Each command states which kinds it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    /// Games between named agents.
    Games,
    /// A grading by an assignment.
    Grading,
    /// A competition by an assignment, in rounds.
    Competition,
    /// A ladder, to which versions of agents are added.
    Ladder,
}

impl RunKind {
    /// The kind with its article, for use in a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Games => "a match",
            Self::Grading => "a grading",
            Self::Competition => "a competition",
            Self::Ladder => "a ladder",
        }
    }

    /// The command that starts such a run.
    pub const fn command(self) -> &'static str {
        match self {
            Self::Games => "referee play",
            Self::Grading => "referee grade",
            Self::Competition => "referee compete",
            Self::Ladder => "referee ladder",
        }
    }
}

/// The options for building and seating agents that the assignment leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatingOptions {
    /// The minimum isolation level.
    pub at_least: Isolation,
    /// The meter; `None` for the best one of each machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meter: Option<Meter>,
    /// Whether Python 3 runs Python 2 programs on machines without Python 2.
    #[serde(default)]
    pub python2_by_python3: bool,
}

/// One agent of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRecord {
    /// Its name, unique in the run.
    pub name: String,
    /// The argument on the command line.
    pub origin: String,
    /// The digest of its files; empty for a person.
    pub digest: String,
    /// The clock, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonClock>,
    /// Its role.
    #[serde(default, skip_serializing_if = "AgentRole::is_participant")]
    pub role: AgentRole,
    /// Oddities that did not exclude it, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl AgentRecord {
    /// A participant without remarks.
    pub const fn participant(name: String, origin: String, digest: String) -> Self {
        Self { name, origin, digest, person: None, role: AgentRole::Participant, remarks: Vec::new() }
    }

    /// Whether it is a built-in agent, which everybody knows, perhaps under a name of its own: `NAME=builtin:minimax`.
    pub fn is_built_in(&self) -> bool {
        let named = self.origin.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('='));
        named.unwrap_or(&self.origin).starts_with("builtin:")
    }
}

/// The role of an agent in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentRole {
    /// It competes.
    #[default]
    Participant,
    /// Others are measured against it.
    Reference,
    /// It competed and has withdrawn.
    Withdrawn,
}

/// A round of a competition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedRound {
    /// Counted from 1.
    pub number: u32,
    /// The encounters.
    pub encounters: Vec<PlannedEncounter>,
    /// The players with a bye.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<String>,
}

/// Two agents that meet in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedEncounter {
    /// Their names.
    pub players: [String; 2],
    /// The number of their games in the manifest, which follow those of the previous encounters.
    pub games: usize,
}

impl AgentRole {
    /// Whether it competes.
    pub const fn is_participant(&self) -> bool {
        matches!(self, Self::Participant)
    }
}

/// A submission that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// Its intended name.
    pub name: String,
    /// The argument on the command line.
    pub origin: String,
    /// The fault, with a remedy for its author.
    pub fault: Finding,
    /// The compiler's output, if any: bounded, lossy, not escaped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler_output: Option<String>,
}

/// A student of a grading: a line of the gradebook. Several students of a group share a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StudentRecord {
    /// The name in the gradebook, unique in the run.
    pub name: String,
    /// The name of the submission in the run: an agent's or that of a rejected one.
    pub submission: String,
    /// Who the student is.
    #[serde(flatten)]
    pub identity: StudentIdentity,
    /// When it was handed in: `2026-11-20T23:45:00Z`, or without an offset by the clock of the course.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<String>,
    /// The source of that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_by: Option<TimeSource>,
    /// Whether the platform calls the submission late, without saying by how much; `None` if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_on_platform: Option<bool>,
    /// The student's own deadline, with its offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// By how many minutes the deadline is extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extension_minutes: Option<u32>,
    /// Late days that cost this student nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_days: Option<u32>,
}

/// What the roster or the platform says of a student; empty where it does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StudentIdentity {
    /// The number.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The login.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub login: String,
    /// The e-mail.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub email: String,
    /// The section of the course.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub section: String,
    /// The group that hands in together.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
}

/// The source of a submission time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeSource {
    /// The roster of the course.
    Roster,
    /// The platform's download.
    Platform,
    /// The newest file of the submission, on disk or in the archive of the class.
    Files,
    /// The grader, for all submissions without another time.
    Grader,
}

impl TimeSource {
    /// For use in a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Roster => "from the roster",
            Self::Platform => "from the platform",
            Self::Files => "from file times",
            Self::Grader => "stated by the grader",
        }
    }
}

/// A game to play: its name and its two agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The game's name in the run.
    pub id: String,
    /// Who plays black.
    pub black: String,
    /// Who plays white.
    pub white: String,
    /// The side with the first turn.
    pub first: Side,
    /// The play time of each side, if it differs from the run's conditions.
    #[serde(rename = "play_time_cpu_us", default, skip_serializing_if = "Option::is_none")]
    pub play_time: Option<PerSide<CpuTime>>,
    /// The start board, top row first, if it differs from the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<String>>,
}

impl Pairing {
    /// The name of the agent that plays `side`.
    pub fn name(&self, side: Side) -> &str {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}

impl Manifest {
    /// The conditions of one game.
    pub fn conditions_of(&self, pairing: &Pairing) -> Conditions {
        Conditions { play_time: pairing.play_time.unwrap_or(self.conditions.play_time), ..self.conditions.clone() }
    }

    /// The conditions of an answer to `question`.
    pub fn conditions_of_answer(&self, question: &Question) -> Conditions {
        Conditions { play_time: PerSide::from_fn(|_| question.time), ..self.conditions.clone() }
    }

    /// Whether the agent of that name has withdrawn.
    pub fn is_withdrawn(&self, name: &str) -> bool {
        self.agents.iter().any(|agent| agent.role == AgentRole::Withdrawn && agent.name == name)
    }

    /// Whether an agent of the game has withdrawn, so that it will not be played.
    pub fn is_called_off(&self, pairing: &Pairing) -> bool {
        Side::BOTH.iter().any(|side| self.is_withdrawn(pairing.name(*side)))
    }

    /// How many games have been or will be played.
    pub fn games_in_all(&self, is_finished: impl Fn(&str) -> bool) -> usize {
        self.games.iter().filter(|pairing| !self.is_called_off(pairing) || is_finished(&pairing.id)).count()
    }

    /// The question of that name.
    pub fn question(&self, name: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.name == name)
    }

    /// Why `other` would be a different run, in words; `None` if it is the same.
    ///
    /// The machine, the program's version and the location of agents' files may differ: digests identify agents.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.kind != other.kind {
            return Some(format!("it is {}, not {}", self.kind.words(), other.kind.words()));
        }
        if self.game != other.game {
            return Some(self.other_game(other.game));
        }
        if self.seed != other.seed {
            return Some(format!("its seed is {}, not {}", self.seed, other.seed));
        }
        if self.conditions != other.conditions {
            return Some("its times, tolerance or draw rules differ".to_owned());
        }
        let agent = |manifest: &Self, index: usize| {
            manifest.agents.get(index).map(|agent| (agent.name.clone(), agent.digest.clone(), agent.person))
        };
        for index in 0..self.agents.len().max(other.agents.len()) {
            let (here, there) = (agent(self, index), agent(other, index));
            if here != there {
                let name = here.or(there).map(|(name, ..)| name).unwrap_or_default();
                return Some(format!("its agent `{name}` has a different name, files or clock"));
            }
        }
        if self.games.len() != other.games.len() {
            return Some(format!("it has {} games, not {}", self.games.len(), other.games.len()));
        }
        let parts = [
            (self.games == other.games, "pairings"),
            (self.questions == other.questions, "questions"),
            (self.answers == other.answers, "answers to be given"),
        ];
        let (_, part) = parts.into_iter().find(|(same, _)| !same)?;
        Some(format!("its {part} differ"))
    }

    /// How the game of this run differs from another one, which may have the same title, and even the same name.
    fn other_game(&self, other: GameRef) -> String {
        let game = self.game;
        if game.to_string() != other.to_string() {
            return format!("its game is {game}, not {other}");
        }
        if game.name() != other.name() {
            return format!("its game is `{}`, not `{}`", game.name(), other.name());
        }
        let kind = |game: GameRef| match game.rules_program() {
            Some(program) => format!("the rules program {:.12}", program.digest),
            None => "the rules of this program".to_owned(),
        };
        format!("it plays {game} by {}, not by {}", kind(game), kind(other))
    }

    /// A statement of `record` that cannot hold for an answer of this run.
    pub fn contradiction_of_answer(&self, record: &AnswerRecord) -> Option<String> {
        let asked = self.answers.iter().find(|asked| asked.id == record.id);
        let question = asked.and_then(|asked| self.question(&asked.question));
        let (Some(asked), Some(question)) = (asked, question) else {
            return Some(format!("the run has no answer `{}`", record.id));
        };
        contradiction(&[
            (record.game == self.game, "another game"),
            (record.conditions == self.conditions_of_answer(question), "other conditions"),
            (record.question == *question, "another question"),
            (self.is_player(&asked.agent, &record.agent), "another agent"),
        ])
    }

    /// Whether `player` of a record is the agent `name` of this run, with the same files.
    pub fn is_player(&self, name: &str, player: &PlayerRecord) -> bool {
        let agent = self.agents.iter().find(|agent| agent.name == name);
        agent.is_some_and(|agent| is_player(agent, player))
    }
}

fn is_player(agent: &AgentRecord, player: &PlayerRecord) -> bool {
    agent.name == player.name && agent.digest == player.digest && agent.person == player.person()
}

/// A manifest with lookup by name for games and agents: a run may have 250,000 games.
#[derive(Clone, Debug)]
pub struct ManifestIndex<'a> {
    manifest: &'a Manifest,
    games: HashMap<&'a str, &'a Pairing>,
    agents: HashMap<&'a str, &'a AgentRecord>,
}

impl<'a> ManifestIndex<'a> {
    /// The index of `manifest`.
    pub fn of(manifest: &'a Manifest) -> Self {
        let games = manifest.games.iter().map(|pairing| (pairing.id.as_str(), pairing));
        let agents = manifest.agents.iter().map(|agent| (agent.name.as_str(), agent));
        Self { manifest, games: games.collect(), agents: agents.collect() }
    }

    /// A statement of `record` that cannot hold for a game of this run.
    pub fn contradiction(&self, record: &GameRecord) -> Option<String> {
        let Some(pairing) = self.games.get(record.id.as_str()) else {
            return Some(format!("the run has no game `{}`", record.id));
        };
        let same_player = |side| {
            let agent = self.agents.get(pairing.name(side));
            agent.is_some_and(|agent| is_player(agent, record.players.of(side)))
        };
        let parts = [
            (record.game == self.manifest.game, "another game"),
            (record.conditions == self.manifest.conditions_of(pairing), "other conditions"),
            // The opening of a ladder's game is not in its name.
            (self.manifest.kind == RunKind::Ladder || record.first == pairing.first, "another side to begin"),
            (pairing.start.as_ref().is_none_or(|start| *start == record.start), "another start"),
            (Side::BOTH.into_iter().all(same_player), "other agents"),
        ];
        contradiction(&parts)
    }
}

fn contradiction(parts: &[(bool, &str)]) -> Option<String> {
    let (_, part) = parts.iter().find(|(same, _)| !same)?;
    Some(format!("the record has {part} than the run's manifest"))
}
