# For tls.sh: its table, the servers that it starts, the works of our client, and the questions of their clients.

directory=$(mktemp -d)
certs=$directory/certs
failed=0 launched=0 turn=0
servers=() kept=()
conf='' log=/dev/null line='%-10s  %-17s  %-8s  %-66s  %s\n'

# Ends the servers but those that stay. One that has crashed is a failure of its own.
stop() {
    local one status
    for one in "${servers[@]}"; do
        kill "$one" 2>/dev/null || true
        status=0
        wait "$one" 2>/dev/null || status=$?
        case $status in 13[1-9]) row "a server ended with status $status" false ;; esac
    done
    servers=()
}
# The server that was launched last shall stay.
keep() { kept+=("${servers[@]}") servers=(); }
end() { keep && servers=("${kept[@]}") kept=() && stop; }
trap 'end; rm -rf "$directory"' EXIT

# with SIDE PEER PROGRAM [FILE]: whether the peer of the following rows is installed, and its version.
with() {
    local file flag=--version
    side=$1 peer=$2 version=-
    file=$(type -P "$3") || true
    if [[ -z $file || ! -e ${4:-$file} ]]; then
        printf "$line" "$side" "$peer" "$version" "" "not installed"
        return 1
    fi
    case $3 in nginx | haproxy | lighttpd) flag=-v ;; openssl) flag=version ;; esac
    # Not a pipe, whose early end some programs take for an error.
    [[ $("$file" $flag 2>&1) =~ [0-9]+(\.[0-9]+)+ ]] && version=${BASH_REMATCH[0]}
}

# row WHAT COMMAND...: does it, and prints a line of the table; if it fails, also what it and the last server said.
row() {
    local result=ok
    if ! "${@:2}" >said 2>&1; then result="NOT OK" failed=1; fi
    printf "$line" "$side" "$peer" "$version" "$1" "$result"
    [ "$result" = ok ] || tail -qn 8 said "$log" | sed 's/^/    | /'
}

# --- Servers

# From /proc, because a connection that only tries would be a failed handshake for the server.
listens() { grep -qsE ":$(printf %04X "$1") [0-9A-F]+:0000 0A" /proc/net/tcp /proc/net/tcp6; }

# launch PROGRAM...: starts a server in place of the last, with a free port for PORT in its words and in $conf, which
# becomes the file server.conf. Leaves $port, $url, and the $log of what it prints. Not every server can choose a port
# by itself, so all are given one, below those that outgoing connections get.
launch() {
    local attempt
    stop
    for attempt in $(seq 20); do
        port=$((20000 + RANDOM % 12000)) log=$directory/log.$((++launched))
        if listens $port; then continue; fi
        printf '%s\n' "${conf//PORT/$port}" >server.conf
        "${@//PORT/$port}" </dev/null >>"$log" 2>&1 &
        servers+=($!)
        url=https://127.0.0.1:$port
        until listens $port; do
            kill -0 $! 2>/dev/null || continue 2
            sleep 0.02
        done
        return
    done
    row "it starts" false
    exit 1
}

