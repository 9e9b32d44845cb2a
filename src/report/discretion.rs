//! Who is called what on a page, and what is left out of a page that anybody may read.
//!
//! Names of games and answers contain names of students, and answers, error texts and remarks contain whatever a program
//! or a student wrote. So under pseudonyms all of these are replaced or left out, whatever they look like.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::protocol::{Finding, plain};
use crate::records::{AnswerVerdict, Fault, Manifest, Pairing, Role, Verdict};
use crate::tournament::Standings;

/// What agents are called on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// By their names.
    #[default]
    Real,
    /// `agent 01` and so on, by their rank. References keep their names, which say what others were measured by.
    Pseudonyms,
}

/// The names of one page.
#[derive(Debug)]
pub(super) struct Cast {
    naming: Naming,
    /// The indices of the agents, by their real names.
    places: BTreeMap<String, usize>,
    shown: BTreeMap<String, String>,
    ids: BTreeMap<String, String>,
}

impl Cast {
    /// The names of the agents in `standings`, of the rejected submissions and of the games of `manifest`.
    pub(super) fn new(naming: Naming, manifest: &Manifest, standings: &Standings) -> Self {
        let ranked = standings.agents.iter().map(|agent| &agent.name);
        let places = ranked.clone().cloned().zip(0..).collect();
        let is_reference = |name: &String| {
            let mut agents = manifest.agents.iter();
            agents.any(|agent| agent.name == *name && agent.role == Role::Reference)
        };
        let rejected = manifest.rejected.iter().map(|rejection| &rejection.name);
        let (references, entrants): (Vec<_>, Vec<_>) = ranked.chain(rejected).partition(|name| is_reference(name));
        let width = entrants.len().to_string().len().max(2);
        let pseudonyms = entrants.iter().zip(1..);
        let mut shown: BTreeMap<String, String> = pseudonyms
            .map(|(name, number)| ((*name).clone(), format!("agent {number:0width$}")))
            .collect();
        if naming == Naming::Real {
            for (name, shown) in &mut shown {
                *shown = plain(name);
            }
        }
        shown.extend(references.into_iter().map(|name| (name.clone(), plain(name))));
        let mut cast = Self {
            naming,
            places,
            shown,
            ids: BTreeMap::new(),
        };
        cast.ids = cast.game_ids(manifest);
        cast
    }

    fn game_ids(&self, manifest: &Manifest) -> BTreeMap<String, String> {
        let games = self.in_order(manifest).into_iter().zip(1..);
        let id = |(pairing, number): (&Pairing, usize)| {
            let shown = match self.naming {
                Naming::Real => pairing.id.clone(),
                Naming::Pseudonyms => format!("game{number:04}"),
            };
            (pairing.id.clone(), shown)
        };
        games.map(id).collect()
    }

    /// The games of `manifest` in the order in which they are shown. The order of a grading is that of the students'
    /// names, so under pseudonyms the games go by rank.
    pub(super) fn in_order<'a>(&self, manifest: &'a Manifest) -> Vec<&'a Pairing> {
        let mut games: Vec<&Pairing> = manifest.games.iter().collect();
        if self.naming == Naming::Pseudonyms && manifest.rounds.is_empty() {
            let place = |name: &str| self.place(name);
            games.sort_by_key(|pairing| {
                let (black, white) = (place(&pairing.black), place(&pairing.white));
                (black.min(white), black.max(white))
            });
        }
        games
    }

    pub(super) const fn is_discreet(&self) -> bool {
        match self.naming {
            Naming::Real => false,
            Naming::Pseudonyms => true,
        }
    }

    /// What the agent called `name` is called on the page.
    pub(super) fn name(&self, name: &str) -> String {
        let unknown = || match self.naming {
            Naming::Real => plain(name),
            Naming::Pseudonyms => "another agent".to_owned(),
        };
        self.shown.get(name).cloned().unwrap_or_else(unknown)
    }

    /// What the game called `id` is called on the page; `None` where the run has no such game.
    pub(super) fn id(&self, id: &str) -> Option<&str> {
        self.ids.get(id).map(String::as_str)
    }

    /// The index of the agent called `name`. Every agent of a run has one.
    pub(super) fn place(&self, name: &str) -> usize {
        self.places.get(name).copied().unwrap_or(usize::MAX)
    }

    /// `verdict` as it may be worded on the page.
    pub(super) fn verdict<'a>(&self, verdict: &'a Verdict) -> Cow<'a, Verdict> {
        match verdict {
            Verdict::Forfeit { loser, fault } if self.is_discreet() => Cow::Owned(Verdict::Forfeit {
                loser: *loser,
                fault: discreet(fault),
            }),
            Verdict::Won { .. } | Verdict::Drawn { .. } | Verdict::Forfeit { .. } => Cow::Borrowed(verdict),
        }
    }

    /// The verdict of an answer as it may be worded on the page.
    pub(super) fn answer_verdict<'a>(&self, verdict: &'a AnswerVerdict) -> Cow<'a, AnswerVerdict> {
        match verdict {
            AnswerVerdict::Fault { fault } if self.is_discreet() => {
                let fault = discreet(fault);
                Cow::Owned(AnswerVerdict::Fault { fault })
            }
            AnswerVerdict::Legal { .. }
            | AnswerVerdict::Equal
            | AnswerVerdict::Different { .. }
            | AnswerVerdict::Fault { .. } => Cow::Borrowed(verdict),
        }
    }

    /// `finding` as it may be worded on the page.
    pub(super) fn finding(&self, finding: &Finding) -> String {
        match self.naming {
            Naming::Real => plain(&finding.to_string()),
            Naming::Pseudonyms => plain(&without_quotes(finding).to_string()),
        }
    }
}

/// A fault without anything that the agent, or the system about it, has written.
fn discreet(fault: &Fault) -> Fault {
    match fault {
        Fault::NotStarted { .. } => Fault::NotStarted {
            error: "the system said why".to_owned(),
        },
        Fault::NoOutput { .. } => Fault::NoOutput { lookalike: None },
        Fault::WrongFormat { finding } => Fault::WrongFormat {
            finding: without_quotes(finding),
        },
        Fault::IllegalMove { finding } => Fault::IllegalMove {
            finding: without_quotes(finding),
        },
        Fault::OutOfTime { .. }
        | Fault::NeverReturned { .. }
        | Fault::LimitExceeded { .. }
        | Fault::UnusableOutput { .. }
        | Fault::EmptyOutput
        | Fault::Resigned => fault.clone(),
    }
}

/// A finding with the words of its code, since its sentence quotes what was found.
fn without_quotes(finding: &Finding) -> Finding {
    Finding {
        message: finding.code.replace('-', " "),
        hint: None,
        ..finding.clone()
    }
}
