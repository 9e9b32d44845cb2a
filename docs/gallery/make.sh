#!/usr/bin/env bash
# Makes every picture of the gallery anew, from games with a fixed seed: the moves are the same each time, the times are not.
#
#   docs/gallery/make.sh            all of them
#   docs/gallery/make.sh terminal   those of the terminal alone (SVG)
#   docs/gallery/make.sh page       those of the page alone (PNG, by headless Chromium)
#
# REFEREE names the program, where it is built already. Pictures of the page are made smaller by pngquant, where there is one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
wanted=${1:-all}
case $wanted in all | terminal | page) ;; *) echo "usage: make.sh [terminal|page]" >&2; exit 2 ;; esac

cd "$root"
if [ -z "${REFEREE:-}" ]; then
  cargo build --release --locked
  REFEREE=$root/target/release/referee
fi
REFEREE=$(realpath "$REFEREE")
cargo build --locked --examples
draw_program=$root/target/debug/examples/terminal_picture
photograph_program=$root/target/debug/examples/page_picture

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Commands are shown as they are typed at the root of the repository.
ln -s "$root/agents" "$work/agents"
cd "$work"

"$REFEREE" compete "$here/gallery.toml" --jobs 1 --out results/checkers >/dev/null
one_game() { # game agent opponent
  "$REFEREE" play "$2" "$3" --game "$1" --games 1 --seed 1 --time 60 --jobs 1 --out "results/$1" >/dev/null
}
one_game halma agents/halma-python builtin:minimax,depth=2
one_game duo-othello agents/duo-othello-python builtin:minimax,depth=2
one_game star-circle agents/star-circle-python builtin:minimax,depth=2

# The record of the first game in which `$1` met `$2`.
game_of() {
  grep -lE "\"name\": ?\"$1\"" results/checkers/games/*.json | xargs grep -lE "\"name\": ?\"$2\"" | sort | head -n 1
}

terminal() { # picture size steps... -- arguments
  local picture=$1 size=$2
  shift 2
  "$draw_program" "$REFEREE" "$here/$picture.svg" "$size" "$@"
}

make_terminal() {
  local good careless
  good=$(game_of checkers-python three-plies)
  careless=$(game_of careless random)
  terminal terminal-replay 96x24 press 24 press Enter until "turn 24 of" until "q quit" -- replay "$good"
  terminal terminal-replay-halma 96x24 press 40 press Enter until "turn 40 of" until "q quit" -- replay results/halma/games/g0001.json
  terminal terminal-replay-duo-othello 96x24 press 60 press Enter until "turn 60 of" until "q quit" -- \
    replay results/duo-othello/games/g0001.json
  terminal terminal-play 96x14 until "turn 16 " until elapsed -- \
    play agents/checkers-python builtin:minimax --game checkers --time 60 --jobs 1 --out results/live
  terminal terminal-explain 96x60 -- explain "$careless"
  terminal terminal-standings 136x60 -- standings results/checkers --ratings
}

screenshot() { # picture size scheme address [selector]
  local picture=$here/$1.png size=$2 scheme=$3 address=$4
  shift 4
  "$photograph_program" "$picture" "$size" "$scheme" "file://$address" "$@"
  if command -v pngquant >/dev/null; then
    pngquant --force --skip-if-larger --output "$picture" 64 "$picture" || true
  fi
}

make_page() {
  local run game
  command -v chromium >/dev/null || { echo "no chromium in PATH: no pictures of the page" >&2; return; }
  for run in checkers halma duo-othello star-circle; do
    "$REFEREE" report "results/$run" --analyze >/dev/null
  done
  game=$(basename "$(game_of checkers-python three-plies)" .json)
  local checkers=$work/results/checkers/report.html
  screenshot page-standings 1200x900 light "$checkers"
  screenshot page-standings-dark 1200x900 dark "$checkers"
  screenshot page-checkers 1200x1130 light "$checkers#game=$game&ply=24"
  screenshot page-halma 1200x1130 dark "$work/results/halma/report.html#game=g0001&ply=40"
  screenshot page-duo-othello 1200x1130 light "$work/results/duo-othello/report.html#game=g0001&ply=60"
  screenshot page-star-circle 1200x1130 dark "$work/results/star-circle/report.html#game=g0001&ply=20"
  screenshot page-phone 390x844 light "$checkers#game=$game&ply=24"
}

if [ "$wanted" != page ]; then make_terminal; fi
if [ "$wanted" != terminal ]; then make_page; fi
ls -l "$here"/*.svg "$here"/*.png 2>/dev/null | awk '{ bytes += $5; print $5, $NF } END { print bytes, "bytes in all" }'
