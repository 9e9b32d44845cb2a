#!/usr/bin/env python3
"""What a built-in agent costs beyond its thinking: CPU milliseconds of a whole process, beside a program that does nothing.

    benches/start.py target/release/referee

The processes take turns; the lowest tenth and the median are printed. Then the games of a grading of checkers are played, twice
nine against a random agent, and what was charged to the reference at depth 3 is added up.
"""

import json
import os
import subprocess
import sys
import tempfile

INPUT = (
    "GAME\nBLACK\n300.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n"
)
ROUNDS = 200
GRADINGS = 2
GAMES_OF_A_GRADING = 9
REFERENCE = "minimax,depth=3"


def cpu_of(command):
    """The CPU time of one run, from the system's account of the reaped process."""
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    assert status == 0, command
    return (used.ru_utime + used.ru_stime) * 1000


def play_gradings(program):
    """The reference's turns, and the CPU seconds charged for them, in the games of one grading."""
    turns = micros = 0
    with tempfile.TemporaryDirectory(prefix="start-") as folder:
        out = os.path.join(folder, "run")
        command = [program, "play", "builtin:random", f"builtin:{REFERENCE}", "--game", "checkers", "--out", out]
        games = str(GRADINGS * GAMES_OF_A_GRADING)
        subprocess.run([*command, "--games", games, "--jobs", "1"], check=True, stdout=subprocess.DEVNULL)
        names = os.listdir(os.path.join(out, "games"))
        assert len(names) == int(games), names
        for name in names:
            with open(os.path.join(out, "games", name)) as file:
                record = json.load(file)
            (side,) = (side for side, player in record["players"].items() if player["name"].startswith("minimax"))
            own = [turn for turn in record["turns"] if turn["side"] == side]
            turns += len(own)
            micros += sum(turn["charged_cpu_us"] for turn in own)
    return turns / GRADINGS, micros / 1e6 / GRADINGS


def main():
    program = os.path.abspath(sys.argv[1])
    kinds = {
        "a program that does nothing": ["/bin/true"],
        "random": [program, "agent", "random"],
        "minimax, depth 3": [program, "agent", REFERENCE],
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
    turns, seconds = play_gradings(program)
    print(f"the reference in a grading of nine games: {turns:.0f} turns, {seconds:.2f} s of CPU")


main()
