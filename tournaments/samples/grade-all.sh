#!/bin/sh
# Grades the sample submissions by all four assignments: a good one and a bad one each. Takes two minutes on two cores.
# Options go to each `referee grade`: tournaments/samples/grade-all.sh --jobs 2
# The results are in results/samples; rerun the same command to resume.
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${REFEREE:-}" ]; then
  cargo build --release --quiet
  REFEREE=target/release/referee
fi
for assignment in checkers-2021 halma-2019 duo-othello-2024 star-circle-2018; do
  echo "== $assignment"
  "$REFEREE" grade "tournaments/$assignment.toml" --class "tournaments/samples/$assignment" \
    --out "results/samples/$assignment" "$@"
done
