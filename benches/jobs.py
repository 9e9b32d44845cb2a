#!/usr/bin/env python3
"""How well a machine is used by games side by side: one job and as many as there are cores, agents in three languages.

    benches/jobs.py target/release/referee [--user NAME] [--rounds N] [--only NAME,...]

For each agent the same games are played with `--jobs 1` and with `--jobs CORES`, in turns, and of the rounds the median counts:

- utilisation: the agents' CPU time / (cores in use x wall-clock time from the plan on disk to the end of the run). What comes
  before, compilers above all, is printed apart: it is the same for a run of seconds and of days. Only on a machine that does nothing else does it mean
  anything, and as does the ratio of the two wall-clock times.
- share: the agents' CPU time / all CPU time of the run, the referee's, its keepers' and the compilers' included. It hardly depends on what else
  the machine does, and no utilisation can be above it while all cores are busy.
- system: what the kernel took in the whole run, which is not to grow with the jobs.

With `--user`, and as root, everything is done once more as that user, who has to be able to reach the executable.
"""

import argparse
import json
import os
import pwd
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AGENTS = Path(__file__).resolve().parent.parent / "agents"

# Computes for so many milliseconds of CPU time, and then plays any legal move, which it has from a neighbour.
SLOW = """
import time
begin = time.process_time()
while time.process_time() - begin < 0.5:
    pass
exec(compile(open(__file__.replace("homework.py", "player.py")).read(), "player.py", "exec"))
"""

# Name, agent, games for each core, the utilisation that is aimed at. A short game ends sooner than a real one, so ends count
# for more here.
KINDS = [
    ("C++, 2 ms a move", AGENTS / "checkers-cpp", 12, 0.5),
    ("Python, 30 ms a move", AGENTS / "checkers-python", 3, 0.9),
    ("Java, 60 ms a move", AGENTS / "checkers-java", 4, 0.9),
    ("Python, 0.5 s a move", None, 1, 0.98),
]

# All games are equally long, so that no core is idle for want of games.
TURNS = 30


def thinker(folder):
    """A sample agent that computes for half a second before each move."""
    shutil.copytree(AGENTS / "checkers-python", folder)
    (folder / "homework.py").rename(folder / "player.py")
    (folder / "homework.py").write_text(SLOW)
    return folder


def play(program, agent, games, jobs, folder, user):
    """What one run of games of the agent against itself took, in seconds."""
    out = folder / f"run-{time.monotonic_ns()}"
    command = [program, "play", agent, f"twin={agent}", "--game", "checkers", "--games", games, "--jobs", jobs]
    command += ["--opening-plies", 4, "--turn-limit", TURNS, "--seed", 3, "--out", out]
    command = [str(word) for word in command]
    environment = {**os.environ, "TMPDIR": str(folder), "HOME": str(folder)}
    identity = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    before, begin = os.times(), time.monotonic()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **identity)
    end, whole, after = time.time(), time.monotonic() - begin, os.times()
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    agents = 0
    # The last that is written before the first game.
    wall = end - (out / "manifest.json").stat().st_mtime
    records = list((out / "games").iterdir())
    assert len(records) == games, records
    for record in records:
        turns = json.loads(record.read_text())["turns"]
        usages = [turn["usage"] for turn in turns if turn["turn"] == "run"]
        agents += sum(usage["cpu_user_us"] + usage["cpu_system_us"] for usage in usages)
    shutil.rmtree(out)
    system = after.children_system - before.children_system
    return {
        "before": whole - wall,
        "wall": wall,
        "system": system,
        "all": after.children_user - before.children_user + system,
        "agents": agents / 1e6,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("--user", type=pwd.getpwnam)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", type=lambda names: names.split(","))
    given = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print(f"load {os.getloadavg()[0]:.1f} on {cores} processors\n")
    print("| user | agent | jobs | before s | wall s | of one job's | system s | of one job's | utilisation | aim | share |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="jobs-") as folder:
        folder = Path(folder)
        agents = {name: agent or thinker(folder / "thinker") for name, agent, *_ in KINDS}
        for user in [None, given.user] if given.user else [None]:
            room = folder / (user.pw_name if user else "own")
            room.mkdir()
            folder.chmod(0o755)
            if user:
                os.chown(room, user.pw_uid, user.pw_gid)
            for name, _, games, aim in KINDS:
                if given.only and not any(word in name for word in given.only):
                    continue
                measure(given, user, name, agents[name], games * cores, aim, cores, room)


def measure(given, user, name, agent, games, aim, cores, room):
    """Both numbers of jobs in turns, and a line of the table for each."""
    runs = {jobs: [] for jobs in sorted({1, cores})}
    for _ in range(given.rounds):
        for jobs, taken in runs.items():
            taken.append(play(given.program, agent, games, jobs, room, user))
    one = runs[1]
    for jobs, taken in runs.items():
        middle = lambda value: statistics.median(map(value, taken))
        wall = middle(lambda run: run["wall"]) / statistics.median(run["wall"] for run in one)
        system = middle(lambda run: run["system"]) / statistics.median(run["system"] for run in one)
        utilisation = middle(lambda run: run["agents"] / (jobs * run["wall"]))
        share = middle(lambda run: run["agents"] / run["all"])
        print(
            f"| {user.pw_name if user else pwd.getpwuid(os.getuid()).pw_name} | {name} | {jobs}"
            f" | {middle(lambda run: run['before']):.2f} | {middle(lambda run: run['wall']):.2f} | {wall:.2f} | {middle(lambda run: run['system']):.2f} | {system:.2f}"
            f" | {utilisation:.2f} | {aim} | {share:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
