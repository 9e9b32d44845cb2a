//! Anonymization: the names of agents on a page, and what the page omits for its readers. `assemble` and `ledger` ask
//! it for every name and text; it formats nothing.
//!
//! Names of games and answers contain names of students; answers, error texts and remarks contain text by programs or
//! students. So where names are replaced, all of these must be replaced or omitted, whatever they look like.
//!
//! On a student's own page, nothing may identify an opponent, including their order: they are sorted by the digests of
//! their files, which mean nothing without the files. The settings of a ladder may name some of its participants.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};

use sha2::{Digest, Sha256};

use super::rated_ladder::RatedLadder;
use referee_games::protocol::{Finding, plain};
use referee_matches::tournament::Standings;
use referee_records::{AgentRecord, AgentRole, AnswerVerdict, Fault, Manifest, Pairing, PerSide, RunKind, Verdict};

/// The naming of agents on a page, and thus its readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// Real names and all details, for the staff.
    #[default]
    Real,
    /// `agent 01` and so on by rank, for everybody. References keep their names, which show the yardstick.
    Pseudonyms,
    /// For the agent of this name, or the participant of a ladder: its own games, results and points, and of others
    /// only their moves against it. Opponents that are not built in are `opponent 01` and so on.
    Own(String),
    /// As [`Self::Pseudonyms`], but with random numbers, which stay the same while ranks change.
    Lot(AnonymousRng),
}

/// Random numbers that cannot be derived from anything known about the agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnonymousRng {
    salt: u64,
}

impl AnonymousRng {
    /// Draws a new lot.
    pub fn draw() -> Self {
        // Each such state has its own keys, from the system's random source.
        let salt = RandomState::new().hash_one("referee");
        Self { salt }
    }

    /// The name of a ladder's game, finished or not.
    fn game_id(self, id: &str) -> String {
        let [a, b, c, d, ..] = self.sort_key(id);
        format!("game-{:08x}", u32::from_be_bytes([a, b, c, d]))
    }

    /// The place of an agent in the order by lot.
    fn sort_key(self, name: &str) -> [u8; 32] {
        Sha256::new().chain_update(self.salt.to_le_bytes()).chain_update(name).finalize().into()
    }
}

impl Naming {
    /// The agents whose own page it is.
    pub(super) fn own_agents(&self, manifest: &Manifest) -> BTreeSet<String> {
        let Self::Own(own) = self else { return BTreeSet::new() };
        match manifest.participants.iter().find(|participant| participant.name == *own) {
            Some(participant) => {
                participant.versions.iter().map(|version| participant.agent_name(version.number)).collect()
            }
            None => BTreeSet::from([own.clone()]),
        }
    }

    /// The shown names of the participants of a ladder.
    fn of_participants(&self, manifest: &Manifest, ladder: &RatedLadder) -> BTreeMap<String, String> {
        let ranked = ladder.standings.participants.iter().map(|one| one.name.as_str());
        let (word, mut order): (_, Vec<&str>) = match self {
            Self::Real => return ranked.map(real).collect(),
            Self::Own(_) => ("opponent", manifest.participants.iter().map(|one| one.name.as_str()).collect()),
            Self::Pseudonyms | Self::Lot(_) => ("agent", ranked.collect()),
        };
        match self {
            Self::Lot(lot) => order.sort_by_cached_key(|name| lot.sort_key(name)),
            Self::Own(_) => {
                let first = |name: &str| {
                    let participant = manifest.participants.iter().find(|one| one.name == name)?;
                    participant.versions.first()?.digest.as_deref()
                };
                order.sort_by_key(|name| first(name));
            }
            Self::Real | Self::Pseudonyms => {}
        }
        let (named, others) = order.into_iter().partition(|name| match self {
            Self::Own(own) => own == name || ladder.names(name, Some(own)),
            Self::Real | Self::Pseudonyms | Self::Lot(_) => ladder.names(name, None),
        });
        numbered(word, named, others)
    }
}

/// The names of one page.
#[derive(Debug)]
pub(super) struct PageNames {
    naming: Naming,
    /// The agents whose own page it is: one, or all versions of a participant.
    own: BTreeSet<String>,
    /// The shown names of the participants of a ladder.
    participants: BTreeMap<String, String>,
    /// The indices of the agents on the page, by real name.
    places: BTreeMap<String, usize>,
    /// The indices of the agents on the page, by rank.
    by_rank: Vec<Option<usize>>,
    shown: BTreeMap<String, String>,
    ids: BTreeMap<String, String>,
}

