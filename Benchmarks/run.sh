#!/usr/bin/env bash
# Measures our client and our server beside their peers, and writes what the best round gave:
#
#   ONLY='conc-get server' ROUNDS=5 Benchmarks/run.sh RESULTS
#
# `make bench`, `make bench-check` and `make soak` run this. Everything stays on the loopback interface; the bodies of a
# gibibyte lie in memory. Rounds alternate between the programs, so that a slow minute of the machine hits all.
set -euo pipefail
cd "$(dirname "$0")"

results=${1:?"usage: run.sh RESULTS"}
only=${ONLY:-seq-get conc-get body-1g bytes-300m file-1g upload-256m multipart-1g burst-2000 cold-start server simulator
    server-varied server-rules served-start served-idle served-8g served-latency served-journal
    tls-get tls-connect tls-resume tls-1g tls-burst tls-server jar-get
    digest-get tunnel-get cached-get kept-get kept-1m storing-get}
rounds=${ROUNDS:-3}
case $results in /*) ;; *) results=$OLDPWD/$results ;; esac

# work, how many requests, then program/style
cases() {
    cat <<'END'
seq-get 10000 session-networking/delegate session-networking/completion session-networking/async
seq-get 2000 foundation-networking/delegate foundation-networking/completion foundation-networking/async
seq-get 10000 async-http-client/async libcurl/easy epoll/raw
conc-get 20000 session-networking/delegate session-networking/completion session-networking/async
conc-get 4000 foundation-networking/delegate foundation-networking/completion foundation-networking/async
conc-get 20000 async-http-client/async libcurl/multi epoll/raw
body-1g 1 session-networking/delegate foundation-networking/delegate async-http-client/delegate
body-1g 1 libcurl/easy epoll/raw
bytes-300m 1 session-networking/bytes async-http-client/buffers
file-1g 1 session-networking/download foundation-networking/download async-http-client/download libcurl/file
multipart-1g 2 session-networking/upload session-networking/multipart
upload-256m 4 session-networking/upload foundation-networking/upload libcurl/upload epoll/sendfile
burst-2000 2000 session-networking/delegate session-networking/completion session-networking/async
burst-2000 2000 foundation-networking/delegate foundation-networking/completion foundation-networking/async
burst-2000 2000 async-http-client/async libcurl/multi epoll/raw
cold-start 1 session-networking/completion foundation-networking/completion async-http-client/async
cold-start 1 libcurl/easy epoll/raw
tls-get 10000 session-networking/delegate session-networking/completion session-networking/async
tls-get 2000 foundation-networking/delegate async-http-client/async
tls-get 10000 libcurl/easy
tls-connect 1000 session-networking/delegate session-networking/completion session-networking/async
tls-connect 50 foundation-networking/delegate
tls-connect 500 async-http-client/async
tls-connect 1000 libcurl/easy
tls-resume 1000 session-networking/delegate session-networking/completion session-networking/async libcurl/easy
tls-1g 1 session-networking/delegate foundation-networking/delegate async-http-client/delegate libcurl/easy
tls-burst 500 session-networking/delegate session-networking/completion session-networking/async libcurl/multi
tls-server 4 scripted-server/wrk nginx/wrk
jar-get 10000 session-networking/no-jar session-networking/delegate session-networking/jar
digest-get 10000 session-networking/delegate session-networking/digest libcurl/easy libcurl/digest
tunnel-get 10000 session-networking/delegate session-networking/tunnel
cached-get 10000 session-networking/delegate session-networking/cached
kept-get 10000 session-networking/delegate session-networking/memory
kept-1m 1000 session-networking/disk session-networking/file
storing-get 20000 session-networking/quiet session-networking/storing
soak-requests 1000000 session-networking/delegate session-networking/completion session-networking/async
soak-connections 100000 session-networking/delegate session-networking/completion session-networking/async
soak-file 1 session-networking/download
soak-upload 1 session-networking/upload session-networking/multipart session-networking/stream session-networking/sliced
server 4 installed/wrk scripted-server/wrk nio-server/wrk nginx/wrk
server-varied 4 installed/wrk nio-server/wrk
server-rules 4 installed/wrk nio-server/wrk
served-start 1 installed/process scripted-server/embedded
served-idle 10000 installed/hold
served-8g 1 installed/read nginx/read nginx/sendfile
served-latency 5 installed/paced nio-server/paced
served-journal 1000000 installed/last
simulator 400 understudy/delegate understudy/completion understudy/async
END
}

wants() { [[ " $only " == *" $1 "* ]]; }

for work in $only; do
    cases | grep -q "^$work " || { echo "no such work: $work" >&2; exit 2; }
done

# --- Programs

. ./programs.sh
. ./served.sh

nginx=$(command -v nginx || echo /usr/sbin/nginx)
# The products among the wanted works' programs
products() {
    local work count programs
    while read -r work count programs; do
        if wants "$work"; then printf '%s\n' $programs; fi
    done < <(cases) | sed 's|/.*||' | grep -vx nginx | sort -u
}
build report $(products)
if wants burst-2000; then build slow-server; fi
if [[ $only = *served-* ]]; then build load-client; fi
if wants multipart-1g || wants soak-upload; then build discard-server; fi
if wants digest-get || wants tunnel-get; then build scripted-server; fi

resolved() { sed -n "/\"identity\" : \"$1\"/,/\"version\"/s/.*\"version\" : \"\(.*\)\".*/\1/p" Package.resolved; }

