//! The fuzzer's laws hold for its seeds, and for small edits of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use referee_matches::referee::verify;

#[expect(unreachable_pub, reason = "it is the library of another package")]
#[path = "../../fuzz/src/lib.rs"]
mod laws;

fn seeds(law: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(law);
    let files: BTreeSet<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
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
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(bytes in near(seeds))| law(&bytes));
}

#[test]
fn answers_are_legal_or_refused() {
    hold(laws::answers, seeds("answers"), 10_000);
}

/// What hostile programs write: as many bytes as are read, of everything that there is something to say about.
#[test]
#[ignore = "long: 560 answers of the greatest size"]
fn the_report_on_an_answer_does_not_grow_with_the_answer() {
    const MAX_OUTPUT: usize = 64 << 10;
    let stretches = [
        "\n",
        " \n",
        "\r\n",
        " \t\r\r\n",
        "\x0b\x0c\n",
        " ",
        "\t",
        "\r",
        "\x7f",
        "\0",
        "\u{202e}",
        "x",
        "1\n",
        "pass\n",
    ];
    // From the start of each game, by its place in the registry: a legal answer, and one that goes to and fro.
    let answers = [
        (0, "E b6 a5", "j B6 a5\n"),
        (1, "J 2,1 4,3", "j 2,1  4,3 \r\nj 4,3  2,1 \r\n"),
        (2, "E 4,1 5,1", "J 0,4 2,4\nJ 2,4 0,4\n"),
        (3, "c2", " C2\r\n"),
        (4, "A1-B2", " a1-B2\r\n"),
        (5, "b2 b3", "B2  b3 \r\n"),
        (6, "2,3", " 2 , 3\r\n"),
    ];
    for (game, legal, again) in answers {
        for stretch in stretches.into_iter().chain([legal, again]) {
            let flood = stretch.repeat(MAX_OUTPUT / stretch.len());
            let between = legal.replacen(' ', &flood, 1);
            let texts = [
                flood.clone(),
                format!("{flood}{legal}"),
                format!("{legal}{flood}"),
                format!("{legal}\n{flood}"),
                between,
            ];
            for text in texts {
                laws::answers(&[&[game, 0], text.as_bytes()].concat());
            }
        }
    }
}

#[test]
fn inputs_are_read_as_they_are_written() {
    hold(laws::inputs, seeds("inputs"), 10_000);
}

#[test]
fn archives_stay_within_their_folder() {
    hold(laws::archives, seeds("archives"), 300);
}

#[test]
fn downloads_lose_and_mistake_nobody() {
    hold(laws::downloads, seeds("downloads"), 300);
}

#[test]
fn positions_of_rules_programs_are_read_as_they_are_written_or_break() {
    hold(laws::positions, seeds("positions"), 3000);
}

#[test]
fn records_break_nothing() {
    let seeds = seeds("records");
    for seed in &seeds {
        // A seed that is no record any more would hold no law to anything.
        let record = laws::record(seed).unwrap();
        verify(&record).unwrap();
    }
    hold(laws::records, seeds, 1000);
}

/// What strangers have written into a record reaches the sentence in which it differs.
#[test]
fn every_text_of_a_record_is_escaped() {
    let mut told = 0;
    for seed in seeds("records") {
        let text = String::from_utf8(seed).unwrap();
        for key in ["code", "message", "hint", "error", "lookalike", "found"] {
            for control in ["\u{7f}", "\u{9b}2J", "\\u001b[2J", "\u{202e}"] {
                let hostile = text.replace(&format!("\"{key}\":\""), &format!("\"{key}\":\"{control}"));
                laws::records(hostile.as_bytes());
                let record = laws::record(hostile.as_bytes()).unwrap();
                if let Err(difference) = verify(&record) {
                    let difference = difference.to_string();
                    assert!(!difference.contains(['\u{7f}', '\u{9b}', '\u{1b}', '\u{202e}']), "{difference:?}");
                    told += usize::from(difference.contains("\\u{"));
                }
            }
        }
    }
    assert!(told > 3, "{told}");
}

const SHIPPED: [&str; 5] = [
    include_str!("../../tournaments/checkers-2021.toml"),
    include_str!("../../tournaments/checkers-2021-staff.toml"),
    include_str!("../../tournaments/halma-2019.toml"),
    include_str!("../../tournaments/duo-othello-2024.toml"),
    include_str!("../../tournaments/star-circle-2018.toml"),
];

/// A place in a text, how many characters go there, and what comes for them.
fn edits() -> impl Strategy<Value = Vec<(Index, usize, String)>> {
    let pieces = [
        "\"",
        "[",
        "]",
        "=",
        "\n",
        "0",
        "-1",
        "1e9",
        "99999999999999999999",
        "[[grade]]",
        "[clock]",
        "é",
        "{",
        "}",
        ",",
    ];
    let piece = prop_oneof![select(pieces.to_vec()).prop_map(str::to_owned), "\\PC{0,4}"];
    prop::collection::vec((any::<Index>(), 0_usize..12, piece), 1..6)
}

fn edited(text: &str, edits: &[(Index, usize, String)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (place, length, piece) in edits {
        let start = place.index(text.len() + 1);
        let end = (start + length).min(text.len());
        text.splice(start..end, piece.chars());
    }
    text.into_iter().collect()
}

proptest! {
    #[test]
    fn any_text_is_an_assignment_or_explained(text in "(\\PC|\n|\r|\t|\x1b){0,200}") {
        laws::assignments(text.as_bytes());
    }

    #[test]
    fn an_assignment_with_slips_is_read_or_explained(shipped in select(SHIPPED.to_vec()), edits in edits()) {
        laws::assignments(edited(shipped, &edits).as_bytes());
    }
}

#[test]
fn solutions_are_compared_or_refused() {
    hold(laws::solutions, seeds("solutions"), 1000);
}
