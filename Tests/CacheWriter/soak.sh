#!/usr/bin/env bash
# Kills processes that store answers, lets two store beside each other, and looks whether a byte is wrong; measures a
# start with 100,000 entries, and what storing as many into 50 MB takes in memory. `make soak` runs it.
#
#   KILLS=10000 SECONDS_TOGETHER=3600 Tests/CacheWriter/soak.sh .build/release/cache-writer
set -euo pipefail
program=$1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
"$program" kills "$directory/kills" "${KILLS:-10000}"
"$program" together "$directory/together" "${SECONDS_TOGETHER:-60}"
"$program" index "$directory/index" "${ENTRIES:-100000}"
"$program" flat "$directory/flat" "${ENTRIES:-100000}"
