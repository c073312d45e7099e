# For run.sh: what `understudy serve` takes, as a user starts it. $half is the rate that was measured last, halved.

# served SCRIPT WORD...: starts it on core 0, and leaves its URL in $url and its process in $server.
served() {
    local script=$1
    shift
    rm -f "$directory/served.port"
    printf 'routes:\n%s\n' "$script" >"$directory/served.yaml"
    taskset -c 0 "$(binary installed)" serve "$directory/served.yaml" --quiet --port-file "$directory/served.port" "$@" \
        >/dev/null &
    server=$!
    servers+=("$server")
    until [ -s "$directory/served.port" ]; do sleep 0.01; done
    url=http://127.0.0.1:$(cat "$directory/served.port")
}

# Its body is as long as what the peers answer.
plain_route="  - {request: GET /, reply: {body: '$(printf %0100d 0)'}}"
large_route='  - {request: GET /8g, reply: {body: {size: 8GiB, pattern: counter}}}'
# One of ten routes: its path has a capture, its query and a field have to be right, and its answer is made of them.
rules() {
    local number
    for number in 1 2 3 4 5 6 7 8 9; do
        printf '  - {request: GET /others%d, reply: {body: "no"}}\n' "$number"
    done
    cat <<'END'
  - request: GET /users/{id}
    where: {query: {page: 2, size: 10}, headers: {X-Key: abc}}
    reply: {body: '{"id": "$path.id", "page": "$request.query.page"}', headers: {Content-Type: application/json}}
END
}

load_client() { taskset -c "$last" "$(binary load-client)" "$@"; }

resident() { awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"; }

# Half of the requests that it answers in a second.
find_half() {
    half=$(taskset -c "$last" wrk --threads 1 --connections 64 --duration 2s "$url/" \
        | awk '/^Requests\/sec:/ { print int($2 / 2) }')
}

# From the start of the process to its first answer; and what it holds then, with nobody connected.
start_served() {
    local span failed
    if [[ $2 = scripted-server/* ]]; then
        span=$(taskset -c 0 "$(binary scripted-server)" embedded)
        row "$1" "$2" 1 0 "$span / 1e6" 0 0 0 0
        return
    fi
    printf 'routes:\n%s\n' "$plain_route" >"$directory/served.yaml"
    read -r span failed < <(load_client first "$(binary installed)" serve "$directory/served.yaml" --quiet)
    served "$plain_route"
    sleep 0.3
    row "$1" "$2" 1 0 "$span / 1e6" 0 "$(resident "$server")" 0 "$failed"
    stop "$server"
}

# Connections that have asked once and stay.
hold_served() {
    local count=$3 failed before
    served "$plain_route" --limit "connections=$((count + 100))"
    before=$(resident "$server")
    coproc holder { load_client hold "$url/" "$count"; }
    read -r failed <&"${holder[0]}"
    sleep 0.5
    row "$1" "$2" "$count" 0 1 0 "$(resident "$server")" $(($(resident "$server") - before)) "$failed"
    kill "$holder_PID" 2>/dev/null || true
    wait "$holder_PID" 2>/dev/null || true
    stop "$server"
}

# A body that is made while it is sent, beside a file in memory that nginx copies, as whoever makes a body has to, and
# one that it need not copy; once to get warm. A request is a mebibyte.
large_served() {
    local size span used before
    if [[ $2 = nginx/* ]]; then
        start_nginx 0
        if [ "$2" = nginx/read ]; then url=$url/1g-copied; else url=$url/1g; fi
    else
        served "$large_route"
        url=$url/8g
    fi
    before=$(peak "$server")
    [[ $2 != nginx/* ]] || load_client read "$url" >/dev/null
    used=$(cpu "$server")
    read -r size span < <(load_client read "$url")
    row "$1" "$2" $((size >> 20)) "$size" "$span" "($(cpu "$server") - $used)" "$(peak "$server")" $(($(peak "$server") - before)) 0
    stop "$server"
}

# At half of the load that the server itself bears, each request at its time.
paced_served() {
    local count median tail failed
    if [[ $2 = nio-server/* ]]; then start 0 "$(binary nio-server)"; else served "$plain_route"; fi
    find_half
    read -r count median tail failed < <(load_client paced "$url/" "$half" "$3")
    row "$1" "$2" "$count" $((count * 100)) "$3" 0 "$(peak "$server")" 0 "$failed" "$median" "$tail"
    stop "$server"
}

# A million requests when its journal is full already: what they take, and whether the last are answered as the first.
journal_served() {
    local count median tail failed before
    served "$plain_route"
    find_half
    load_client paced "$url/" "$half" $((100000 / half + 1)) >/dev/null
    before=$(resident "$server")
    read -r count median tail failed < <(load_client paced "$url/" "$half" $((200000 / half + 1)))
    row "$1" installed/first "$count" $((count * 100)) 1 0 "$(resident "$server")" 0 "$failed" "$median" "$tail"
    load_client paced "$url/" "$half" $((600000 / half + 1)) >/dev/null
    read -r count median tail failed < <(load_client paced "$url/" "$half" $((200000 / half + 1)))
    row "$1" installed/last "$3" $(($3 * 100)) 1 0 "$(resident "$server")" $(($(resident "$server") - before)) \
        "$failed" "$median" "$tail"
    stop "$server"
}
