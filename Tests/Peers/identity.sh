#!/usr/bin/env bash
# Tries how our client says who it is, and its cookies and proxies, with servers and proxies of others; and curl with
# ours. Prints a table of what was tried:
#
#   UNDERSTUDY=.build/release/understudy SIGN_IN=Examples/.build/release/sign-in Tests/Peers/identity.sh
#
# Peers that are not installed are named and left out. Debian has all of them in these packages:
#   nginx apache2 squid tinyproxy haproxy gnutls-bin microsocks curl
# The proxies find a host a.test, which nobody else knows: over the loopback interface no proxy is asked. For that
# they have an /etc/hosts of their own, in a mount namespace. Exit status: 0 all that was tried is well, 1 something is
# not.
set -euo pipefail
cd "$(dirname "$0")/../.."

understudy=$(realpath "${UNDERSTUDY:-.build/release/understudy}")
client=$(realpath "${SIGN_IN:-Examples/.build/release/sign-in}")
repository=$PWD peers=$PWD/Tests/Peers
PATH=$PATH:/usr/sbin:/usr/lib/squid
. "$peers/peers.sh"
. "$peers/servers.sh"

# Servers that leave root behind read these.
chmod 755 "$directory"
printf 'ann:%s\n' "$(openssl passwd -apr1 s3cret)" >basic
printf 'ann:vault:%s\n' "$(printf ann:vault:s3cret | md5sum | cut -c 1-32)" >digest
printf '127.0.0.1 localhost a.test\n' >hosts
chmod 644 basic digest hosts

# asks PATTERN ARGUMENT...: both lines of sign-in are like that.
asks() {
    timeout 20 "$client" "${@:2}" >lines 2>&1 || true
    cat lines
    [ "$(grep -cE "$1" lines)" = 2 ]
}
# asks_then FIRST SECOND ARGUMENT...: its first line, and its second.
asks_then() {
    timeout 20 "$client" "${@:3}" >lines 2>&1 || true
    cat lines
    sed -n 1p lines | grep -qE "$1" && sed -n 2p lines | grep -qE "$2"
}
fails() {
    ! timeout 20 "$client" "${@:2}" >lines 2>&1 || return
    cat lines
    grep -qE "$1" lines
}
# in_namespace PROGRAM...: it has our /etc/hosts.
in_namespace() { launch unshare --map-root-user --mount sh -c 'mount --bind hosts /etc/hosts && exec "$@"' sh "$@"; }

# at_nginx_plain DIRECTIVES: in clear.
at_nginx_plain() {
    conf="daemon off; master_process off; pid pid; error_log stderr info; events { worker_connections 64; }
        http {
            access_log /dev/stdout; client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
            uwsgi_temp_path temp; scgi_temp_path temp;
            server { listen 127.0.0.1:PORT; $1 root $directory/www; }
        }"
    launch "$(type -P nginx)" -p "$directory" -c server.conf -e stderr
    url=http://127.0.0.1:$port
}

at_apache() {
    apache_conf "authn_core authn_file authz_user auth_basic auth_digest headers" "<Location />
    $1
    Require valid-user
</Location>"
    launch apache2 -D FOREGROUND -f "$directory/server.conf"
}

if with "our client" nginx nginx; then
    private="auth_basic vault; auth_basic_user_file $directory/basic;"
    at_nginx_plain "$private"
    row "Basic: asked once, then it goes along" asks_then "^200 asked=\[HTTPBasic\]" "^200 asked=\[\]" "$url/body" ann s3cret
    row "Basic: a wrong password, then the right one" \
        asks_then "^200 asked=\[HTTPBasic,HTTPBasic\]" "^200 asked=\[\]" "$url/body" ann wrong ann s3cret
    row "Basic: only wrong ones" asks "^401 asked=\[HTTPBasic,HTTPBasic\]" "$url/body" ann wrong
    row "Basic: of the URL" asks_then "^200 asked=\[HTTPBasic\]" "^200 asked=\[\]" \
        "http://ann:s3cret@127.0.0.1:$port/body"
    at_nginx_plain "add_header Set-Cookie 'a=1; Path=/'; add_header Set-Cookie 'b=\$cookie_a; Path=/';"
    row "cookies: kept, and sent the second time" \
        asks_then "cookies=\[a=1;b=\]" "cookies=\[a=1;b=1\]" "$url/body"
fi

# trusting COMMAND...: our authority. from_version VERSION COMMAND...: and speaking TLS of this or a later version.
# as IDENTITY COMMAND...: and with a certificate of certs/.
trusting() { SSL_CERT_FILE=$certs/authority.pem "$@"; }
from_version() { TLS_MINIMUM=$1 trusting "${@:2}"; }
as() { IDENTITY=$repository/certs/$1.p12 PASSPHRASE=understudy trusting "${@:2}"; }

