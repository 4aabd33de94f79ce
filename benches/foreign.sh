#!/usr/bin/env bash
# Counts the instructions of the whole program, from file to file on one thread, for clips of other rigs than the target's;
# the most costly pair first. Needs valgrind.
#
#   benches/foreign.sh [CLIP TARGET]...
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=("$@")
[ ${#pairs[@]} -gt 0 ] || pairs=(
    samples/cmu_style/walk.bvh samples/skeletons/hero.toml
    samples/cmu_style/walk.bvh samples/skeletons/game.toml
    samples/lafan_style/walk.bvh samples/skeletons/stocky.toml
    samples/mixamo_style/walk.bvh samples/skeletons/child.toml
    samples/crouch.bvh samples/skeletons/game.toml
)
cargo build --release --locked --quiet
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
echo "| clip | target | instructions a frame |"
echo "|---|---|---|"
for ((i = 0; i < ${#pairs[@]}; i += 2)); do
    clip="${pairs[i]}" target="${pairs[i + 1]}"
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" "${CARGO_TARGET_DIR:-target}/release/retarget" "$clip" \
        --to "$target" -o "$folder/out.bvh" --threads 1 --quiet 2>/dev/null
    frames="$(sed -n 's/^Frames: *//p' "$folder/out.bvh")"
    total="$(sed -n 's/^totals: //p' "$folder/out")"
    echo "| ${clip#samples/} | ${target#samples/skeletons/} | $((total / frames)) |"
done | sort -t'|' -k4 -rn
