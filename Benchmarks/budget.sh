#!/usr/bin/env bash
# Counts what a request takes from the heap, and holds it against what the file `budget` allows: a number that a busy
# machine does not change. Programs run twice, with few requests and with more; what they need to start cancels out.
set -euo pipefail
# What fails within $(...) counts, too.
shopt -s inherit_errexit
cd "$(dirname "$0")"
. ./programs.sh

build session-networking scripted-server epoll understudy
counter=$directory/allocations.so
cc -O2 -shared -fPIC -o "$counter" Sources/Allocations/allocations.c

# In front of a program: when it ends, the file `count` tells how often it took something from the heap.
counted=(env "ALLOCATIONS=$directory/count" "LD_PRELOAD=$counter")

# client STYLE REQUESTS
client() { "${counted[@]}" "$(binary session-networking)" "$url" "$1" seq-get "$2" >/dev/null; }

# server - REQUESTS: they come from a client that is not counted.
server() {
    start 0 "${counted[@]}" "$(binary scripted-server)"
    "$(binary epoll)" "$url" raw seq-get "$2" >/dev/null
    stop "$server"
}

# simulator STYLE EXCHANGES
simulator() {
    "${counted[@]}" "$(binary understudy)" run --scenarios "$directory/scenarios" --world simulated --style "$1" --in-process \
        --explore "seeds=1..$(($2 / exchanges))" >/dev/null
}

# difference KIND STYLE: allocations of one request
difference() {
    local few=1000 more=3000 first
    rm -f "$directory/count"
    "$1" "$2" $few
    first=$(cat "$directory/count")
    # A program that crashes leaves none.
    rm "$directory/count"
    "$1" "$2" $more
    awk "BEGIN { printf \"%.1f\", ($(cat "$directory/count") - $first) / ($more - $few) }"
}

write_scenario
start 0 "$(binary scripted-server)"
exceeded=0
while read -r kind style allowed; do
    case $kind in "" | "#"*) continue ;; esac
    found=$(difference "$kind" "$style")
    if awk "BEGIN { exit !($found > $allowed) }"; then
        echo "BROKEN  $kind $style: $found allocations a request, $allowed are allowed"
        exceeded=1
    else
        echo "ok      $kind $style: $found allocations a request of $allowed"
    fi
done <budget
exit $exceeded
