#!/usr/bin/env bash
# Is all that the package needs in what `docker build` is given? Copies the tree without what Dockerfile.dockerignore
# leaves out, and lets SwiftPM read the package there; nothing is built.
#
# Exit status: 0 it is well, 1 it is not.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# For tar: a pattern with `**/` is for every folder, others begin at the root.
mkdir "$scratch/tree"
sed '/^#/d; /^$/d; s|^\*\*/|*/|; t; s|^|./|' Examples/Packaging/Dockerfile.dockerignore >"$scratch/left-out"
tar --create --anchored --wildcards --exclude-from "$scratch/left-out" --file - . | tar --extract --file - -C "$scratch/tree"

# All that `make install` would run is there, and so is every target.
if (cd "$scratch/tree" && make --dry-run install && test -d scenarios && test -x .ci/setup &&
    test -x .ci/command && swift package describe) >"$scratch/said" 2>&1; then
    echo "Dockerfile: ok"
else
    echo "Dockerfile: NOT OK" && cat "$scratch/said"
    exit 1
fi
