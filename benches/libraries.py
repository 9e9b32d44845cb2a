#!/usr/bin/env python3
"""What native libraries of a submission cost each run: the same games with none, one, eight and 64 of them, in turns.

    benches/libraries.py target/release/referee [--rounds N]

At `sealed` each library is a read-only mount over its file, made anew for each run. The kernel's CPU time of a whole run of
games counts, of the agents as well, because mounts are removed after a run by whoever comes first. On a busy machine the
ratios still mean something, since all are measured in turns.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

AGENT = Path(__file__).resolve().parent.parent / "agents/checkers-cpp"
COUNTS = [0, 1, 8, 64]
GAMES, TURNS = 4, 30


def sample(folder, count):
    shutil.copytree(AGENT, folder)
    (folder / "calibrate.cpp").unlink(missing_ok=True)
    for number in range(count):
        (folder / f"library-{number}.so").write_bytes(b"\x7fELF" + bytes(4096))
    return folder


def system_seconds(program, agent, out):
    command = [program, "play", agent, f"twin={agent}", "--game", "checkers", "--games", GAMES, "--jobs", 1]
    command += ["--opening-plies", 4, "--turn-limit", TURNS, "--seed", 3, "--out", out]
    before = os.times().children_system
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return os.times().children_system - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    taken = {count: [] for count in COUNTS}
    with tempfile.TemporaryDirectory(prefix="libraries-") as folder:
        agents = {count: sample(Path(folder) / f"agent-{count}", count) for count in COUNTS}
        for number in range(given.rounds):
            for count in COUNTS:
                taken[count].append(system_seconds(given.program, agents[count], Path(folder) / f"run-{number}-{count}"))
    none = statistics.median(taken[0])
    print("| libraries | system time of none's | microseconds a run for each library |")
    print("| --- | --- | --- |")
    for count in COUNTS:
        system = statistics.median(taken[count])
        each = (system - none) / (GAMES * TURNS * max(count, 1)) * 1e6
        print(f"| {count} | {system / none:.2f} | {each:.0f} |")


if __name__ == "__main__":
    main()
