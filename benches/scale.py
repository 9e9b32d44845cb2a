#!/usr/bin/env python3
"""What reading a large run back costs: standings, verify and report over 1, 10 and 100 thousand recorded games.

    benches/scale.py target/release/referee [GAMES ...]

A handful of real games of checkers is played first; a large run is copies of them under other names, which nothing
distinguishes from games that were played. Printed are CPU seconds (user and system, of the command alone), the peak of its memory, and
the time per game relative to that of the smallest run: a cost that is linear keeps it near 1. Results are checked before
any time is printed: every game verifies, and every command succeeds.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SEEDS = range(1, 5)


def main():
    program = os.path.abspath(sys.argv[1])
    sizes = [int(word) for word in sys.argv[2:]] or [1_000, 10_000, 100_000]
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        manifest, records = played(program, folder)
        turns = sum(len(record["turns"]) for record in records) / len(records)
        size = sum(len(json.dumps(record, separators=(",", ":"))) for record in records) / len(records)
        print(f"{len(records)} real games of {turns:.0f} turns, {size / 1000:.1f} KB each")
        print("    games command     CPU s  wall s  peak MB  CPU us a game   to the first")
        first = {}
        for count in sizes:
            run = os.path.join(folder, str(count))
            copy_games(run, manifest, records, count)
            for command, expected in (("standings", None), ("verify", f"{count} games, "), ("report", "report: ")):
                measure(program, command, run, count, expected, first, turns)
            shutil.rmtree(run)


def played(program, folder):
    """The manifest and the records of a few short matches, with the same two names in each."""
    records = []
    for seed in SEEDS:
        out = os.path.join(folder, f"seed-{seed}")
        players = [f"builtin:minimax,depth=1,seed={seed}", f"builtin:minimax,depth=2,seed={seed}"]
        command = [program, "play", *players, "--game", "checkers", "--games", "2", "--opening-plies", "4"]
        subprocess.run([*command, "--seed", "1", "--isolation", "bare", "--out", out], check=True, capture_output=True)
        with open(os.path.join(out, "manifest.json")) as file:
            manifest = json.load(file)
        for name in sorted(os.listdir(os.path.join(out, "games"))):
            with open(os.path.join(out, "games", name)) as file:
                records.append((manifest, json.load(file)))
    # All runs become one: the agents of the first, under whose names all games are.
    manifest = records[0][0]
    agents = {agent["name"]: agent for agent in manifest["agents"]}
    names = list(agents)
    merged = []
    for origin, record in records:
        renamed = dict(zip([agent["name"] for agent in origin["agents"]], names))
        for side in ("black", "white"):
            player = record["players"][side]
            player["name"] = renamed[player["name"]]
            player["digest"] = agents[player["name"]]["digest"]
        merged.append(record)
    return manifest, merged


def copy_games(run, manifest, records, count):
    games = os.path.join(run, "games")
    os.makedirs(games)
    pairings = []
    texts = []
    for record in records:
        text = json.dumps(record, separators=(",", ":"))
        texts.append(text.replace(json.dumps(record["id"]), "\0", 1).split("\0"))
    for number in range(count):
        record = records[number % len(records)]
        before, after = texts[number % len(records)]
        name = f"g{number:06}"
        with open(os.path.join(games, f"{name}.json"), "w") as file:
            file.write(f'{before}"{name}"{after}')
        pairing = {"id": name, "first": record["first"], "start": record["start"]}
        pairing.update({side: record["players"][side]["name"] for side in ("black", "white")})
        pairings.append(pairing)
    with open(os.path.join(run, "manifest.json"), "w") as file:
        json.dump({**manifest, "games": pairings}, file)


def measure(program, command, run, count, expected, first, turns):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    # A process of its own for each, so that the peak of memory is that of this command.
    child = os.fork()
    if child == 0:
        done = subprocess.run([program, command, run], capture_output=True, text=True)
        fine = done.returncode == 0 and (expected is None or expected in done.stdout)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not fine:
            sys.stderr.write(done.stdout[-2000:] + done.stderr[-2000:])
        print(report_line(command, count, used, time.monotonic() - begun, first, turns) if fine else "FAILED", flush=True)
        os._exit(0 if fine else 1)
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit(f"{command} of {count} games went wrong")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    first.setdefault(command, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count)


def report_line(command, count, used, wall, first, turns):
    cpu = used.ru_utime + used.ru_stime
    ratio = cpu / count / first.get(command, cpu / count)
    line = f"{count:9} {command:<9} {cpu:7.2f} {wall:7.2f} {used.ru_maxrss / 1000:8.0f} {cpu / count * 1e6:14.0f} {ratio:14.2f}"
    if command == "verify":
        line += f"   {count * turns / cpu * 60 / 1e6:.1f} million moves a CPU minute"
    return line


main()
