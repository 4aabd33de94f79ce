#!/usr/bin/env bash
# Counts the instructions that each stage takes for a frame, which is the same on a busy machine and on an idle one:
# a regression of a few per cent shows.
#
#   benches/instructions.sh [JOINTS]
#
# JOINTS is 31 or 78. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
joints="${1:-31}"
cargo build --release --locked --quiet --example performance
example=target/release/examples/performance
out="$(mktemp)"
trap 'rm -f "$out"' EXIT

echo "| stage | instructions a frame, $joints joints |"
echo "|---|---|"
sed -n 's/.*Stage { name: "\([^"]*\)".*/\1/p' examples/performance/stages.rs | while read -r stage; do
    frames="$(valgrind --tool=callgrind --callgrind-out-file="$out" --collect-atstart=no \
        --toggle-collect='*performance::measured*' "$example" --once "$stage" "$joints" 2>/dev/null)"
    total="$(sed -n 's/^totals: //p' "$out")"
    echo "| $stage | $((total / frames)) |"
done
