//! The doctor as a user meets it. What it finds depends on the machine; that it tries everything does not.

use std::path::Path;

use serde_json::Value;

use crate::invocation::{referee, stderr};

#[test]
fn the_doctor_tries_everything_and_ends_with_a_verdict() {
    let output = referee(&["doctor", "--json"]);
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("expected one JSON object: {error}: {}", stderr(&output));
    });
    let fit = said["fitness"] == "fit-to-grade";
    assert_eq!(output.status.code(), Some(i32::from(!fit)), "{said}");
    let count = |part: &str| said["examination"][part].as_array().map(Vec::len);
    assert_eq!((count("protections"), count("tools"), count("fairness")), (Some(15), Some(4), Some(5)));
    let waits = &said["examination"]["fairness"][3];
    assert_eq!(waits["name"], "waits for a processor");
    assert!(waits["finding"] == "good" || !Path::new("/proc/self/schedstat").exists(), "{waits}");

    let tricks = said["examination"]["meter"]["tricks"].as_array().expect("tricks were played");
    assert_eq!(tricks.len(), 12);
    for trick in tricks {
        assert_eq!(trick["burned_cpu_us"], 100_000, "{trick}");
    }
    // Reaped children are in every meter's account, however busy the machine is.
    for trick in tricks[..3].iter().chain(&tricks[6..9]) {
        let charged = trick["charged_cpu_us"].as_u64().expect("a time");
        assert!((80_000..300_000).contains(&charged), "{trick}");
    }
    let found = |name: &str| {
        let checks = said["examination"]["protections"].as_array().expect("checks");
        let check = checks.iter().find(|check| check["name"] == name);
        check.unwrap_or_else(|| panic!("no check `{name}`"))["finding"].clone()
    };
    // These hold at every level.
    assert_eq!(found("no process survives the turn"), "good");
    assert_eq!(found("a program that stays alive is stopped between its turns"), "good");
    assert_eq!(found("a run that exceeds the memory limit is killed"), "good");
    assert_eq!(found("a run that exceeds the process limit is killed"), "good");
    // And these from `confined` on; where they fail they have been played for real.
    let confined = said["examination"]["isolation"] != "bare";
    for name in ["shared files cannot be locked", "the page cache cannot be dropped"] {
        assert_eq!(found(name), if confined { "good" } else { "bad" }, "{name}");
    }
}