if with "our client" nginx nginx; then
    wanted="ssl_verify_client on; ssl_client_certificate $certs/client-authority.pem;"
    for v in 1.2 1.3; do
        at_nginx "ssl_protocols TLSv$v; $wanted"
        row "TLS $v: shows a certificate that is required" as client asks "^200 asked=" "$url"
        row "TLS $v: shows the one of a stranger: is refused" as client-stranger asks "^400 asked=" "$url"
    done
fi

if with "our client" "openssl s_server" openssl; then
    for v in 1.2 1.3; do
        at_s_server valid -tls${v/./_} -WWW -Verify 3 -verify_return_error -CAfile "$certs/client-authority.pem"
        url=https://127.0.0.1:$port/body
        row "TLS $v: shows a certificate that is required" as client asks "^200 asked=" "$url"
        row "TLS $v: shows one of an old container" as client-legacy asks "^200 asked=" "$url"
        row "TLS $v: shows the one of a stranger: is refused" as client-stranger fails "^failed: The server did not accept" "$url"
        row "TLS $v: shows an expired one: is refused" as client-expired fails "^failed: The server did not accept" "$url"
    done
    for v in 1.0 1.1; do
        old=-tls${v/./_}
        at_s_server valid "${old/_0/}" -WWW -cipher DEFAULT@SECLEVEL=0
        url=https://127.0.0.1:$port/body
        row "TLS $v: spoken if it is asked for" from_version $v asks "^200 asked=" "$url"
        row "TLS $v: else refused" trusting fails "^failed: An SSL error has occurred" "$url"
    done
fi

if with "our client" haproxy haproxy; then
    # What it says by itself, without a server behind it.
    for v in 1.2 1.3; do
        at_haproxy "crt $certs/valid.both ca-file $certs/client-authority.pem verify required ssl-min-ver TLSv$v \
            ssl-max-ver TLSv$v" "127.0.0.1:9" "http-request return status 200 content-type text/plain string $body"
        row "TLS $v: shows a certificate that is required" as client asks "^200 asked=" "$url"
        row "TLS $v: shows the one of a stranger: is refused" as client-stranger fails "^failed: The server did not accept" "$url"
        row "TLS $v: shows an expired one: is refused" as client-expired fails "^failed: The server did not accept" "$url"
    done
fi

if with "our client" gnutls-serv gnutls-serv; then
    for v in 1.2 1.3; do
        at_gnutls valid $v --x509cafile "$certs/client-authority.pem" --require-client-cert --verify-client-cert
        row "TLS $v: shows a certificate that is required" as client asks "^200 asked=" "$url"
        row "TLS $v: shows the one of a stranger: is refused" as client-stranger fails "^failed: " "$url"
        row "TLS $v: shows an expired one: is refused" as client-expired fails "^failed: " "$url"
    done
fi

if with "our client" "Apache" apache2; then
    at_apache "AuthType Basic
    AuthName vault
    AuthUserFile $directory/basic"
    url=http://127.0.0.1:$port
    row "Basic: asked once, then it goes along" asks_then "^200 asked=\[HTTPBasic\]" "^200 asked=\[\]" "$url/body" ann s3cret
    row "Basic: only wrong ones" asks "^401 asked=\[HTTPBasic,HTTPBasic\]" "$url/body" ann wrong
    at_apache "AuthType Digest
    AuthName vault
    AuthDigestProvider file
    AuthDigestDomain /
    AuthUserFile $directory/digest"
    url=http://127.0.0.1:$port
    row "Digest: asked once, then it counts on" asks_then "^200 asked=\[HTTPDigest\]" "^200 asked=\[\]" "$url/body" ann s3cret
    row "Digest: a wrong password, then the right one" \
        asks_then "^200 asked=\[HTTPDigest,HTTPDigest\]" "^200 asked=\[\]" "$url/body" ann wrong ann s3cret
    row "Digest: only wrong ones" asks "^401 asked=\[HTTPDigest,HTTPDigest\]" "$url/body" ann wrong
fi

# --- Our client goes to a server through their proxies, in clear and over TLS; the server asks nobody

# via SCHEME NAME PATTERN...: through the proxy that was launched last, whose URL names that user, if any.
via() {
    local proxy=$1://${2:+$2@}127.0.0.1:$port
    http_proxy=$proxy https_proxy=$proxy SSL_CERT_FILE=${trusted:-$certs/authority.pem} "${@:3}"
}
# squid with GnuTLS shows its own certificate without the one that signed it, so it has one that signs itself.
cat "$certs/authority.pem" "$certs/self-signed.pem" >trusted
chmod 644 trusted