impl PageNames {
    /// The names for the agents in `standings`, the rejected submissions and the games of `manifest`; in a ladder also
    /// for its participants.
    pub(super) fn new(
        naming: Naming,
        manifest: &Manifest,
        standings: &Standings,
        ladder: Option<&RatedLadder>,
    ) -> Self {
        let own = naming.own_agents(manifest);
        let ranked = standings.agents.iter().map(|agent| agent.name.as_str());
        let order: Vec<&str> = match &naming {
            Naming::Real | Naming::Pseudonyms | Naming::Lot(_) => ranked.clone().collect(),
            Naming::Own(_) => own_and_opponents(&own, manifest, standings),
        };
        let participants = ladder.map(|ladder| naming.of_participants(manifest, ladder)).unwrap_or_default();
        let rejected = manifest.rejected.iter().map(|rejection| rejection.name.as_str());
        let mut shown = match &naming {
            Naming::Real => ranked.clone().chain(rejected).map(real).collect(),
            Naming::Pseudonyms | Naming::Lot(_) => {
                let (references, mut participants): (_, Vec<&str>) = ranked.clone().chain(rejected).partition(|name| {
                    let agent = recorded(manifest, name);
                    agent.is_some_and(|agent| agent.role == AgentRole::Reference)
                });
                if let Naming::Lot(lot) = &naming {
                    participants.sort_by_cached_key(|name| lot.sort_key(name));
                }
                numbered("agent", references, participants)
            }
            Naming::Own(own) => {
                let (known, opponents) = order
                    .iter()
                    .partition(|name| **name == own || recorded(manifest, name).is_some_and(AgentRecord::is_built_in));
                let mut shown = numbered("opponent", known, opponents);
                // A rejected submission is not in the standings.
                shown.extend([real(own)]);
                shown
            }
        };
        for participant in manifest.participants.iter().filter(|_| naming != Naming::Real) {
            let Some(name) = participants.get(&participant.name) else { continue };
            let versions = participant.versions.iter().map(|version| version.number);
            shown.extend(versions.map(|number| (participant.agent_name(number), format!("{name} v{number}"))));
        }
        let places: BTreeMap<String, usize> = order.into_iter().map(str::to_owned).zip(0..).collect();
        let mut page_names = Self {
            naming,
            own,
            participants,
            by_rank: ranked.map(|name| places.get(name).copied()).collect(),
            places,
            shown,
            ids: BTreeMap::new(),
        };
        page_names.ids = page_names.game_ids(manifest);
        page_names
    }

    fn game_ids(&self, manifest: &Manifest) -> BTreeMap<String, String> {
        let games = self.in_order(manifest).into_iter().zip(1..);
        let id = |(pairing, number): (&Pairing, usize)| {
            let shown = match &self.naming {
                Naming::Real => pairing.id.clone(),
                // The number of a ladder's game changes with every new one.
                Naming::Lot(lot) if manifest.kind == RunKind::Ladder => lot.game_id(&pairing.id),
                Naming::Pseudonyms | Naming::Lot(_) | Naming::Own(_) => format!("game{number:04}"),
            };
            (pairing.id.clone(), shown)
        };
        games.map(id).collect()
    }

