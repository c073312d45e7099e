# For run.sh and budget.sh: a place for what they make, the servers that they start, the exchanges that the simulator plays.

ulimit -n "$(ulimit -Hn)"
directory=$(mktemp -d -p /dev/shm understudy-bench.XXXXXX)
export TMPDIR=$directory
servers=()
cleanup() {
    for server in "${servers[@]}"; do stop "$server"; done
    rm -rf "$directory"
}
trap cleanup EXIT

# build PRODUCT...: what a run needs, and no more.
build() {
    # SwiftPM looks for new files of the package beside this one only when this one has changed.
    touch Package.swift
    for product in "$@"; do swift build --quiet -c release --product "$product"; done
}

# start CORE PROGRAM...: one that prints its URL; leaves it in $url and its process in $server.
start() {
    local at=$1
    shift
    rm -f "$directory/url"
    mkfifo "$directory/url"
    taskset -c "$at" "$@" >"$directory/url" &
    server=$!
    servers+=("$server")
    read -r url <"$directory/url"
}

stop() {
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

# A scenario of 200 exchanges, one after another, for `understudy run --scenarios $directory/scenarios`.
exchanges=200
write_scenario() {
    mkdir -p "$directory/scenarios/bench"
    {
        echo "scenario: bench/exchanges"
        echo "routes: [{request: GET /, reply: {body: hello}}]"
        echo "client:"
        local task
        for task in $(seq $exchanges); do
            printf '  - {task: t%d, request: GET /}\n  - {await: t%d}\n' "$task" "$task"
        done
        echo "expect: {t1: {complete: ok, body: hello}}"
    } >"$directory/scenarios/bench/exchanges.yaml"
}
