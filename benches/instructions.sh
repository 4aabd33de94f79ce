#!/usr/bin/env bash
# Counts the instructions that each stage takes for a frame, which is the same on a busy machine and on an idle one,
# and holds them to the table in docs/results/performance.md: fails where a stage takes 5 % more than is written there.
#
#   benches/instructions.sh [JOINTS]
#
# JOINTS is 31 or 78. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
joints="${1:-31}"
column=$([ "$joints" = 78 ] && echo 3 || echo 2)
# The names of functions say where counting begins; a release has none.
export CARGO_PROFILE_RELEASE_STRIP=none
cargo build --release --locked --quiet --example performance
example="${CARGO_TARGET_DIR:-target}/release/examples/performance"
out="$(mktemp)"
trap 'rm -f "$out"' EXIT

# The number of a stage in the document's table of instructions, the last one that names it.
written() {
    awk -F' *[|] *' -v stage="$1" -v column="$((column))" '$2 == stage { n = $(column + 1) } END { print n }' \
        docs/results/performance.md
}

failed=0
echo "| stage | instructions a frame, $joints joints | written | ratio |"
echo "|---|---|---|---|"
for stage in $(sed -n 's/.*Stage { name: "\([^"]*\)".*/\1/p' examples/performance/stages.rs); do
    frames="$(valgrind --tool=callgrind --callgrind-out-file="$out" --collect-atstart=no \
        --toggle-collect='*performance::measured*' "$example" --once "$stage" "$joints" 2>/dev/null)"
    total="$(sed -n 's/^totals: //p' "$out")"
    count=$((total / frames))
    if [ "$count" -eq 0 ]; then
        echo "nothing was counted of $stage: the function in which it is measured was not found" >&2
        exit 1
    fi
    before="$(written "$stage")"
    echo "| $stage | $count | ${before:-none} | $(awk "BEGIN { printf \"%.3f\", $count / ${before:-$count} }") |"
    if [ -z "$before" ] || [ $((count * 100)) -gt $((before * 105)) ]; then
        failed=1
        echo "$stage takes more than is written, or is not written at all" >&2
    fi
done
exit $failed
