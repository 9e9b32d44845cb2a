#!/usr/bin/env python3
"""What a built-in agent costs beyond its thinking: CPU milliseconds of a whole process, beside a program that does nothing.

    benches/start.py target/release/referee

The processes take turns; the lowest tenth and the median are printed. From the middle one, checkers at depth 3, follows what
the reference costs in a grading of nine games: some 35 turns of its own in each.
"""

import os
import subprocess
import sys
import tempfile

INPUT = (
    "GAME\nBLACK\n300.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n"
)
ROUNDS = 200
TURNS_OF_A_GRADING = 9 * 35


def cpu_of(command):
    """The CPU time of one run, from the system's account of the reaped process."""
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    assert status == 0, command
    return (used.ru_utime + used.ru_stime) * 1000


def main():
    program = os.path.abspath(sys.argv[1])
    kinds = {
        "a program that does nothing": ["/bin/true"],
        "random": [program, "agent", "random"],
        "minimax, depth 3": [program, "agent", "minimax,depth=3"],
        "alphabeta, 1 node": [program, "agent", "alphabeta,nodes=1"],
    }
    with tempfile.TemporaryDirectory(prefix="start-") as folder:
        os.chdir(folder)
        with open("input.txt", "w") as file:
            file.write(INPUT)
        times = {name: [] for name in kinds}
        for _ in range(ROUNDS):
            for name, command in kinds.items():
                times[name].append(cpu_of(command))
        os.chdir("/")
    for name, taken in times.items():
        taken.sort()
        print(f"{name:<28} {taken[ROUNDS // 10]:6.2f} {taken[ROUNDS // 2]:6.2f} ms")
    reference = sorted(times["minimax, depth 3"])[ROUNDS // 2] / 1000 * TURNS_OF_A_GRADING
    print(f"the reference in nine games of 35 turns: {reference:.2f} s of CPU")


main()
