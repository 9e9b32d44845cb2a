//! Changes who takes part in a ladder, and takes requests for games. It builds and plays nothing.

use std::path::Path;

use super::{OpenLadder, RosterLock, open_ladder};
use crate::runs::error::RunFailure;
use referee_games::KnownGames;
use referee_messages::plain;
use referee_records::{LadderPair, LadderRequest, ParticipantRecord, SCHEMA};
use referee_submissions::agents::AgentName;

/// A change.
#[derive(Clone, Debug)]
pub enum LadderChange {
    /// The participant plays no more games.
    Withdraw,
    /// It plays again.
    Readmit,
    /// It is called so from now on; its versions keep their names in the records.
    Rename(AgentName),
}

/// How many requests a participant may make within 24 hours.
const REQUESTS_PER_DAY: usize = 20;

const A_DAY_S: u64 = 86_400;

/// Changes the participant `name` of the ladder in the folder `path`.
///
/// # Errors
///
/// [`RunFailure`], also if there is no such participant, or the new name is taken.
pub fn change_ladder(path: &Path, name: &str, change: &LadderChange, games: &KnownGames) -> Result<(), RunFailure> {
    let OpenLadder { folder, .. } = open_ladder(path, games)?;
    let lock = RosterLock::acquire(&folder)?;
    let mut manifest = folder.roster()?;
    if let LadderChange::Rename(new) = change
        && manifest.participants.iter().any(|one| one.name == new.as_str())
    {
        return Err(RunFailure::request(format!("another participant is named `{new}`: choose another name")));
    }
    let participant = participant_mut(&mut manifest.participants, name)?;
    match change {
        LadderChange::Withdraw => participant.withdrawn = true,
        LadderChange::Readmit => participant.withdrawn = false,
        LadderChange::Rename(new) => participant.name = new.to_string(),
    }
    lock.revise(&folder, &manifest)
}

/// Asks for an unrated pair of games between the newest versions of two participants of the ladder at `path`; `now` is
/// the time in seconds since 1970. Returns the names of the games.
///
/// # Errors
///
/// [`RunFailure`], also if the one who asks has used up the quota of the day.
pub fn request_games(
    path: &Path,
    [by, other]: [&str; 2],
    now: u64,
    games: &KnownGames,
) -> Result<[String; 2], RunFailure> {
    let OpenLadder { folder, .. } = open_ladder(path, games)?;
    let _lock = RosterLock::acquire(&folder)?;
    let mut manifest = folder.roster()?;
    let mut active = |name: &str| {
        let participant = participant_mut(&mut manifest.participants, name)?;
        let agent = participant.active();
        agent.ok_or_else(|| RunFailure::request(format!("`{}` has no version that plays", plain(name))))
    };
    let agents = [active(by)?, active(other)?];
    if agents[0] == agents[1] {
        return Err(RunFailure::request("name two different participants"));
    }
    let requests = folder.requests(|_| true)?;
    // A clock that was set back makes no request older.
    let is_recent = |request: &&LadderRequest| now.saturating_sub(request.asked_unix_s) < A_DAY_S;
    if requests.iter().filter(is_recent).filter(|request| request.participant == by).count() >= REQUESTS_PER_DAY {
        let name = plain(by);
        return Err(RunFailure::request(format!(
            "`{name}` has asked for {REQUESTS_PER_DAY} pairs of games within 24 hours: try again tomorrow"
        )));
    }
    let sequence = requests.last().map_or(0, |request| request.pair.sequence) + 1;
    let pair = LadderPair { sequence, agents, rated: false };
    folder.keep_request(&LadderRequest { schema: SCHEMA, pair, participant: by.to_owned(), asked_unix_s: now })?;
    Ok(pair.games().map(|game| game.to_string()))
}

fn participant_mut<'a>(
    participants: &'a mut [ParticipantRecord],
    name: &str,
) -> Result<&'a mut ParticipantRecord, RunFailure> {
    let found = participants.iter_mut().find(|participant| participant.name == name);
    found.ok_or_else(|| {
        RunFailure::request(format!(
            "no participant `{}` in this ladder: use a name that `referee ladder standings` lists",
            plain(name)
        ))
    })
}
