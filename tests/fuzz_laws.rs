//! The laws that the fuzzer goes by hold for its seeds, and for what a few edits make of them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use referee::records::GameRecord;
use referee::referee::verify;

#[expect(unreachable_pub, reason = "it is the library of another package")]
#[path = "../fuzz/src/lib.rs"]
mod laws;

fn seeds(folder: &str, extension: Option<&str>) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| {
            path.is_file() && (extension.is_none() || path.extension().and_then(|it| it.to_str()) == extension)
        })
        .collect();
    files.sort();
    assert!(files.len() > 3, "{files:?}");
    files.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A seed with some bytes taken out and others put in: any, or a part of another seed.
fn near(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let others = seeds.clone();
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        (select(others), any::<Index>(), 0_usize..40).prop_map(|(other, start, length)| {
            let start = start.index(other.len());
            other[start..(start + length).min(other.len())].to_vec()
        }),
    ];
    let edit = (any::<Index>(), 0_usize..8, piece);
    (select(seeds), prop::collection::vec(edit, 0..4)).prop_map(|(mut bytes, edits)| {
        for (place, length, piece) in edits {
            let start = place.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, piece);
        }
        bytes
    })
}

fn hold(law: fn(&[u8]), seeds: Vec<Vec<u8>>, cases: u32) {
    for seed in &seeds {
        law(seed);
    }
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(bytes in near(seeds))| law(&bytes));
}

#[test]
fn answers_are_legal_or_refused() {
    hold(laws::answers, seeds("fuzz/seeds/answers", None), 10_000);
}

#[test]
fn inputs_are_read_as_they_are_written() {
    hold(laws::inputs, seeds("fuzz/seeds/inputs", None), 10_000);
}

#[test]
fn records_break_nothing() {
    let seeds = seeds("fuzz/seeds/records", None);
    for seed in &seeds {
        // A seed that is no record any more would hold no law to anything.
        let record: GameRecord = serde_json::from_slice(seed).unwrap();
        verify(&record).unwrap();
    }
    hold(laws::records, seeds, 1000);
}

#[test]
fn assignments_are_read_or_explained() {
    hold(laws::assignments, seeds("tournaments", Some("toml")), 500);
}

#[test]
fn solutions_are_compared_or_refused() {
    hold(laws::solutions, seeds("fuzz/seeds/solutions", None), 1000);
}
