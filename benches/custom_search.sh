#!/bin/sh
# A built-in agent in custom games against an agent that looks one ply ahead and one that takes the first empty square.
#
#     benches/custom_search.sh target/release/referee [AGENT [GAMES [SECONDS [GAME ...]]]]
#
# `builtin:alphabeta` is to win all of 10 games of each at 300 s.
set -eu
referee=$(realpath "$1")
agent=${2:-builtin:alphabeta}
games=${3:-10}
seconds=${4:-300}
[ $# -gt 4 ] && shift 4 || set -- connect_four gomoku pente
root=$(realpath "$(dirname "$0")/..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for game in "$@"; do
  for opponent in one_ply first_square; do
    mkdir -p "$folder/$game/$opponent"
    cp "$root/benches/opponents/$opponent.py" "$folder/$game/$opponent/homework.py"
    cp "$root/examples/rules/$game.py" "$folder/$game/$opponent/rules.py"
    cp "$root/examples/rules/referee_rules.py" "$folder/$game/$opponent/"
    echo "-- $game: $agent against $opponent, $games games, $seconds s"
    "$referee" play "$agent" "$folder/$game/$opponent" --game "$root/examples/rules/$game.py" --games "$games" \
      --time "$seconds" --jobs "${JOBS:-1}" --seed 1 --out "$folder/$game-$opponent" || true
    [ -z "${KEEP:-}" ] || cp -r "$folder/$game-$opponent" "$KEEP/"
  done
done
