#!/bin/sh
# Every figure of benches/README.md, in one go: about half an hour on a quiet machine. Of the games of alpha-beta only a part
# is played; all of them take a day (benches/sparring.sh).
#
#     benches/all.sh
#
# Needs python3 and jq, and valgrind for the counts of instructions.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked
referee=$PWD/target/release/referee

echo "== move generation beside a peer"
(cd benches/peers && cargo run --release --locked)

echo "== instructions of the hot paths"
CARGO_INCREMENTAL=0 cargo test --locked --release -p referee-matches --test instructions -- --ignored

echo "== one move through a seat"
cargo bench --locked --bench seat

echo "== starting an agent, and what the reference costs a grading"
benches/start.py "$referee"

echo "== the referee's own time and memory over many moves"
benches/moves.py "$referee"

echo "== reading large runs back"
benches/scale.py "$referee"

echo "== standings and ratings of 100,000 games"
cargo bench --locked --bench standings

echo "== a ladder of 500,000 games"
cargo bench --locked --bench ladder

echo "== pages of 2,000 games"
cargo bench --locked --bench report

echo "== letting others look on"
cargo bench --locked --bench live

echo "== the runner of a competition"
benches/competition.sh "$referee"

echo "== games side by side: utilisation, in three languages"
benches/jobs.py "$referee"
benches/libraries.py "$referee"

echo "== alpha-beta against minimax"
benches/sparring.sh "$referee" 20 5
