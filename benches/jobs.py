#!/usr/bin/env python3
"""How well a machine is used by games side by side: one job and as many as there are cores, agents in three languages.

    benches/jobs.py target/release/referee [--before PROGRAM] [--user NAME] [--rounds N] [--only NAME,...]

For each agent the same games are played with `--jobs 1` and with `--jobs CORES`, in turns, and of the rounds the median counts:

- utilisation: the agents' CPU time / (jobs x wall-clock time from the plan on disk to the end of the run). The time before,
  compilers above all, is printed apart: it is the same for a run of seconds and of days. It means something only on a
  machine that does nothing else, and so does the ratio of the two wall-clock times.
- share: the agents' CPU time / all CPU time of the run, the referee's, its keepers' and the compilers' included. It hardly
  depends on what else the machine does, and no utilisation can be above it while all cores are busy.
- system: the kernel's CPU time in the whole run, which should not grow with the jobs.

The peer is a bare loop that runs the same agents on the same inputs, game by game, in as many processes as there are jobs:
write `input.txt`, `posix_spawn`, `wait4`. It neither judges nor isolates nor limits anything, so no referee can do better.

With `--before`, another build of the program plays in turns with it. With `--user`, and as root, everything is repeated as
that user, who has to be able to reach the executables.
"""

import argparse
import json
import os
import pwd
import resource  # noqa: F401 (`os.wait4` imports it, which another user may not be able to)
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AGENTS = Path(__file__).resolve().parent.parent / "agents"

# Computes for so many milliseconds of CPU time, and then plays any legal move, by the agent beside it.
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
    ("C++, 2 ms a move", "checkers-cpp", 12, 0.5),
    ("Python, 30 ms a move", "checkers-python", 3, 0.9),
    ("Java, 60 ms a move", "checkers-java", 4, 0.9),
    ("Python, 0.5 s a move", None, 1, 0.98),
]

# As many as in the median game of a real class. All games have the same number, so that few cores are idle for want of games.
TURNS = 60

JAVA = ["-XX:+UseG1GC", "-XX:ParallelGCThreads=1", "-XX:-UsePerfData", f"-XX:MaxRAM={1 << 30}", "-XX:MaxRAMPercentage=70"]


def sample(name, folder):
    """A sample agent without its `calibrate`, by which it would play other moves in each run."""
    shutil.copytree(AGENTS / (name or "checkers-python"), folder)
    (folder / "calibrate.py").unlink(missing_ok=True)
    if name is None:
        (folder / "homework.py").rename(folder / "player.py")
        (folder / "homework.py").write_text(SLOW)
    return folder


def command_of(agent, products, user):
    """The command of a bare loop for a copy of the agent, built in the folder `products`, that `user` can run."""
    shutil.copytree(agent, products, dirs_exist_ok=True)
    if (agent / "homework.cpp").exists():
        subprocess.run(["g++", "-O2", "-std=gnu++17", "-pthread", "-o", "homework", "homework.cpp"], cwd=products, check=True)
        return [str(products / "homework")]
    if (agent / "homework.java").exists():
        subprocess.run(["javac", "homework.java"], cwd=products, check=True)
        return [os.path.realpath(shutil.which("java")), *JAVA, "-cp", ".", "homework"]
    which = ["python3", "-c", "import sys; print(sys.executable)"]
    found = subprocess.run(which, cwd="/", check=True, stdout=subprocess.PIPE, text=True, **identity(user))
    return [found.stdout.strip(), "-B", "-s", "-E", "homework.py"]