    /// The shown games of `manifest` in page order. Within a round, and in a grading, the manifest sorts by name; so if
    /// names are replaced, games are sorted by page position instead.
    pub(super) fn in_order<'a>(&self, manifest: &'a Manifest) -> Vec<&'a Pairing> {
        let mut games: Vec<&Pairing> = manifest.games.iter().collect();
        if self.subject().is_some() {
            games.retain(|pairing| self.own.contains(&pairing.black) || self.own.contains(&pairing.white));
        }
        // The games of a ladder are in the order of time, which identifies nobody.
        if !self.shows_names() && manifest.kind != RunKind::Ladder {
            let rounds = rounds_of_games(manifest);
            games.sort_by_cached_key(|pairing| {
                let (black, white) = (self.turn_of(&pairing.black), self.turn_of(&pairing.white));
                (rounds.get(pairing.id.as_str()), black.min(white), black.max(white))
            });
        }
        games
    }

    /// The sort key of the agent `name` among games: its place, or its lot, which does not change with the ranks.
    fn turn_of(&self, name: &str) -> (Option<usize>, [u8; 32]) {
        match &self.naming {
            Naming::Lot(lot) => (None, lot.sort_key(name)),
            Naming::Real | Naming::Pseudonyms | Naming::Own(_) => (self.place(name), [0; 32]),
        }
    }

    /// The agent or the participant whose own page it is, if any.
    pub(super) fn subject(&self) -> Option<&str> {
        match &self.naming {
            Naming::Own(own) => Some(own),
            Naming::Real | Naming::Pseudonyms | Naming::Lot(_) => None,
        }
    }

    /// Whether real names are shown, including those of the run and its machine, and order may carry information.
    pub(super) fn shows_names(&self) -> bool {
        self.naming == Naming::Real
    }

    /// Whether the results, points and times of the agent `name` are shown.
    pub(super) fn tells_results_of(&self, name: &str) -> bool {
        self.subject().is_none_or(|own| own == name || self.own.contains(name))
    }

    /// Whether texts by the agent `name` or its author are shown.
    pub(super) fn tells_words_of(&self, name: &str) -> bool {
        match &self.naming {
            Naming::Real => true,
            Naming::Pseudonyms | Naming::Lot(_) => false,
            Naming::Own(own) => own == name || self.own.contains(name),
        }
    }

    /// The shown name of the participant `name` of a ladder; `None` if there is none.
    pub(super) fn participant(&self, name: &str) -> Option<&str> {
        self.participants.get(name).map(String::as_str)
    }

    /// The shown name of the agent `name`.
    pub(super) fn name(&self, name: &str) -> String {
        let unknown = || match self.naming {
            Naming::Real => plain(name),
            Naming::Pseudonyms | Naming::Lot(_) | Naming::Own(_) => "another agent".to_owned(),
        };
        self.shown.get(name).cloned().unwrap_or_else(unknown)
    }

    /// The shown name of the game `id`; `None` if it is not on the page.
    pub(super) fn id(&self, id: &str) -> Option<&str> {
        self.ids.get(id).map(String::as_str)
    }

    /// The same for a game that is being played, which a ladder does not list before it is finished.
    pub(super) fn running_id(&self, id: &str, manifest: &Manifest) -> Option<String> {
        let unlisted = || match &self.naming {
            Naming::Real => Some(id.to_owned()),
            Naming::Lot(lot) => Some(lot.game_id(id)),
            Naming::Pseudonyms | Naming::Own(_) => None,
        };
        let is_ladder = manifest.kind == RunKind::Ladder;
        self.id(id).map(str::to_owned).or_else(|| unlisted().filter(|_| is_ladder))
    }

    /// The real name of the game shown as `shown`; `None` if the page has none.
    pub(super) fn real_id(&self, shown: &str) -> Option<&str> {
        let mut ids = self.ids.iter();
        ids.find(|(_, id)| *id == shown).map(|(id, _)| id.as_str())
    }

    /// The index of the agent `name`, if it is on the page.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The index of the agent at `rank`, counted from 0 without ties.
    pub(super) fn place_of_rank(&self, rank: usize) -> Option<usize> {
        self.by_rank.get(rank).copied().flatten()
    }

    /// `verdict` of a game between `players`, without texts that the page may not show.
    pub(super) fn verdict<'a>(&self, verdict: &'a Verdict, players: PerSide<&str>) -> Cow<'a, Verdict> {
        match verdict {
            Verdict::Forfeit { loser, fault } if !self.tells_words_of(players.of(*loser)) => {
                Cow::Owned(Verdict::Forfeit { loser: *loser, fault: without_agent_text(fault) })
            }
            Verdict::Won { .. } | Verdict::Drawn { .. } | Verdict::Forfeit { .. } => Cow::Borrowed(verdict),
        }
    }

    /// The verdict of an answer by the agent `name`, without texts that the page may not show.
    pub(super) fn answer_verdict<'a>(&self, verdict: &'a AnswerVerdict, name: &str) -> Cow<'a, AnswerVerdict> {
        match verdict {
            AnswerVerdict::Fault { fault } if !self.tells_words_of(name) => {
                let fault = without_agent_text(fault);
                Cow::Owned(AnswerVerdict::Fault { fault })
            }
            AnswerVerdict::Legal { .. }
            | AnswerVerdict::Equal
            | AnswerVerdict::Different { .. }
            | AnswerVerdict::Fault { .. } => Cow::Borrowed(verdict),
        }
    }

    /// `finding` about the submission `name`, without texts that the page may not show.
    pub(super) fn finding(&self, finding: &Finding, name: &str) -> String {
        if self.tells_words_of(name) {
            plain(&finding.to_string())
        } else {
            plain(&without_quotes(finding).to_string())
        }
    }
}

