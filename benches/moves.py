#!/usr/bin/env python3
"""The referee's own cost of a move, and its memory over many moves.

    benches/moves.py target/release/referee [MOVES]

Two random agents play Duo-Othello until about MOVES (100,000) moves have been made. Every half second the referee's own process is
looked at (proc(5): its CPU time without that of its children, its resident memory). Printed are the CPU time per move, and the
memory after each tenth of the moves: flat is what it has to be.
"""

import os
import subprocess
import sys
import tempfile
import time

TICK = 1 / os.sysconf("SC_CLK_TCK")
TURNS_A_GAME = 100


def look(pid):
    """CPU seconds and resident kilobytes of one process, or nothing when it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open(f"/proc/{pid}/status") as file:
            resident = [line.split()[1] for line in file if line.startswith("VmRSS")]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return ((int(fields[11]) + int(fields[12])) * TICK, int(resident[0])) if resident else None


def main():
    program = os.path.abspath(sys.argv[1])
    moves = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    games = str(max(2, moves // TURNS_A_GAME // 2 * 2))
    with tempfile.TemporaryDirectory(prefix="moves-") as folder:
        out = os.path.join(folder, "run")
        command = [program, "play", "builtin:random", "builtin:random,seed=2", "--game", "duo-othello"]
        child = subprocess.Popen(
            [*command, "--games", games, "--opening-plies", "4", "--jobs", "2", "--out", out],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        seen = []
        while child.poll() is None:
            now = look(child.pid)
            if now:
                seen.append(now)
            time.sleep(0.5)
        if child.returncode != 0:
            sys.exit(f"play ended with status {child.returncode}")
        records = os.path.join(out, "games")
        made = 0
        for name in os.listdir(records):
            with open(os.path.join(records, name)) as file:
                made += file.read().count('"charged_cpu_us"')
    assert made > moves / 4, f"only {made} moves were made"
    cpu = seen[-1][0]
    print(f"{made} moves, {cpu:.2f} s of the referee's own CPU: {cpu / made * 1e6:.0f} us a move")
    tenths = [seen[(len(seen) - 1) * tenth // 10][1] / 1000 for tenth in range(1, 11)]
    print("resident MB after each tenth:", " ".join(f"{size:.1f}" for size in tenths))


main()
