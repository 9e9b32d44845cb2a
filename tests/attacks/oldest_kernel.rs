//! All of these attacks once more, with nothing that Linux has gained since 4.18.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::kernels::{Refusal, below};
use crate::scene::alone;

/// Set where this program runs itself.
const INSIDE: &str = "REFEREE_TEST_OF_THE_OLDEST_KERNEL";

#[test]
fn what_is_left_of_isolation_holds_on_the_oldest_kernel() {
    if std::env::var_os(INSIDE).is_some() {
        return;
    }
    // Its attackers take all processes that the user may have, too.
    let _guard = alone();
    // What the levels above `bare` need is missing there, and so is what tests of them would try.
    let allowed = std::env::var("REFEREE_MAY_SKIP").unwrap_or_default() + " isolation";
    let ended = below(&[Refusal::NewerThan4_18], || {
        let mut again = Command::new(std::env::current_exe().unwrap());
        // In a group of its own, so that what it skips is not listed as skipped here.
        again
            .env(INSIDE, "1")
            .env("REFEREE_MAY_SKIP", allowed)
            .process_group(0)
            .output()
    });
    let ended = ended.unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains(" 0 failed"), "{said}");
    assert!(
        said.contains("level `confined` and above"),
        "it has more than was left: {said}"
    );
}
