//! What nothing keeps agents from where a run has only the isolation level `bare`, and what a better one needs.

use super::plain;
use referee_seat::{Isolation, Protection};

/// The name of the protection that refuses system calls, also at `bare`.
const CALL_FILTER: &str = "seccomp";

/// A sentence for whoever grades or lets strangers compete at `bare`, from the protections of this machine.
pub fn unconfined(protections: &[Protection]) -> String {
    let lacking = |protection: &&Protection| protection.level <= Isolation::Confined && protection.missing.is_some();
    let lacking: Vec<&Protection> = protections.iter().filter(lacking).collect();
    let by_kernel = if lacking.iter().any(|one| one.name == CALL_FILTER) { ", or by `io_uring`" } else { "" };
    let why = |one: &&Protection| format!("{}: {}", one.name, plain(one.missing.as_deref().unwrap_or_default()));
    let needs = match lacking.as_slice() {
        [] => String::new(),
        some => format!(" and needs what is missing here ({})", some.iter().map(why).collect::<Vec<_>>().join("; ")),
    };
    format!(
        "isolation level `bare`: nothing keeps agents from reading other submissions and these results, writing \
         elsewhere, using the network, killing processes, or hiding CPU time in children that execute an unreadable \
         file{by_kernel}; `confined` prevents it{needs}; `referee doctor` tries everything"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a filter of system calls refuses `io_uring` at this level.
    #[test]
    fn it_says_what_confined_needs_and_no_more() {
        for (landlock, seccomp, expected) in [
            (Some("none"), None, "file; `confined` prevents it and needs what is missing here (Landlock: none); "),
            (
                None,
                Some("off"),
                "file, or by `io_uring`; `confined` prevents it and needs what is missing here (seccomp",
            ),
        ] {
            let named = [
                ("Landlock", Isolation::Confined, landlock),
                ("seccomp", Isolation::Confined, seccomp),
                ("user namespace", Isolation::Sealed, Some("refused")),
            ];
            let protections = named.map(|(name, level, missing)| Protection {
                name: name.to_owned(),
                level,
                missing: missing.map(str::to_owned),
            });
            let sentence = unconfined(&protections);
            assert!(sentence.contains(expected), "{sentence}");
        }
    }
}