# at_nginx DIRECTIVES [PRESET [LISTEN]]
at_nginx() {
    rm -f plain
    conf="daemon off; master_process off; pid pid; error_log stderr info; events { worker_connections 1024; }
        http {
            log_format brief '\$ssl_protocol \$ssl_session_reused \$connection \$request_length';
            access_log /dev/stdout brief; client_max_body_size 0;
            client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp; uwsgi_temp_path temp;
            scgi_temp_path temp; ssl_certificate $certs/${2:-valid}.pem; ssl_certificate_key $certs/${2:-valid}.key;
            server { listen unix:$directory/plain; access_log off; location / { return 200 $body; } }
            server {
                listen 127.0.0.1:PORT ssl ${3-}; $1
                location = / { return 200 $body; }
                location = /close { keepalive_timeout 0; return 200 $body; }
                location = /300m { alias $directory/www/300m; }
                # This reads what comes; return alone would not.
                location = /in { proxy_pass http://unix:$directory/plain; proxy_method GET; }
            }
        }"
    launch "$(type -P nginx)" -p "$directory" -c server.conf -e stderr
}

# at_haproxy BIND SERVER: it hands on to that server.
at_haproxy() {
    conf="global
    log stdout format raw local0
    # Each thread would have sessions of its own with the server behind it.
    nbthread 1
defaults
    retries 0
    mode http
    log global
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend front
    bind 127.0.0.1:PORT ssl $1
    log-format \"%sslv %[ssl_fc_is_resumed,iif(r,.)], behind it %[ssl_bc_protocol] %[ssl_bc_is_resumed,iif(r,.)]\"
    default_backend back
backend back
    http-response set-header Connection close if { capture.req.uri /close }
    server back $2"
    launch "$(type -P haproxy)" -db -f server.conf
}

# at_lighttpd MODULE VERSION
at_lighttpd() {
    conf="server.modules = (\"mod_$1\")
server.bind = \"127.0.0.1\"
server.port = PORT
server.document-root = \"$directory/www\"
index-file.names = (\"body\")
\$HTTP[\"url\"] == \"/close\" { server.max-keep-alive-requests = 0 }
ssl.engine = \"enable\"
ssl.pemfile = \"$certs/valid.pem\"
ssl.privkey = \"$certs/valid.key\"
ssl.openssl.ssl-conf-cmd = (\"MinProtocol\" => \"TLSv$2\", \"MaxProtocol\" => \"TLSv$2\")"
    launch "$(type -P lighttpd)" -D -f server.conf
}

# at_s_server PRESET OPTION...: with files of www as answers.
at_s_server() {
    launch env -C www openssl s_server -accept 127.0.0.1:PORT -cert "$certs/$1.pem" -key "$certs/$1.key" \
        -cert_chain "$certs/intermediate.pem" "${@:2}"
}

# at_gnutls PRESET VERSION [OPTION...]: it listens at all addresses, for it cannot be told one.
at_gnutls() {
    launch gnutls-serv --http --httpdata www/body --port PORT --priority "NORMAL:-VERS-ALL:+VERS-TLS$2" \
        --x509certfile "$certs/$1.pem" --x509keyfile "$certs/$1.key" "${@:3}"
}

# ours_at NAME [TLS [OPTION...]]: our server, whose host has this map under tls, or speaks in clear. It stays.
declare -A at
ours_at() {
    conf="hosts: [{name: a.test${2:+, tls: }${2-}}]
bodies: {small: '$body', film: {file: film}, large: {pattern: counter, size: 300MiB}}
routes:
  - {request: GET /, reply: {body: small}}
  - {request: GET /close, reply: {headers: {Connection: close}, body: small}}
  - {request: GET /film, reply: {body: film}}
  - {request: GET /300m, reply: {body: large}}
  - {request: PUT /in, where: {body: film}, reply: {body: small}}"
    launch "$understudy" serve server.conf --port PORT "${@:3}"
    keep
    at[$1]=127.0.0.1:$port
}

# --- Our client

# ours WORK COUNT FAILURES [PATH]: it asks the server, in another style each time. It adds / to what it is given; behind
# # that is a fragment, which is not sent.
ours() {
    local styles=(delegate completion async) style
    style=${styles[$((turn++ % 3))]}
    [ "$1" != upload-256m ] || style=upload
    SSL_CERT_FILE=$certs/authority.pem UPLOAD=$directory/256m \
        timeout 30 "$client" "$url${4-}" $style "$1" "$2" >result || return
    cat result
    grep -q "\"failed\":$3}" result
}

# logged COUNT PATTERN: soon there are so many such lines in the server's log. Some write them after they have answered.
logged() {
    local wait count
    for wait in $(seq 50); do
        count=$(grep -cE "$2" "$log") || true
        [ "$count" -lt "$1" ] || break
        sleep 0.02
    done
    echo "$count lines, and should be $1: $2"
    [ "$count" = "$1" ]
}

# connect VERSION: 20 connections, one after another.
connect() { ours cold-start 20 0 /close# && logged 20 "^TLSv$1 "; }
# renew VERSION COUNT: in so many of them a session goes on.
renew() { connect "$1" && logged "$2" "^TLSv$1 r"; }
# refuse WHY [PATH]: it gets no answer that is any good, and this is in the server's log.
refuse() { ours cold-start 3 3 "${2-}" && logged 3 "$1"; }
large() { ours bytes-300m 1 0 "$@"; }
upload() { ours upload-256m 1 0; }
one_connection() { ours seq-get 1 0 && [ "$(awk '/^TLS/ { print $3 }' "$log" | sort -u | wc -l)" = 1 ]; }

# --- Their clients

script() { case $1 in python3) echo "$peers/peer.py" ;; node) echo "$peers/peer.js" ;; java) echo Peer ;; esac; }

# ask PROGRAM VERSION IDENTITY PATH NAME...: what it gets from each of our servers, in lines like those of peer.py.
ask() {
    local name url urls=() identity=(- -) words=()
    for name in "${@:5}"; do urls+=("https://${at[$name]}$4"); done
    [ "$3" = - ] || identity=("$certs/$3.pem" "$certs/$3.key")
    case $1 in
        curl)
            words=(-sS --fail --max-time 10 "--tlsv$2" --tls-max "$2" --cacert "$certs/authority.pem" -o got)
            [ "$3" = - ] || words+=(--cert "${identity[0]}" --key "${identity[1]}")
            ;;
        wget)
            words=(-nv --tries 1 --timeout 10 --secure-protocol "TLSv${2/./_}" -O got)
            words+=(--ca-certificate "$certs/authority.pem")
            [ "$3" = - ] || words+=(--certificate "${identity[0]}" --private-key "${identity[1]}")
            ;;
        *)
            "$1" "$(script "$1")" get "$certs/authority.pem" "$2" "${identity[@]}" "${urls[@]}"
            return
            ;;
    esac
    for url in "${urls[@]}"; do
        if "$1" "${words[@]}" "$url" 2>why; then
            echo "200 $(sha256sum <got)"
        else
            echo "refused $(tr '\n' ' ' <why)"
        fi
    done
}

