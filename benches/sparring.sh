#!/bin/sh
# `builtin:alphabeta` against `builtin:minimax`, through seats and on the clock.
#
#     benches/sparring.sh target/release/referee [GAMES [SECONDS ...]]
#
# It is to win 95 of 100 games in each game, and never on the loser's side of a clock.
set -eu
referee=$(realpath "$1")
games=${2:-200}
[ $# -gt 2 ] && shift 2 || set -- 5 30 300
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for seconds in "$@"; do
  for game in checkers duo-othello halma star-circle heirs little-go; do
    echo "-- $game, $seconds s"
    # The last lines are the score, its error, and who ran out of time.
    "$referee" play builtin:alphabeta builtin:minimax --game "$game" --games "$games" --time "$seconds" \
      --opening-plies 4 --jobs 2 --seed 1 --out "$folder/$game-$seconds" | tail -n 12
    if grep -l '"kind":"out-of-time"\|"kind":"never-returned"' -r "$folder/$game-$seconds/games" | head -n 3; then
      echo "   ^ games that were lost on time"
    fi
  done
done
