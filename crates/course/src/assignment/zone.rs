//! Time zones by their names in the IANA database, from the machine's copy of it: it is newer than any that a program
//! brings, and everything that grades in local time needs it anyway.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use referee_games::protocol::quote;
use referee_records::read_bounded;

/// Why there is no such zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnknownZone {
    #[error("{} is no time zone of the IANA database, such as `America/Los_Angeles`", quote(.0.as_bytes()))]
    Unknown(String),
    #[error("this machine has no time zones in `{}`: install the package `tzdata`", .0.display())]
    NoDatabase(PathBuf),
}

/// Where systems keep the database, unless `TZDIR` says otherwise.
const FOLDER: &str = "/usr/share/zoneinfo";

/// More than any zone needs.
const MAX_ZONE_BYTES: u64 = 1 << 20;

/// The time zone of this name.
pub(super) fn time_zone(name: &str) -> Result<TimeZone, UnknownZone> {
    let folder = std::env::var_os("TZDIR").filter(|folder| !folder.is_empty());
    zone_in(&folder.map_or_else(|| FOLDER.into(), PathBuf::from), name)
}

fn zone_in(folder: &Path, name: &str) -> Result<TimeZone, UnknownZone> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "_+-".contains(c);
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_sign);
    let read = || read_bounded(&folder.join(name), MAX_ZONE_BYTES).ok();
    // Without dots, it leads nowhere else.
    let found = name.split('/').all(is_word).then(read).flatten();
    match found.and_then(|bytes| TimeZone::tzif(name, &bytes).ok()) {
        Some(zone) => Ok(zone),
        None if folder.is_dir() => Err(UnknownZone::Unknown(name.to_owned())),
        None => Err(UnknownZone::NoDatabase(folder.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_a_zone_of_the_folder_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("zones")).unwrap();
        let zones = folder.path().join("zones");
        std::fs::write(zones.join("Text"), "no zone").unwrap();
        for name in ["", "/etc/localtime", "../Text", "Text", "Nowhere", "Text/", "a//b"] {
            let found = zone_in(&zones, name).map(drop);
            assert_eq!(found, Err(UnknownZone::Unknown(name.to_owned())));
        }
        let missing = folder.path().join("none");
        let found = zone_in(&missing, "America/Los_Angeles").map(drop);
        assert_eq!(found, Err(UnknownZone::NoDatabase(missing)));
    }
}