# at_squid METHOD [TLS]: in clear, or over TLS.
at_squid() {
    touch squid.log && chmod 666 squid.log
    conf="${2:-http_port 127.0.0.1:PORT}
hosts_file $directory/hosts
pid_filename none
cache deny all
cache_log $directory/squid.log
access_log none
coredump_dir $directory
shutdown_lifetime 0 seconds
auth_param $1
auth_param ${1%% *} realm vault
auth_param ${1%% *} children 1
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all"
    launch squid -N -f server.conf
}

# at_secure_tunnel BIND PROXY: TLS in front of a proxy in clear.
at_secure_tunnel() {
    conf="global
    nbthread 1
defaults
    mode tcp
    timeout connect 5s
    timeout client 30s
    timeout server 30s
listen front
    bind 127.0.0.1:PORT ssl $1
    server back $2"
    launch "$(type -P haproxy)" -db -f server.conf
}
via_as() { IDENTITY=$repository/certs/$1.p12 PASSPHRASE=understudy via https "" "${@:2}"; }

at_tinyproxy() {
    conf="Port PORT
Listen 127.0.0.1
Timeout 30
Allow 127.0.0.1
${1-}"
    in_namespace tinyproxy -d -c server.conf
}

# both METHOD [SCHEME]: for a page in clear and one over TLS, a user who is asked by that method, and one whom the URL
# names; through a proxy that is spoken to by that scheme.
both() {
    local page how=${2:-http}
    for page in "$plain" "$secure"; do
        row "$1, ${page%%:*}: asked once, then it goes along" via "$how" "" \
            asks_then "^200 asked=\[proxy HTTP$1\]" "^200 asked=\[\]" "$page" ann s3cret
        row "$1, ${page%%:*}: the user of the proxy's URL, nobody is asked" via "$how" ann:s3cret asks "^200 asked=\[\]" "$page"
    done
    row "$1, https: only wrong ones: no tunnel" via "$how" "" fails "^failed" "$secure" ann wrong
}

if with "our client" "nginx, behind proxies" nginx; then
    at_nginx ""
    keep
    secure=https://a.test:$port/
    at_nginx_plain ""
    keep
    plain=http://a.test:$port/body
    if with "our client" squid squid /usr/lib/squid/digest_file_auth; then
        # tinyproxy answers a wrong password as a server would, with a 401.
        wrong() { row "$1, http: only wrong ones" via http "" asks "^407 asked=\[proxy HTTP$1,proxy HTTP$1\]" "$plain" ann wrong; }
        at_squid "basic program /usr/lib/squid/basic_ncsa_auth $directory/basic"
        both Basic
        wrong Basic
        at_squid "digest program /usr/lib/squid/digest_file_auth -c $directory/digest"
        both Digest
        wrong Digest
        secured="https_port 127.0.0.1:PORT tls-cert=$certs/self-signed.pem tls-key=$certs/self-signed.key"
        peer="squid over TLS"
        at_squid "basic program /usr/lib/squid/basic_ncsa_auth $directory/basic" "$secured"
        row "Basic, https: a proxy that is not trusted" via https "" fails "^failed: The certificate" "$secure" ann s3cret
        trusted=$directory/trusted
        both Basic https
        at_squid "digest program /usr/lib/squid/digest_file_auth -c $directory/digest" "$secured"
        both Digest https
        unset trusted
    fi
    if with "our client" tinyproxy tinyproxy; then
        at_tinyproxy
        row "http, asks nobody" via http "" asks "^200 asked=\[\]" "$plain"
        row "https, asks nobody" via http "" asks "^200 asked=\[\]" "$secure"
        at_tinyproxy "BasicAuth ann s3cret"
        both Basic
    fi
    if [ -n "$(type -P tinyproxy)" ] && with "our client" "haproxy+tinyproxy" haproxy; then
        for v in 1.2 1.3; do
            at_tinyproxy
            behind=127.0.0.1:$port
            keep
            only="ssl-min-ver TLSv$v ssl-max-ver TLSv$v"
            at_secure_tunnel "crt $certs/valid.both $only" "$behind"
            row "TLS $v: http, asks nobody" via https "" asks "^200 asked=\[\]" "$plain"
            row "TLS $v: https, asks nobody" via https "" asks "^200 asked=\[\]" "$secure"
            at_secure_tunnel "crt $certs/wrong-host.both $only" "$behind"
            row "TLS $v: http, a certificate for another name" via https "" fails "^failed: The certificate" "$plain"
            row "TLS $v: https, a certificate for another name" via https "" fails "^failed: The certificate" "$secure"
            at_secure_tunnel "crt $certs/valid.both $only verify required ca-file $certs/client-authority.pem" "$behind"
            row "TLS $v: https, shows a certificate that the proxy requires" via_as client asks "^200 asked=" "$secure"
            row "TLS $v: https, shows none: is refused" via https "" fails "^failed: The server requires" "$secure"
        done
    fi
    if with "our client" microsocks microsocks; then
        in_namespace microsocks -i 127.0.0.1 -p PORT
        row "SOCKS 5, http, asks nobody" via socks5h "" asks "^200 asked=\[\]" "$plain"
        row "SOCKS 5, https, asks nobody" via socks5h "" asks "^200 asked=\[\]" "$secure"
        in_namespace microsocks -i 127.0.0.1 -p PORT -u ann -P s3cret
        row "SOCKS 5, with a password" via socks5h ann:s3cret asks "^200 asked=\[\]" "$plain"
        row "SOCKS 5, with a wrong one" via socks5h ann:wrong fails "^failed" "$plain"
    fi
