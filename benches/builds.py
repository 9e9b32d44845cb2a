#!/usr/bin/env python3
"""Two builds of the program beside each other: size, CPU time and memory of a start, and CPU time of search and move generation.

    benches/builds.py target/release/referee dist-target/.../referee

The builds take turns. Needs GNU time. The medians are printed, and the second build's in relation to the first's.
"""

import os
import statistics
import subprocess
import sys
import tempfile

INPUT = (
    "GAME\nBLACK\n300.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n"
)
# Name, arguments, rounds.
WORK = [
    ("start: --version", ["--version"], 200),
    ("start: agent random", ["agent", "random"], 200),
    ("minimax, depth 8", ["agent", "minimax,depth=8"], 7),
    ("alphabeta, 2 million nodes", ["agent", "alphabeta,nodes=2000000"], 7),
    ("perft(9) of checkers", ["perft", "--game", "checkers", "--depth", "9"], 7),
    ("perft(6) of duo-othello", ["perft", "--game", "duo-othello", "--depth", "6"], 7),
    ("perft(3) of halma", ["perft", "--game", "halma", "--depth", "3"], 7),
    ("verify of a run", ["verify", "run"], 15),
]


def measure(program, arguments):
    """CPU milliseconds of one run."""
    for name in ("output.txt", "playdata.txt"):
        if os.path.exists(name):
            os.remove(name)
    actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(program, [program, *arguments], os.environ, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    assert status == 0, arguments
    return (used.ru_utime + used.ru_stime) * 1000


def peak(program, arguments):
    """Peak resident MiB of one run. The system counts the peak of whoever starts a program, too, so a small one does."""
    command = ["time", "--format", "%M", program, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(done.stderr.split()[-1]) / 1024


def main():
    programs = [os.path.abspath(path) for path in sys.argv[1:3]]
    sizes = [os.path.getsize(path) / 1e6 for path in programs]
    print(f"size, MB: {sizes[0]:.2f}, {sizes[1]:.2f}: {sizes[1] / sizes[0]:.2f}")
    with tempfile.TemporaryDirectory(prefix="builds-") as folder:
        os.chdir(folder)
        with open("input.txt", "w") as file:
            file.write(INPUT)
        game = ["play", "builtin:random", "builtin:random", "--game", "checkers", "--games", "20", "--out", "run"]
        measure(programs[0], game)
        for name, arguments, rounds in WORK:
            results = [[], []]
            for _ in range(rounds):
                for program, found in zip(programs, results):
                    found.append(measure(program, arguments))
            cpu = [statistics.median(found) for found in results]
            memory = [peak(program, arguments) for program in programs]
            print(
                f"{name}: CPU ms {cpu[0]:.2f}, {cpu[1]:.2f}: {cpu[1] / cpu[0]:.2f}; "
                f"MiB {memory[0]:.1f}, {memory[1]:.1f}: {memory[1] / memory[0]:.2f}"
            )


main()
