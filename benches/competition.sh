#!/bin/sh
# The runner's own overhead: what a competition of trivial agents at `--jobs 2` takes beyond its agents' runs.
#
#     cargo build --release && benches/competition.sh target/release/referee [GAMES]
#
# The ratio is of two figures of one run: twice the time on the wall, and the sum of the times on the wall of all agents' runs, which
# no two games share. Needs `jq`.
set -eu
referee=$(realpath "$1")
games=${2:-40}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > trivial.toml <<TOML
title = "Trivial agents"
game = "duo-othello"

[clock]
play_time = 300

[competition]
format = "round-robin"
games_per_pairing = $games
opening_plies = 4
agents = ["a=builtin:random,seed=1", "b=builtin:random,seed=2"]
TOML
begin=$(date +%s%N)
"$referee" compete trivial.toml --jobs 2 --out run > /dev/null 2>&1
end=$(date +%s%N)
cat run/games/*.json | jq -s --argjson wall "$(((end - begin) / 1000))" '
    [.[].turns[] | select(.turn == "run") | .usage.wall_us] as $runs
    | ($runs | add) as $in_runs
    | { games: length, runs: ($runs | length), wall_ms: ($wall / 1000), ratio: (2 * $wall / $in_runs),
        beyond_runs_ms_per_game: ((2 * $wall - $in_runs) / 1000 / length),
        beyond_runs_ms_per_run: ((2 * $wall - $in_runs) / 1000 / ($runs | length)) }'