fn recorded<'a>(manifest: &'a Manifest, name: &str) -> Option<&'a AgentRecord> {
    manifest.agents.iter().find(|agent| agent.name == name)
}

/// The agents `own`, and their opponents by the digests of their files.
fn own_and_opponents<'a>(own: &BTreeSet<String>, manifest: &'a Manifest, standings: &'a Standings) -> Vec<&'a str> {
    let games = manifest.games.iter();
    let planned = games.filter_map(|pairing| match [&pairing.black, &pairing.white].map(|name| own.contains(name)) {
        [true, _] => Some(pairing.white.as_str()),
        [false, true] => Some(pairing.black.as_str()),
        [false, false] => None,
    });
    let owned = standings.agents.iter().filter(|agent| own.contains(&agent.name));
    let met = owned.flat_map(|agent| standings.agents.iter().zip(&agent.against));
    let met = met.filter(|(_, results)| results.games() > 0).map(|(opponent, _)| opponent.name.as_str());
    let opponents: BTreeSet<&str> = planned.chain(met).filter(|name| !own.contains(*name)).collect();
    let mut opponents: Vec<&AgentRecord> = opponents.into_iter().filter_map(|name| recorded(manifest, name)).collect();
    opponents.sort_by_key(|agent| &agent.digest);
    let recorded = manifest.agents.iter().map(|agent| agent.name.as_str());
    let own = recorded.filter(|name| own.contains(*name));
    own.chain(opponents.into_iter().map(|agent| agent.name.as_str())).collect()
}

/// The index of the round of each game in `manifest`.
fn rounds_of_games(manifest: &Manifest) -> BTreeMap<&str, usize> {
    let mut games = manifest.games.iter();
    let mut rounds = BTreeMap::new();
    for (round, planned) in manifest.rounds.iter().enumerate() {
        let count = planned.encounters.iter().map(|encounter| encounter.games).sum();
        rounds.extend(games.by_ref().take(count).map(|pairing| (pairing.id.as_str(), round)));
    }
    rounds
}

fn real(name: &str) -> (String, String) {
    (name.to_owned(), plain(name))
}

/// The `known` agents under their names, the others numbered.
fn numbered(word: &str, known: Vec<&str>, others: Vec<&str>) -> BTreeMap<String, String> {
    let width = others.len().to_string().len().max(2);
    let others = others.into_iter().zip(1..);
    let mut shown: BTreeMap<String, String> =
        others.map(|(name, number)| (name.to_owned(), format!("{word} {number:0width$}"))).collect();
    shown.extend(known.into_iter().map(real));
    shown
}

/// A fault without any text by the agent, or by the system about it.
fn without_agent_text(fault: &Fault) -> Fault {
    match fault {
        Fault::NotStarted { .. } => Fault::NotStarted { error: "the system said why".to_owned() },
        Fault::NoOutput { .. } => Fault::NoOutput { lookalike: None },
        Fault::Unasked { .. } => Fault::Unasked { found: "text of its own".to_owned() },
        Fault::WrongFormat { finding } => Fault::WrongFormat { finding: without_quotes(finding) },
        Fault::IllegalMove { finding } => Fault::IllegalMove { finding: without_quotes(finding) },
        Fault::OutOfTime { .. }
        | Fault::OutOfMoveTime { .. }
        | Fault::NeverReturned { .. }
        | Fault::LimitExceeded { .. }
        | Fault::NoAnswer
        | Fault::UnusableOutput { .. }
        | Fault::EmptyOutput
        | Fault::Resigned => fault.clone(),
    }
}

/// A finding with the text of its code, since its sentence quotes the agent.
fn without_quotes(finding: &Finding) -> Finding {
    Finding { message: finding.code.replace('-', " "), hint: None, ..finding.clone() }
}