version() {
    case $1 in
        foundation-networking) swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' ;;
        async-http-client) resolved async-http-client ;;
        nio-server) resolved swift-nio ;;
        libcurl) pkg-config --modversion libcurl ;;
        nginx) "$nginx" -v 2>&1 | sed 's|.*/||' ;;
        epoll) uname -r ;;
        *) git describe --always --dirty 2>/dev/null ;;
    esac
}

declare -A versions
for program in $(cases | grep -o '[a-z-]*/' | sort -u); do
    versions[${program%/}]=$(version "${program%/}")
done

# --- Servers: the system chooses their ports; the second core is theirs but for seq-get

last=$(($(nproc) - 1))

# nginx cannot choose a port by itself; one that is taken ends it at once.
start_nginx() {
    local at=$1 port wait
    body=$(printf '%0100d' 0)
    for _ in $(seq 20); do
        port=$((20000 + RANDOM % 12000))
        for file in nginx locations; do
            sed "s|DIRECTORY|$directory|g; s|PORT|$port|; s|SECOND|$((port + 1))|; s|THIRD|$((port + 2))|; s|BODY|$body|" \
                $file.conf >"$directory/$file.conf"
        done
        taskset -c "$at" "$nginx" -c "$directory/nginx.conf" -e "$directory/error.log" &
        server=$!
        for wait in $(seq 50); do
            if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && kill -0 "$server" 2>/dev/null; then
                servers+=("$server")
                url=http://127.0.0.1:$port secure=https://127.0.0.1:$((port + 1)) unresumed=https://127.0.0.1:$((port + 2))
                return
            fi
            kill -0 "$server" 2>/dev/null || break
            sleep 0.1
        done
    done
    cat "$directory/error.log" >&2
    exit 1
}

# --- Works

# cpu PROCESS: what it has used, in seconds.
cpu() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) / tick }' "/proc/$1/stat"; }

peak() { awk '/^VmHWM:/ { print $2 }' "/proc/$1/status"; }

# row WORK CLIENT REQUESTS BYTES WALL CPU PEAK GROWN FAILED [MEDIAN P99, of the time of an answer, in us]
row() {
    printf '{"work":"%s","client":"%s","version":"%s","n":%d,"bytes":%d,"wall_s":%s,"cpu_us_per_request":%s,' \
        "$1" "$2" "${versions[${2%/*}]}" "$3" "$4" "$(awk "BEGIN { print $5 }")" "$(awk "BEGIN { print $6 * 1e6 / $3 }")"
    if [ $# -gt 9 ]; then printf '"p50_us":%d,"p99_us":%d,' "${10}" "${11}"; fi
    printf '"maxrss_kb":%d,"grown_kb":%d,"failed":%d}\n' "$7" "$8" "$9"
}

# A client against nginx, or against the server that its work has; it prints its row itself.
load() {
    local work=$1 program=${2%/*} style=${2#*/} count=$3 base=$fast pin=()
    case $work in
        burst-2000) base=$slow ;;
        upload-256m) UPLOAD=$directory/256m ;;
        multipart-1g) base=$discarding UPLOAD=$directory/1g ;;
        soak-upload) base=$discarding UPLOAD=$directory/10g ;;
        tls-connect) base=$unresumed ;;
        digest-get)
            base=$plain
            if [ "$style" = digest ]; then base=${asking/:\/\//:\/\/ann:secret@}; fi
            ;;
        tunnel-get) base=$tunnelled ;;
        tls-*) base=$secure ;;
    esac
    if [[ $work = tls-* || $work = tunnel-get ]]; then export SSL_CERT_FILE=$directory/certs/authority.pem; else unset SSL_CERT_FILE; fi
    # From there to 10 GiB memory is not to grow.
    if [ "$work" = soak-upload ]; then export FIRST_UPLOAD=$directory/100m; else unset FIRST_UPLOAD; fi
    case $work in
        seq-get | jar-get | tls-get | cached-get | kept-get)
            pin=(taskset -c 0)
            taskset -acp 0 "$fast_server" >/dev/null
            ;;
        *) taskset -acp "$last" "$fast_server" >/dev/null ;;
    esac
    # It trusts one file only, whose name is fixed: in a name space of its own that file is ours.
    if [[ -n ${SSL_CERT_FILE-} && $program = foundation-networking ]]; then
        pin=(unshare --mount sh -c "mount --bind $SSL_CERT_FILE /etc/ssl/certs/ca-certificates.crt && exec \"\$@\"" - \
            "${pin[@]}")
    fi
    VERSION=${versions[$program]} STARTED=$EPOCHREALTIME \
        timeout 600 "${pin[@]}" "$(binary "$program")" "$base" "$style" "$work" "$count"
}

