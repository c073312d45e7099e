#!/usr/bin/env bash
# Is each certificate right, or wrong for exactly the reason that README.md names? Run by `make certs` and `make check`.
set -u
cd "$(dirname "$0")" || exit 1

failed=0
fail() {
    echo "certs: not so: $*" >&2
    failed=1
}

# When certificates are looked at: the simulator's clock begins at 2026-01-01, real clocks say 2026-11-25 and later.
simulated=1767225600 real=1795564800 in_2017=1483228800 in_2115=4575657600

# problems FILE OPTION...: what `openssl verify` objects to, as NUMBER@DEPTH; nothing if all is well. Depth 0 is the
# certificate itself. The file is also where it finds the authorities that are sent. A later option wins.
problems() {
    local told found status=0
    told=$(openssl verify -x509_strict -auth_level 2 -no-CApath -no-CAstore -untrusted "$1" "${@:2}" "$1" 2>&1) ||
        status=1
    found=$(sed -n 's/^error \([0-9]*\) at \([0-9]*\) depth.*/\1@\2/p' <<<"$told" | xargs)
    [ -n "$found" ] || [ $status = 0 ] || found="${told:-no answer}"
    echo "$found"
}

# expect PROBLEMS FILE OPTION...
expect() {
    local found
    found=$(problems "${@:2}")
    [ "$found" = "$1" ] || fail "$2 has problem '$1', but '$found' ($*)"
}

seen=" "
# server PRESET CERTIFICATES PROBLEMS [OPTION...]: that many are sent, and at both clocks this and nothing else is
# wrong; with the options, which take the cause away, nothing.
server() {
    local file=$1.pem at base=(-CAfile authority.pem -purpose sslserver -verify_hostname "${host:-a.test}")
    seen+="$1 "
    [ "$(grep -c BEGIN "$file")" = "$2" ] || fail "$file holds $2 certificates"
    for at in $simulated $real; do expect "$3" "$file" "${base[@]}" -attime "$at"; done
    [ $# = 3 ] || expect "" "$file" "${base[@]}" -attime "$real" "${@:4}"
}

# client IDENTITY PROBLEMS [OPTION...]: the same for the certificate of a client.
client() {
    local at base=(-CAfile client-authority.pem -purpose sslclient)
    seen+="$1 "
    for at in $simulated $real; do expect "$2" "$1.pem" "${base[@]}" -attime "$at"; done
    [ $# = 2 ] || expect "" "$1.pem" "${base[@]}" -attime "$real" "${@:3}"
}

#      preset               sent problems what takes the cause away
server valid                2 ""
server ecdsa                2 ""
server ed25519              2 ""
server long-chain           6 ""
server unordered            3 ""
host=www.a.test \
server wildcard             2 ""
host=xn--bcher-kva.test \
server international        2 ""
host=localhost \
server no-san               2 "" # OpenSSL alone makes do with the common name; see below

server expired              2 10@0     -attime $in_2017
server expired-intermediate 2 10@1     -attime $in_2017
server not-yet-valid        2 9@0      -attime $in_2115
server wrong-host           2 62@0     -verify_hostname other.test
server wildcard-top         2 62@0
server self-signed          1 18@0     -CAfile self-signed.pem
server untrusted-root       2 20@1     -CAfile stranger.pem
server missing-intermediate 1 20@0     -untrusted intermediate.pem
server wrong-usage          2 26@0     -purpose sslclient
server weak-key             2 66@0     -auth_level 1
server sha1                 2 68@0     -auth_level 0
server no-authority         2 "79@1 26@1" # no authority, and so not one for servers either
server path-too-long        3 25@2
server name-constraint      2 47@0
server unknown-extension    2 34@0     -ignore_critical
server bad-signature        2 7@0
server revoked              2 ""

server negative-serial      2 ""
server many-names           2 ""
server nul-name             2 62@0
server overlong-date        2 14@0
server deep-chain           101 ""

client client               ""
client client-expired       10@0       -attime $in_2017
client client-stranger      20@0       -CAfile stranger.pem

# Only it may say for `intermediate` what was revoked.
seen+="responder "
for at in $simulated $real; do expect "" responder.pem -CAfile authority.pem -purpose ocsphelper -attime $at; done
signing=$(for file in *.pem; do openssl x509 -in "$file" -noout -text | grep -q "OCSP Signing" && echo "$file"; done)
[ "$signing" = responder.pem ] || fail "responder.pem alone signs OCSP responses ($signing)"

# What one host and one kind of question cannot show.
trusting=(-CAfile authority.pem -purpose sslserver -attime "$real")
for file in valid.pem ecdsa.pem ed25519.pem long-chain.pem; do
    for host in localhost a.test b.test c.test; do expect "" $file "${trusting[@]}" -verify_hostname $host; done
    for address in 127.0.0.1 ::1; do expect "" $file "${trusting[@]}" -verify_ip $address; done
    expect 62@0 $file "${trusting[@]}" -verify_hostname other.test
    expect 64@0 $file "${trusting[@]}" -verify_ip 127.0.0.2
done
for host in a.test x.www.a.test www.c.test; do expect 62@0 wildcard.pem "${trusting[@]}" -verify_hostname $host; done
expect "" international.pem "${trusting[@]}" -verify_hostname www.xn--bcher-kva.test
for host in a.test bcher-kva.test bcher.test; do expect 62@0 international.pem "${trusting[@]}" -verify_hostname $host; done
expect 64@0 no-san.pem "${trusting[@]}" -verify_ip 127.0.0.1
openssl x509 -in no-san.pem -noout -ext subjectAltName 2>&1 | grep -q DNS: && fail "no-san.pem has no names"
for at in $simulated $real; do
    checking=("${trusting[@]}" -crl_check -CRLfile intermediate.crl -attime "$at")
    expect "" valid.pem "${checking[@]}"
    expect 23@0 revoked.pem "${checking[@]}"
done
expect 26@0 client.pem -CAfile client-authority.pem -purpose sslserver
expect 20@0 client.pem -CAfile authority.pem -purpose sslclient
expect 20@1 valid.pem -no-CAfile

# Keys
for file in *.pem; do
    name=${file%.pem}
    [ "$(openssl pkey -in "$name.key" -pubout)" = "$(openssl x509 -in "$file" -noout -pubkey)" ] ||
        fail "$name.key belongs to $file"
    case " authority intermediate stranger client-authority $seen" in
        *" $name "*) ;;
        *) fail "$file is checked" ;;
    esac
