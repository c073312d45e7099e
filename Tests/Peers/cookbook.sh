#!/usr/bin/env bash
# Holds `understudy serve --builtin` against httpbin, with the endpoints that both have:
#
#   UNDERSTUDY=.build/release/understudy HTTPBIN=.build/httpbin/bin/python Tests/Peers/cookbook.sh
#
# HTTPBIN is a Python that has httpbin; without one nothing is tried. Everything is on the loopback interface. Exit
# status: 0 the answers are the same, 1 some differ.
set -euo pipefail
cd "$(dirname "$0")/../.."

understudy=${UNDERSTUDY:-.build/release/understudy}
python=${HTTPBIN:-.build/httpbin/bin/python}
if ! "$python" -c 'import httpbin' 2>/dev/null; then
    echo "httpbin is not installed: left out"
    exit 0
fi
directory=$(mktemp -d)
pids=()
cleanup() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$directory"
}
trap cleanup EXIT

"$python" - >"$directory/theirs" 2>"$directory/log" <<'END' &
import werkzeug.serving
from httpbin import app

werkzeug.serving.WSGIRequestHandler.protocol_version = "HTTP/1.1"
server = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
END
pids+=($!)
"$understudy" serve --builtin --quiet >"$directory/ours" &
pids+=($!)
for _ in $(seq 500); do
    if [ -s "$directory/theirs" ] && [ -s "$directory/ours" ]; then break; fi
    sleep 0.02
done
ours=$(sed -n 's/^listening on //p' "$directory/ours")
python3 Tests/Peers/cookbook.py "$(head -1 "$directory/theirs")" "$ours"