fi

# --- curl asks our server, whose script is strict about each step

# judged HOSTS ANSWERS ARGUMENT...: curl gets the page, and the script is fulfilled. In its words PORT is our server's.
judged() {
    local status=0
    conf="hosts: $1"$'\n'"server:"$'\n'"$2"
    shift 2
    launch "$understudy" serve server.conf --port PORT --once --quiet
    curl -sS --max-time 10 --cacert "$certs/authority.pem" "${@/PORT/$port}" >got || return
    wait "${servers[-1]}" || status=$?
    servers=()
    echo "status $status"
    [ "$status" = 0 ] && grep -qx page got
}
known="basic: {user: ann, password: s3cret}"
proof="user: ann, password: s3cret, realm: vault, nonce: n1, nc: 1"

if with "our server" curl curl; then
    row "Basic" judged "[a.test]" "  - {request: GET /, reply: {challenge: {basic: {realm: vault}}}}
  - {request: GET /, where: {$known}, reply: {body: page}}" --anyauth -u ann:s3cret http://127.0.0.1:PORT/
    for algorithm in MD5 SHA-256; do
        row "Digest, $algorithm" judged "[a.test]" \
            "  - {request: GET /, reply: {challenge: {digest: {realm: vault, nonce: n1, algorithm: $algorithm, qop: [auth]}}}}
  - {request: GET /, where: {digest: {$proof, algorithm: $algorithm}}, reply: {body: page}}" \
            --digest -u ann:s3cret http://127.0.0.1:PORT/
    done
    proxy="{name: p.test, role: http-proxy}"
    row "its HTTP proxy" judged "[$proxy, a.test]" "  - {request: GET /, host: a.test, reply: {body: page}}" \
        -x http://127.0.0.1:PORT http://a.test/
    row "its HTTP proxy, Basic" judged "[$proxy, a.test]" \
        "  - {request: GET \$origin.a.test/, host: p.test, reply: {status: 407, challenge: {basic: {realm: vault}}}}
  - {request: GET \$origin.a.test/, host: p.test, where: {$known}, reply: {body: page}}" \
        --proxy-anyauth -U ann:s3cret -x http://127.0.0.1:PORT http://a.test/
    row "its HTTP proxy, a tunnel" judged "[$proxy, {name: a.test, tls: valid}]" \
        "  - {request: CONNECT \$origin.a.test, host: p.test}
  - {request: GET /, host: a.test, reply: {body: page}}" -x http://127.0.0.1:PORT https://a.test/
    secured="{name: p.test, role: http-proxy, tls: valid}"
    row "its HTTP proxy over TLS" judged "[$secured, a.test]" "  - {request: GET /, host: a.test, reply: {body: page}}" \
        --proxy-cacert "$certs/authority.pem" -x https://localhost:PORT http://a.test/
    row "its HTTP proxy over TLS, a tunnel" judged "[$secured, {name: a.test, tls: valid}]" \
        "  - {request: CONNECT \$origin.a.test, host: p.test}
  - {request: GET /, host: a.test, reply: {body: page}}" \
        --proxy-cacert "$certs/authority.pem" -x https://localhost:PORT https://a.test/
    row "its SOCKS proxy" judged "[{name: p.test, role: socks-proxy}, a.test]" \
        "  - {request: GET /, host: a.test, reply: {body: page}}" -x socks5h://127.0.0.1:PORT http://a.test/
    row "its SOCKS proxy, SOCKS 4a" judged "[{name: p.test, role: socks-proxy}, a.test]" \
        "  - {request: GET /, host: a.test, reply: {body: page}}" -x socks4a://127.0.0.1:PORT http://a.test/
fi

end
exit $failed