done
for key in *.key; do
    grep -q "^For tests only" "$key" || fail "$key says that it is for tests only"
    grep -q "BEGIN PRIVATE KEY" "$key" || fail "$key is PKCS#8"
done

# identity FILE NAME CIPHER [OPTION]: the passphrase opens it, another does not, and in it lies the client's identity.
identity() {
    local read=(openssl pkcs12 -in "$1" "${@:4}") told
    told=$("${read[@]}" -info -noout -passin pass:understudy 2>&1)
    [[ $told == *"$3"* ]] || fail "$1 is encrypted with $3"
    [ "$("${read[@]}" -nokeys -passin pass:understudy | openssl x509)" = "$(openssl x509 -in "$2.pem")" ] ||
        fail "$1 holds $2.pem"
    [ "$("${read[@]}" -nocerts -nodes -passin pass:understudy | openssl pkey)" = "$(openssl pkey -in "$2.key")" ] ||
        fail "$1 holds $2.key"
    "${read[@]}" -noout -passin pass:another 2>/dev/null && fail "$1 needs its passphrase"
}
identity client.p12 client "PBES2, PBKDF2, AES-256-CBC"
identity client-expired.p12 client-expired "PBES2, PBKDF2, AES-256-CBC"
identity client-stranger.p12 client-stranger "PBES2, PBKDF2, AES-256-CBC"
identity client-legacy.p12 client pbeWithSHA1And40BitRC2-CBC -legacy

exit "$failed"
