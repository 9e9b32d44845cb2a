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

    fn protection(name: &str, level: Isolation, missing: Option<&str>) -> Protection {
        Protection { name: name.to_owned(), level, missing: missing.map(str::to_owned) }
    }

    #[test]
    fn it_says_what_confined_needs_and_no_more() {
        let sentence = unconfined(&[
            protection("Landlock", Isolation::Confined, Some("the kernel has none")),
            protection("seccomp", Isolation::Confined, None),
            protection("user namespace", Isolation::Sealed, Some("refused")),
        ]);
        assert!(sentence.contains("needs what is missing here (Landlock: the kernel has none); "), "{sentence}");
        assert!(!sentence.contains("io_uring"), "{sentence}");
    }

    /// Only a filter of system calls refuses `io_uring` at this level.
    #[test]
    fn without_a_filter_a_kernel_may_compute_for_an_agent() {
        let sentence = unconfined(&[protection("seccomp", Isolation::Confined, Some("not built in"))]);
        assert!(sentence.contains("unreadable file, or by `io_uring`; "), "{sentence}");
    }
}
