#!/usr/bin/env bash
# A library of thousands of clips: how fast it is carried over on one thread and on two, in how much memory, and
# whether runs that were killed, resumed or split end in the same bytes.
#
#   benches/library.sh [CLIPS [COUNT [PAIRS]]]
#
# CLIPS is a folder of BVH files, copied under other names until there are COUNT of them. Needs GNU time and
# about five times the room that the copies take, in TMPDIR.
set -euo pipefail
cd "$(dirname "$0")/.."
clips="$(realpath "${1:-../shared/mocap}")" count="${2:-5000}" pairs="${3:-3}"
target="$PWD/samples/skeletons/hero.toml"
retarget="${RETARGET:-$PWD/target/release/retarget}"
[ -x "$retarget" ] || cargo build --release --locked

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

# Each copy of the folder goes below a folder of its own; the last one is cut short.
made=0
for ((copy = 1; made < count; copy++)); do
    to="$work/lib/$(printf %04d "$copy")"
    mkdir -p "$to"
    (cd "$clips" && find . -name '*.bvh' | LC_ALL=C sort | sed -n "1,$((count - made))p" |
        xargs -d '\n' cp --parents -t "$to")
    made="$(find lib -name '*.bvh' | wc -l)"
done
echo "$made clips, $(du -sm lib | cut -f1) MB"

# Some of the clips are meant to fail, so that an exit code of 1 is right.
carry() { # OUT ARGS...
    local out="$1" code=0
    shift
    command time -f '%e %M %U' -o "$out.time" \
        "$retarget" lib --to "$target" -o "$out" --json "$@" >"$out.json" 2>/dev/null || code=$?
    [ "$code" = 0 ] || [ "$code" = 1 ] || { echo "$out ended with $code"; exit 1; }
}
field() { grep -oE "\"$2\": *[0-9.]+" "$1.json" | grep -oE '[0-9.]+$'; }
tell() { # OUT WHAT
    local seconds memory user
    read -r seconds memory user < <(tail -n 1 "$1.time")
    awk -v what="$2" -v clips="$(field "$1" clips)" -v frames="$(field "$1" frames)" -v s="$seconds" \
        -v m="$memory" -v u="$user" 'BEGIN { printf "%-12s %7.1f s by the clock, %7.1f s of work, ", what, s, u
            printf "%6.1f clips/s, %7.0f frames/s, %4.0f MB at most\n", clips / s, frames / s, m / 1024 }'
}
# All results and all lines of journals but for the clock's field, as one hash.
bytes() {
    (cd "$1" && {
        find . -type f ! -name '*.jsonl' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
        cat ./*.jsonl | sed 's/,"took_s":[^,}]*//' | LC_ALL=C sort
    }) | sha256sum
}
same() { # OUT WHAT
    [ "$(bytes "$1")" = "$wanted" ] || { echo "$2 ends in other bytes"; exit 1; }
    echo "$2 ends in the same bytes"
    rm -rf "$1"
}

for ((pair = 1; pair <= pairs; pair++)); do
    for jobs in 1 2; do
        rm -rf "out$jobs"
        carry "out$jobs" --jobs "$jobs"
        tell "out$jobs" "$jobs thread(s)"
    done
    awk '{ s[NR] = $1 } END { printf "speed-up     %7.2f\n", s[1] / s[2] }' \
        <(tail -n 1 out1.time) <(tail -n 1 out2.time)
done
wanted="$(bytes out1)"
same out2 "a run on two threads"
carry out1 --resume
tell out1 "nothing new"
same out1 "a resumed run with nothing to do"

for share in 0.1 0.4 0.2; do
    "$retarget" lib --to "$target" -o killed --resume --quiet 2>/dev/null &
    sleep "$(tail -n 1 out2.time | awk -v share="$share" '{ print $1 * share }')"
    kill -9 $! 2>/dev/null || echo "too late to kill"
    wait $! 2>/dev/null || true
    echo "killed with $(wc -l <killed/retarget-run.jsonl) lines in the journal"
done
carry killed --resume
same killed "a run that was killed three times"
for shard in 3/4 1/4 4/4 2/4; do
    carry sharded --shard "$shard"
done
"$retarget" report sharded | head -n 3
same sharded "a run in four parts"