def identity(user):
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def inputs(record):
    """Every `input.txt` of a recorded game of checkers."""
    board = [list(row) for row in record["start"]]
    texts = []
    for turn in (turn for turn in record["turns"] if turn["turn"] == "run"):
        rows = "".join("".join(row) + "\n" for row in board)
        texts.append(f"GAME\n{turn['side'].upper()}\n300.0\n{rows}")
        for line in (turn.get("move") or "").splitlines():
            kind, start, end = line.split()
            (column, row), (to_column, to_row) = ((ord(square[0]) - ord("a"), 8 - int(square[1])) for square in (start, end))
            piece, board[row][column] = board[row][column], "."
            if kind == "J":
                board[(row + to_row) // 2][(column + to_column) // 2] = "."
            is_crowned = to_row == (7 if piece == "b" else 0)
            board[to_row][to_column] = piece.upper() if is_crowned else piece
    return texts


def bare_loop(command, games, jobs, folder, user):
    """Utilisation of a bare loop that runs the agent on all inputs of `games`, and its wall-clock time."""
    pipes = [os.pipe() for _ in range(jobs)]
    todo, tickets = os.pipe()
    os.write(tickets, bytes(range(len(games))))
    os.close(tickets)
    begin = time.monotonic()
    for number, (_, result) in enumerate(pipes):
        if os.fork() == 0:
            status = 1
            try:
                os.write(result, str(run_games(command, games, todo, folder, number, user)).encode())
                status = 0
            finally:
                os._exit(status)
    for _ in pipes:
        assert os.wait()[1] == 0
    wall = time.monotonic() - begin
    used = sum(float(os.read(source, 100)) for source, _ in pipes)
    for descriptor in [todo, *(end for pipe in pipes for end in pipe)]:
        os.close(descriptor)
    for left in folder.glob("peer-*"):
        shutil.rmtree(left)
    return {"wall": wall, "utilisation": used / (jobs * wall)}


def run_games(command, games, todo, folder, number, user):
    """The CPU time of an agent in all games whose numbers come from `todo`."""
    work = folder / f"peer-{number}"
    shutil.copytree(folder / "products", work)
    if user:
        os.chown(work, user.pw_uid, user.pw_gid)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
    os.chdir(work)
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    used = 0
    while game := os.read(todo, 1):
        for text in games[game[0]]:
            Path("input.txt").write_text(text)
            pid = os.posix_spawn(command[0], command, os.environ, file_actions=null)
            _, status, usage = os.wait4(pid, 0)
            assert status == 0, (command, text)
            used += usage.ru_utime + usage.ru_stime
    return used


def play(program, agent, games, jobs, folder, user):
    """What one run of games of the agent against itself took, in seconds, and its records."""
    out = folder / f"run-{time.monotonic_ns()}"
    command = [program, "play", agent, f"twin={agent}", "--game", "checkers", "--games", games, "--jobs", jobs]
    command += ["--opening-plies", 4, "--turn-limit", TURNS, "--seed", 3, "--out", out]
    command = [str(word) for word in command]
    environment = {**os.environ, "TMPDIR": str(folder), "HOME": str(folder)}
    before, begin = os.times(), time.monotonic()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **identity(user))
    end, whole, after = time.time(), time.monotonic() - begin, os.times()
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    # The last that is written before the first game.
    wall = end - (out / "manifest.json").stat().st_mtime
    records = [json.loads(record.read_text()) for record in sorted((out / "games").iterdir())]
    assert len(records) == games, records
    usages = [turn["usage"] for record in records for turn in record["turns"] if turn["turn"] == "run"]
    agents = sum(usage["cpu_user_us"] + usage["cpu_system_us"] for usage in usages) / 1e6
    shutil.rmtree(out)
    system = after.children_system - before.children_system
    run = {
        "before": whole - wall,
        "wall": wall,
        "system": system,
        "all": after.children_user - before.children_user + system,
        "agents": agents,
    }
    return run, records


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("--before", type=os.path.realpath)
    parser.add_argument("--user", type=pwd.getpwnam)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", type=lambda names: names.split(","))
    given = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print(f"load {os.getloadavg()[0]:.1f} on {cores} processors\n")
    head = ["user", "agent", "build", "jobs", "before s", "wall s", "of one job's", "system s", "of one job's", "utilisation"]
    print(row([*head, "aim", "peer", "share"]))
    print(row(["---"] * 13))
    with tempfile.TemporaryDirectory(prefix="jobs-") as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        kinds = [kind for kind in KINDS if not given.only or any(word in kind[0] for word in given.only)]
        for number, (name, agent, games, aim) in enumerate(kinds):
            agent = sample(agent, folder / f"agent-{number}")
            for user in [None, given.user] if given.user else [None]:
                room = folder / f"{number}-{user.pw_name if user else 'own'}"
                room.mkdir()
                peer = command_of(agent, room / "products", user)
                if user:
                    os.chown(room, user.pw_uid, user.pw_gid)
                measure(given, user, (name, agent, peer), games * cores, aim, cores, room)


def measure(given, user, kind, games, aim, cores, room):
    """Both numbers of jobs, the peer and both builds in turns, and a line of the table for each number and build."""
    name, agent, peer = kind
    builds = [("before", given.before)] if given.before else []
    builds.append(("after" if given.before else "", given.program))
    jobs = sorted({1, cores})
    runs = {(build, count): [] for build, _ in builds for count in jobs}
    bare = {count: [] for count in jobs}
    for _ in range(given.rounds):
        for count in jobs:
            for build, program in builds:
                run, records = play(program, agent, games, count, room, user)
                runs[build, count].append(run)
            bare[count].append(bare_loop(peer, [inputs(record) for record in records], count, room, user))
    for (build, count), taken in runs.items():
        of_one = lambda value: middle(taken, value) / middle(runs[build, 1], value)
        who = user.pw_name if user else pwd.getpwuid(os.getuid()).pw_name
        figures = [middle(taken, "before"), middle(taken, "wall"), of_one("wall"), middle(taken, "system"), of_one("system")]
        utilisation = statistics.median(run["agents"] / (count * run["wall"]) for run in taken)
        share = statistics.median(run["agents"] / run["all"] for run in taken)
        figures = [f"{figure:.2f}" for figure in [*figures, utilisation]]
        print(row([who, name, build, count, *figures, aim, f"{middle(bare[count], 'utilisation'):.2f}", f"{share:.2f}"]), flush=True)


def middle(taken, value):
    return statistics.median(run[value] for run in taken)


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    main()
