//! Packed games of a ladder: every command reads them, and nothing is lost, whatever happens to the files.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::Stdio;

use super::ladder::{failed, games, hand_in, ladder, play, standings, update};
use crate::competition::arena::{Arena, done, said};
use crate::invocation::assert_contains;
use crate::toolbox::{PYTHON3, require};

const PACK: &str = "lad/games/packed-0001.zip";

fn played() -> Arena {
    let arena = ladder(&["ada", "bob", "cyd"]);
    update(&arena);
    play(&arena, "6", "2");
    arena
}

/// The output of a command on standard output.
fn output(arena: &Arena, words: &[&str]) -> String {
    said(arena.referee(words)).out
}

#[test]
#[ignore = "long: plays and packs again and again"]
fn every_command_reads_packed_games_as_before() {
    require!(PYTHON3);
    let arena = played();
    let all = games(&arena);
    let first = all.iter().find(|game| game.pair.sequence == 1).unwrap().to_string();
    let record = format!("lad/games/{first}.json");
    let text = fs::read(arena.path(&record)).unwrap();
    let commands: [&[&str]; 7] = [
        &["ladder", "standings", "lad"],
        &["report", "lad", "--json"],
        &["verify", "lad"],
        &["export", "lad", "--format", "jsonl"],
        &["status", "lad"],
        &["replay", &record],
        &["verify", &record],
    ];
    let before = commands.map(|words| output(&arena, words));
    assert_eq!(output(&arena, &["ladder", "pack", "lad", "--keep", "4"]), "8 games packed\n");
    assert_eq!(games(&arena).len(), 4);
    assert!(!arena.path(&record).exists());
    for (words, before) in commands.iter().zip(before) {
        assert_eq!(output(&arena, words), before, "{words:?}");
    }
    assert_eq!(output(&arena, &["ladder", "pack", "lad", "--keep", "4"]), "0 games packed\n");

    // What is packed is not played again, and what comes later is packed beside it.
    hand_in(&arena, "ada", "version 2");
    update(&arena);
    play(&arena, "2", "2");
    assert_eq!(games(&arena).len(), 8);
    assert_eq!(output(&arena, &["ladder", "pack", "lad", "--keep", "0"]), "8 games packed\n");
    assert_eq!(standings(&arena, &[])["games"], 16);
    assert_contains(done(arena.referee(&["verify", "lad"])), "0 different");

    // Any program unpacks them.
    let mut archive = zip::ZipArchive::new(File::open(arena.path(PACK)).unwrap()).unwrap();
    let mut unpacked = Vec::new();
    archive.by_name(&format!("{first}.json")).unwrap().read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, text);
}

#[test]
#[ignore = "long: a ladder with real games"]
fn a_record_in_two_places_counts_once_and_one_that_cannot_be_read_is_not_packed() {
    require!(PYTHON3);
    let arena = played();
    let all = games(&arena);
    let record = |place: usize| arena.path(&format!("lad/games/{}.json", all[place]));
    let known = standings(&arena, &[]);
    let text = fs::read(record(0)).unwrap();
    fs::write(record(1), "{").unwrap();
    assert_eq!(output(&arena, &["ladder", "pack", "lad", "--keep", "0"]), "11 games packed\n");
    assert_eq!(fs::read(record(1)).unwrap(), b"{");
    fs::remove_file(record(1)).unwrap();
    // As a process leaves it that is killed before it removes what it has packed.
    fs::write(record(0), &text).unwrap();
    assert_eq!(standings(&arena, &[])["games"], 11);
    assert_contains(done(arena.referee(&["verify", "lad"])), "11 games");
    play(&arena, "1", "1");
    assert_eq!(standings(&arena, &[])["games"], known["games"], "the missing game is played again, and nothing else");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn packing_that_was_killed_before_it_removed_records_is_finished_by_the_next_one() {
    require!(PYTHON3);
    let arena = played();
    let records: Vec<_> = games(&arena).iter().map(|game| arena.path(&format!("lad/games/{game}.json"))).collect();
    let texts: Vec<_> = records.iter().map(|record| fs::read(record).unwrap()).collect();
    output(&arena, &["ladder", "pack", "lad", "--keep", "0"]);
    for (record, text) in records.iter().zip(texts) {
        fs::write(record, text).unwrap();
    }
    assert_eq!(standings(&arena, &[])["games"], 12);
    assert_eq!(output(&arena, &["ladder", "pack", "lad", "--keep", "0"]), "0 games packed\n");
    assert!(games(&arena).is_empty() && !arena.path("lad/games/packed-0002.zip").exists());
    assert_contains(done(arena.referee(&["verify", "lad"])), "12 games");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn packing_beside_running_games_loses_and_doubles_none() {
    require!(PYTHON3);
    let arena = ladder(&["ada", "bob", "cyd"]);
    update(&arena);
    let mut playing = arena.referee(&["ladder", "play", "lad", "--pairs", "8", "--jobs", "2"]);
    let mut playing = playing.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut packed = BTreeSet::new();
    while playing.try_wait().unwrap().is_none() {
        packed.insert(done(arena.referee(&["ladder", "pack", "lad", "--keep", "0"])));
        let shown = standings(&arena, &[]);
        assert_eq!(shown["unreadable"].as_array().map(Vec::len), Some(0), "{shown}");
    }
    done(arena.referee(&["ladder", "pack", "lad", "--keep", "0"]));
    assert_eq!(standings(&arena, &[])["games"], 16, "{packed:?}");
    let said = done(arena.referee(&["verify", "lad"]));
    assert_contains(&said, "16 games");
    assert_contains(&said, "0 different");
    let packs = fs::read_dir(arena.path("lad/games")).unwrap().map(|pack| pack.unwrap().path());
    let entries = packs.map(|pack| zip::ZipArchive::new(File::open(pack).unwrap()).unwrap().len() - 1);
    assert_eq!(entries.sum::<usize>(), 16, "each game is in one pack");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn a_damaged_pack_stops_every_command_and_a_false_summary_is_found() {
    require!(PYTHON3);
    let arena = played();
    output(&arena, &["ladder", "pack", "lad", "--keep", "0"]);
    let whole = fs::read(arena.path(PACK)).unwrap();
    fs::write(arena.path(PACK), &whole[..whole.len() / 2]).unwrap();
    for words in [&["ladder", "standings", "lad"][..], &["ladder", "play", "lad", "--pairs", "1"], &["verify", "lad"]] {
        let complaint = failed(arena.referee(words), 3);
        assert_contains(&complaint, "packed-0001.zip");
        assert_contains(&complaint, "restore this pack of games from a backup");
    }

    // Somebody changes a result in the summaries, which standings read.
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(whole)).unwrap();
    let mut forged = zip::ZipWriter::new(File::create(arena.path(PACK)).unwrap());
    for place in 0..archive.len() {
        let mut entry = archive.by_index(place).unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        if entry.name().unwrap() == "summaries.json" {
            text = text.replacen("\"close_call\":false", "\"close_call\":true", 1);
        }
        forged.start_file(entry.name().unwrap(), zip::write::SimpleFileOptions::default()).unwrap();
        forged.write_all(text.as_bytes()).unwrap();
    }
    forged.finish().unwrap();
    let found = said(arena.referee(&["verify", "lad"]));
    assert_eq!(found.status, Some(1));
    assert_contains(&found.out, "its pack has another summary of it");
    assert_contains(&found.out, "1 different");
}
