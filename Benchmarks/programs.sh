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

# package PROGRAM: the folder of its package. The peers' programs have one of their own.
package() {
    case $1 in
        session-networking | scripted-server | epoll | understudy) echo .. ;;
        *) echo . ;;
    esac
}

# build PROGRAM...: what a run needs, and no more.
build() {
    for program in "$@"; do
        if [ "$program" = installed ]; then
            make --silent --directory=.. command >&2
            continue
        fi
        swift build --quiet -c release --package-path "$(package "$program")" --product "$program"
    done
}

# binary PROGRAM: where `build` leaves it. `installed` is the command as `make install` builds it.
binary() {
    if [ "$1" = installed ]; then
        echo ../.build/static/release/understudy
        return
    fi
    echo "$(package "$1")/.build/release/$1"
}

# start CORE PROGRAM...: one that prints its URL; leaves it in $url, a proxy's port behind it in $proxy, and its process
# in $server.
start() {
    local at=$1
    shift
    rm -f "$directory/url"
    mkfifo "$directory/url"
    taskset -c "$at" "$@" >"$directory/url" &
    server=$!
    servers+=("$server")
    read -r url proxy <"$directory/url"
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
        echo "expect:"
        for task in $(seq $exchanges); do echo "  t$task: {complete: ok, body: hello}"; done
    } >"$directory/scenarios/bench/exchanges.yaml"
}
