#!/usr/bin/env bash
# Does openssl accept what make.sh made, and refuse what it must refuse? Run by `make certs` and `make check`.
set -u
cd "$(dirname "$0")" || exit 1

failed=0
# expect NAME COMMAND...: the command must succeed; with `! ` before it, it must fail.
expect() {
    local name=$1 wanted=0 status
    shift
    if [ "$1" = "!" ]; then
        wanted=1
        shift
    fi
    "$@" >/dev/null 2>&1
    status=$?
    if { [ "$wanted" = 0 ] && [ "$status" != 0 ]; } || { [ "$wanted" = 1 ] && [ "$status" = 0 ]; }; then
        echo "certs: not so: $name" >&2
        failed=1
    fi
}

verify=(openssl verify -x509_strict -purpose sslserver -CAfile authority.pem)
for host in localhost a.test b.test; do
    expect "the server certificate is valid for $host" "${verify[@]}" -verify_hostname "$host" server.pem
done
for address in 127.0.0.1 ::1; do
    expect "the server certificate is valid for $address" "${verify[@]}" -verify_ip "$address" server.pem
done
expect "it is not valid for another host" ! "${verify[@]}" -verify_hostname c.test server.pem
expect "it is not valid without the authority" ! openssl verify -no-CAfile -no-CApath -no-CAstore server.pem
expect "it lasts ten years more" openssl x509 -in server.pem -noout -checkend 315360000
expect "the authority lasts ten years more" openssl x509 -in authority.pem -noout -checkend 315360000
same_key() { [ "$(openssl pkey -in "$1" -pubout)" = "$(openssl x509 -in "$2" -noout -pubkey)" ]; }
expect "server.key belongs to server.pem" same_key server.key server.pem
expect "authority.key belongs to authority.pem" same_key authority.key authority.pem
exit "$failed"
