//! Lists the processors that games can have for themselves.
//!
//! Two hardware threads of a core share its units and caches, so a game gets a whole core and uses one of its
//! processors. Assigning cores to games is the caller's business (`cli/slots`, `shards`).

use std::io;

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

/// One processor of each physical core that this process may use, the lowest first.
///
/// # Errors
///
/// If the system does not report this process's affinity.
pub fn cores() -> io::Result<Vec<usize>> {
    let mine = sched_getaffinity(Pid::from_raw(0))?;
    let allowed = (0..CpuSet::count()).filter(|&processor| mine.is_set(processor) == Ok(true));
    Ok(one_of_each(allowed, siblings))
}

/// The processors of the same core, as the system writes them; `processor` itself if the system does not say.
fn siblings(processor: usize) -> String {
    let path = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
    std::fs::read_to_string(path).unwrap_or_else(|_| processor.to_string())
}

fn one_of_each(allowed: impl Iterator<Item = usize>, siblings: impl Fn(usize) -> String) -> Vec<usize> {
    let mut seen = std::collections::BTreeSet::new();
    allowed.filter(|&processor| seen.insert(siblings(processor))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_processors_of_one_core_the_first_is_taken_that_may_be_used() {
        let far = |processor: usize| format!("{},{}\n", processor % 4, processor % 4 + 4);
        let near = |processor: usize| format!("{}-{}\n", processor / 2 * 2, processor / 2 * 2 + 1);
        assert_eq!(one_of_each(0..8, far), [0, 1, 2, 3]);
        assert_eq!(one_of_each(0..8, near), [0, 2, 4, 6]);
        assert_eq!(one_of_each([1, 5, 6, 7].into_iter(), far), [1, 6, 7]);
        assert_eq!(one_of_each([1, 5, 6, 7].into_iter(), near), [1, 5, 6]);
    }

    #[test]
    fn this_machine_has_cores_and_none_of_them_twice() {
        let cores = cores().unwrap();
        assert!(!cores.is_empty() && cores.is_sorted_by(|one, next| one < next), "{cores:?}");
    }
}
