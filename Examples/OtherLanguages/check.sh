#!/usr/bin/env bash
# Runs the tests of this folder with what is installed of Python, Node and Java; names what is not.
#
#   UNDERSTUDY=.build/release/understudy Examples/OtherLanguages/check.sh
#
# Debian has what they need in: python3-pytest nodejs junit5 openjdk-17-jdk-headless
# Exit status: 0 all that was run is well, 1 something is not.
set -uo pipefail
UNDERSTUDY=$(realpath "${UNDERSTUDY:-.build/release/understudy}") || exit 1
export UNDERSTUDY
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1
failed=0

# run WHAT NEEDED COMMAND...: if `NEEDED` says that all it needs is there.
run() {
    if ! eval "$2" >/dev/null 2>&1; then
        echo "$1: not installed"
    elif timeout 120 "${@:3}" >"$scratch/said" 2>&1; then
        echo "$1: ok"
    else
        echo "$1: NOT OK" && cat "$scratch/said"
        failed=1
    fi
}

jars=/usr/share/java
needed=(junit-jupiter-api junit-jupiter-engine junit-platform-commons junit-platform-engine junit-platform-launcher
    junit-platform-console junit-platform-reporting opentest4j apiguardian-api picocli)
path=$scratch$(printf ":$jars/%s.jar" "${needed[@]}")
junit() {
    javac -d "$scratch" -cp "$path" java/*.java &&
        java -cp "$path" org.junit.platform.console.ConsoleLauncher --select-class RetryTest --disable-banner
}
export -f junit
export path scratch

# What README shows: a client that should have asked again.
mkdir "$scratch/readme"
cp python/understudy.py "$scratch/readme"
echo "from understudy import *" >"$scratch/readme/conftest.py"
awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' ../../README.md >"$scratch/readme/test_order.py"
fails() {
    python3 -m pytest -q -p no:cacheprovider "$scratch/readme" >"$scratch/told"
    [ $? = 1 ] && grep -q '^NOT fulfilled, 1 request:$' "$scratch/told" && grep -q '^1 failed in' "$scratch/told" ||
        { cat "$scratch/told" && false; }
}
export -f fails

run "Python, pytest" "python3 -m pytest --version" python3 -m pytest -q -p no:cacheprovider python
run "Python, the test that README shows" "python3 -m pytest --version" bash -c fails
run "Node, node:test" "node --test --help" node --test node
run "Java, JUnit 5" "type javac && ls $jars/junit-platform-console.jar" bash -c junit
exit $failed