# A server under wrk for so many seconds.
serve() {
    local program=${2%/*} seconds=$3 used before grown
    case $1/$program in
        server/nginx) start_nginx 0 ;;
        tls-server/nginx)
            start_nginx 0
            url=$secure
            ;;
        tls-server/*) start 0 "$(binary "$program")" tls ;;
        server-rules/installed) served "$(rules)" ;;
        server/installed | server-varied/installed) served "$plain_route" ;;
        *) start 0 "$(binary "$program")" ;;
    esac
    local wrk=(taskset -c "$last" wrk --threads 1 --connections 64) path=/
    if [ "$1" = server-rules ]; then
        wrk+=(--header 'X-Key: abc')
        path='/users/7?page=2&size=10'
    fi
    if [ "$1" = server-varied ]; then wrk+=(--script varied.lua); fi
    "${wrk[@]}" --duration 1s "$url$path" >/dev/null
    used=$(cpu "$server")
    before=$(peak "$server")
    "${wrk[@]}" --duration "${seconds}s" "$url$path" >"$directory/wrk"
    used=$(awk "BEGIN { print $(cpu "$server") - $used }")
    grown=$(($(peak "$server") - before))
    local requests wall failed
    requests=$(awk '/requests in/ { print $1 }' "$directory/wrk")
    wall=$(awk -v n="$requests" '/^Requests\/sec:/ { print n / $2 }' "$directory/wrk")
    failed=$(awk '/Non-2xx/ { n += $NF } /Socket errors/ { gsub(",", ""); n += $4 + $6 + $8 + $10 }
        END { print n + 0 }' "$directory/wrk")
    row "$1" "$2" "$requests" $((requests * 100)) "$wall" "$used" "$(peak "$server")" "$grown" "$failed"
    stop "$server"
}

# 200 exchanges one after another, under so many seeds, as a user explores: harness, parsing and judging included, with
# a worker for each core.
simulate() {
    local style=${2#*/} seeds=$3
    write_scenario
    local failed=0 wall user system n=$((seeds * exchanges)) TIMEFORMAT='%R %U %S'
    {
        time "$(binary understudy)" run --scenarios "$directory/scenarios" --world simulated --style "$style" \
            --explore "seeds=1..$seeds" >"$directory/simulated" 2>&1 || failed=$seeds
    } 2>"$directory/time"
    read -r wall user system <"$directory/time"
    row "$1" "$2" $n $((n * 5)) "$wall" "($user + $system)" 0 0 "$failed"
}

cp -r ../certs "$directory/certs"
case " $only " in
    *tls-* | *-get\ * | *-1g\ * | *-300m\ * | *-1m\ * | *-256m\ * | *cold* | *soak* | *served-8g*)
        mkdir "$directory/kept"
        export KEPT=$directory/kept
        truncate -s 1M "$directory/1m"
        truncate -s 1G "$directory/1g"
        truncate -s 300M "$directory/300m"
        truncate -s 10G "$directory/10g"
        truncate -s 256M "$directory/256m"
        truncate -s 100M "$directory/100m"
        export UPLOAD=
        start_nginx "$last"
        fast=$url fast_server=$server
        ;;
esac
if wants burst-2000; then
    start "$last" "$(binary slow-server)"
    slow=$url
fi
if wants multipart-1g || wants soak-upload; then
    start "$last" "$(binary discard-server)"
    discarding=$url
fi
if wants digest-get; then
    start "$last" "$(binary scripted-server)"
    plain=$url
    start "$last" "$(binary scripted-server)" digest
    asking=$url
fi
if wants tunnel-get; then
    start "$last" "$(binary scripted-server)" tunnel
    tunnelled=$url
    export PROXY=$proxy
fi

# A work of less than a second is too short for five rounds to meet a quiet moment of the machine.
turns() {
    case $1 in
        seq-get | jar-get | cached-get | kept-get | digest-get | tunnel-get | tls-get | tls-1g | body-1g | multipart-1g) echo 3 ;;
        *) echo 1 ;;
    esac
}

measure() {
    case $1 in
        server | server-varied | tls-server | server-rules) serve "$@" ;;
        served-start) start_served "$@" ;;
        served-idle) hold_served "$@" ;;
        served-8g) large_served "$@" ;;
        served-latency) paced_served "$@" ;;
        served-journal) journal_served "$@" ;;
        simulator) simulate "$@" ;;
        *) load "$@" ;;
    esac
}

for round in $(seq "$rounds"); do
    for work in $only; do
        for turn in $(seq "$(turns "$work")"); do
            echo "round $round of $rounds: $work" >&2
            while read -r _ count programs; do
                for program in $programs; do
                    measure "$work" "$program" "$count" </dev/null >>"$directory/rounds.jsonl"
                done
            done < <(cases | grep "^$work ")
        done
    done
done
"$(binary report)" best "$directory/rounds.jsonl" "$results"
