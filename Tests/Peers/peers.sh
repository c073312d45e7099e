# For tls.sh: its table, what the peers serve, the works of our client, and the questions of their clients.

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
    case $3 in nginx | haproxy | lighttpd | apache2 | squid | tinyproxy) flag=-v ;; openssl) flag=version ;; klist) flag=-V ;; esac
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

# --- What there is to serve

"$understudy" certs --out "$certs" >/dev/null
cd "$directory"
for name in valid expired wrong-host client ecdsa ed25519 long-chain unordered; do cat "$certs/$name.pem" "$certs/$name.key" >"$certs/$name.both"; done
mkdir www
body=$(printf '%0100d' 0)
printf %s "$body" | tee www/close >www/body
printf 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n%s' "$body" >www/answer
truncate -s 256M 256m
truncate -s 300M www/300m
head -c 3000000 /dev/urandom >film
if [ -n "$(type -P javac)" ]; then javac -d . "$peers/Peer.java"; fi

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
# nginx says how much it has read.
upload_whole() { upload && logged 1 " 2684[0-9]{5}$"; }
# A server that shows its certificate once in 20 connections has gone on in 19.
renew_openssl() { ours cold-start 20 0 /body# && logged 1 "^>>> .*, Certificate$"; }
renew_gnutls() { ours cold-start 20 0 && logged 19 "This is a resumed session"; }
# renew_behind VERSION: the session between haproxy and the server behind it.
renew_behind() { ours cold-start 20 0 /close# && logged 19 "behind it TLSv$1 r"; }
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

ask_curl() { curl -sS --fail --max-time 10 --cacert "$certs/authority.pem" "$@" | grep -q "$body"; }

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