# asked PATTERN COUNT PROGRAM...: there are so many such lines of what it gets.
asked() {
    ask "${@:3}" >lines || return
    cat lines
    [ "$(grep -ciE "$1" lines)" = "$2" ]
}
goes_on() { asked "^200 .*TLSv$2 [r.]$" 2 "$1" "$2" - /close good good && [[ $(tail -n 1 lines) == *r ]]; }

request=$'GET /close HTTP/1.1\r\nHost: localhost\r\n\r\n'
# talk PATTERN NAME OPTION...: s_client has an answer from our server, and says this.
talk() {
    local end=(-ign_eof)
    # With this option it does nothing else at a letter but to send it.
    [ -z "${letter-}" ] || end=()
    {
        [ -z "${letter-}" ] || { echo "$letter" && sleep 0.2; }
        printf %s "$request"
        [ -z "${letter-}" ] || sleep 0.2
    } | timeout 10 openssl s_client -connect "${at[$2]}" -CAfile "$certs/authority.pem" -verify_ip 127.0.0.1 \
        -verify_return_error "${end[@]}" "${@:3}" >lines 2>&1 || true
    grep -v "^ \|^$" lines
    grep -q "$body" lines && grep -qE "$1" lines
}
# silent PATTERN NAME OPTION...: it has none, and says why.
silent() { ! talk "" "${@:2}" && grep -qE "$1" lines; }
# after LETTER COMMAND...: s_client does before what it does at this letter.
after() { local letter=$1 && "${@:2}"; }
# talk_gnutls PATTERN VERSION NAME OPTION...: the same with gnutls-cli.
talk_gnutls() {
    timeout 10 gnutls-cli --priority "NORMAL:-VERS-ALL:+VERS-TLS$2" --x509cafile "$certs/authority.pem" \
        --port "${at[$3]#*:}" 127.0.0.1 "${@:4}" <<<"$request" >lines 2>&1 || true
    grep -v "^ \|^$" lines
    grep -q "$body" lines && grep -qE "$1" lines
}
silent_gnutls() { ! talk_gnutls "" "${@:2}" && grep -qE "$1" lines; }
