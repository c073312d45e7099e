#!/usr/bin/env bash
# Compares our client with FoundationNetworking on one nginx over loopback; `make bench` runs this.
#
#   N=20000 ROUNDS=5 Benchmarks/run.sh
#
# Client and server share one core where taskset exists: waking another core costs more than a request, and varies.
# PIN= (empty) leaves both to the system.
set -euo pipefail
cd "$(dirname "$0")"

n=${N:-10000}
rounds=${ROUNDS:-3}
core=${PIN-0}
pin=()
[ -n "$core" ] && command -v taskset >/dev/null && pin=(taskset -c "$core")
nginx=$(command -v nginx || echo /usr/sbin/nginx)

swift build -c "${CONFIGURATION:-release}"
binaries=$(swift build -c "${CONFIGURATION:-release}" --show-bin-path)

directory=$(mktemp -d)
server=
cleanup() {
    [ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null
    rm -rf "$directory"
}
trap cleanup EXIT

body=$(printf '%0100d' 0)
port=
# A port that is taken makes nginx end at once; then another one.
for attempt in $(seq 20); do
    port=$((20000 + RANDOM % 12000))
    sed "s|DIRECTORY|$directory|g; s|PORT|$port|; s|BODY|$body|" nginx.conf >"$directory/nginx.conf"
    "${pin[@]}" "$nginx" -c "$directory/nginx.conf" -e "$directory/error.log" &
    server=$!
    for wait in $(seq 50); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && kill -0 "$server" 2>/dev/null && break 2
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    kill "$server" 2>/dev/null || true
    server=
done
[ -n "$server" ] || { cat "$directory/error.log" >&2; exit 1; }

# Rounds alternate between the clients, so that a slow minute of the machine hits both.
for round in $(seq "$rounds"); do
    for work in seq-get conc-get; do
        for style in delegate completion async; do
            for client in session-networking foundation-networking; do
                echo "round $round of $rounds: $work $client/$style" >&2
                timeout 300 "${pin[@]}" "$binaries/$client" "http://127.0.0.1:$port/" "$style" "$work" "$n" \
                    >>"$directory/rounds.jsonl"
            done
        done
    done
done
"$binaries/report" "$directory/rounds.jsonl" results.jsonl
