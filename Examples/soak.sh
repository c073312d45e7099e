#!/usr/bin/env bash
# Kills the examples at random moments and starts them again, until it has done so often enough: what they finish must be
# what the server has. `make soak` runs it.
#
#   KILLS=200 Examples/soak.sh
set -euo pipefail
cd "$(dirname "$0")"

kills=${KILLS:-200}
directory=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$directory"
}
trap finish EXIT

swift build --quiet -c release
swift build --quiet -c release --package-path .. --product understudy
programs=$(swift build -c release --show-bin-path)
understudy=$(swift build -c release --package-path .. --show-bin-path)/understudy
# Partial files lie there, and go with it.
export TMPDIR=$directory

# serve SCENARIO: sets `url`.
serve() {
    "$understudy" serve "scenarios/$1" --quiet >"$directory/server" 2>&1 &
    server=$!
    local wait
    for wait in $(seq 100); do
        url=$(grep -om1 'http://[0-9.]*:[0-9]*' "$directory/server" || true)
        [ -z "$url" ] || return 0
        sleep 0.1
    done
    cat "$directory/server" >&2
    exit 1
}

# One start, killed after up to 150 ms. True when the program came to its end before.
start() {
    "$@" >"$directory/out" 2>&1 &
    local program=$!
    sleep "0.$(printf '%03d' $((RANDOM % 150)))"
    if kill -9 "$program" 2>/dev/null; then
        wait "$program" 2>/dev/null || true
        killed=$((killed + 1))
        return 1
    fi
    wait "$program" || { cat "$directory/out" >&2; echo "ended by itself with an error" >&2; exit 1; }
}

# What a program has left behind is for its user alone.
secret() {
    [ ! -e "$1" ] || [ "$(stat -c %a "$1")" = 600 ] || { echo "others may read $1" >&2; exit 1; }
}

soak_download() {
    local killed=0 finished=0 file=$directory/file
    serve large-file.yaml
    curl -sf "$url/file" -o "$directory/right"
    while [ "$killed" -lt "$kills" ]; do
        start "$programs/resumable-download" "$url/file" "$file" || { secret "$file.resume"; continue; }
        cmp "$directory/right" "$file"
        rm "$file"
        finished=$((finished + 1))
    done
    # What is under way comes to its end.
    "$programs/resumable-download" "$url/file" "$file"
    cmp "$directory/right" "$file"
    kill "$server"
    server=
    echo "resumable-download: killed $killed times, finished $((finished + 1)) files, all right"
}

soak_upload() {
    local killed=0 finished=0 state=$directory/state film=$directory/film
    # What the server gives back has come in slices, whole, each compared with what it must be.
    right() {
        [ ! -e "$state" ]
        curl -sf "$url/uploads/$finished" | cmp - "$film"
        finished=$((finished + 1))
    }
    serve uploads.yaml
    curl -sf "$url/film" -o "$film"
    while [ "$killed" -lt "$kills" ]; do
        start "$programs/sliced-upload" "$film" "$url/uploads/$finished" "$state" || continue
        right
    done
    "$programs/sliced-upload" "$film" "$url/uploads/$finished" "$state" >"$directory/out"
    right
    kill "$server"
    server=
    echo "sliced-upload: killed $killed times, finished $finished uploads, all right"
}

soak_download
soak_upload
