#!/usr/bin/env bash
# Tries how our client says who it is with Negotiate and NTLM: a ticket server of MIT Kerberos, with a realm of its own,
# and Apache with mod_auth_gssapi. Prints a table of what was tried:
#
#   UNDERSTUDY=.build/release/understudy SIGN_IN=Examples/.build/release/sign-in Tests/Peers/negotiate.sh
#
# What is not installed is named and left out; without root so are names that DNS changes, where there are no namespaces,
# and Apache as a proxy. Debian has all of it in these packages:
#   krb5-kdc krb5-admin-server krb5-user apache2 libapache2-mod-auth-gssapi gss-ntlmssp
# Everything is on the loopback interface and in a folder that goes in the end; no file of the system is read or written
# for it. Exit status: 0 all that was tried is well, 1 something is not.
set -euo pipefail
cd "$(dirname "$0")/../.."

understudy=$(realpath "${UNDERSTUDY:-.build/release/understudy}")
client=$(realpath "${SIGN_IN:-Examples/.build/release/sign-in}")
peers=$PWD/Tests/Peers
PATH=$PATH:/usr/sbin
. "$peers/peers.sh"
. "$peers/servers.sh"

# asks FIRST SECOND ARGUMENT...: the first line of sign-in is like that, and the second.
asks() {
    timeout 30 "$client" "${@:3}" >lines 2>&1 || true
    cat lines
    sed -n 1p lines | grep -qE "$1" && sed -n 2p lines | grep -qE "$2"
}
# requests COUNT STATUS: Apache has answered so many requests in this way, of those that it was asked last.
requests() { logged "$1" "^page $2"; }

# The server that leaves root behind reads these.
chmod 755 "$directory"

# settings PORT [CANONICAL]: where everybody finds the ticket server, and whether names are what DNS makes of them.
settings() {
    cat >krb5.conf <<END
[libdefaults]
default_realm = A.TEST
dns_lookup_kdc = false
dns_lookup_realm = false
dns_canonicalize_hostname = ${2-false}
rdns = ${2-false}
udp_preference_limit = 1
[realms]
A.TEST = {
    kdc = 127.0.0.1:$1
}
[domain_realm]
localhost = A.TEST
[logging]
default = STDERR
END
}

at_ticket_server() {
    export KRB5_CONFIG=$directory/krb5.conf KRB5_KDC_PROFILE=$directory/kdc.conf KRB5CCNAME=FILE:$directory/none
    # A replay is none of its tests, and the server that leaves root behind may write nowhere.
    export KRB5RCACHENAME=none:
    settings 1
    conf="[kdcdefaults]
kdc_listen = 127.0.0.1:PORT
kdc_tcp_listen = 127.0.0.1:PORT
[realms]
A.TEST = {
    database_name = $directory/principals
    key_stash_file = $directory/stash
    acl_file = $directory/acl
    max_life = 1h
}
[logging]
kdc = STDERR"
    echo "${conf//PORT/1}" >kdc.conf
    kdb5_util -r A.TEST -P master create -s
    kadmin.local -r A.TEST -q "addprinc -pw s3cret ann"
    kadmin.local -r A.TEST -q "addprinc -randkey HTTP/localhost"
    kadmin.local -r A.TEST -q "ktadd -k $directory/keytab HTTP/localhost"
    # That host has a key, which the server does not know.
    kadmin.local -r A.TEST -q "addprinc -randkey HTTP/other.a.test"
    chmod 644 keytab
    launch env KRB5_KDC_PROFILE="$directory/server.conf" krb5kdc -n -r A.TEST
    keep
    settings "$port"
    echo s3cret | kinit -c "FILE:$directory/tickets" ann
}

# at_apache DIRECTIVES [PROXY [WITHIN...]]: a server, or a proxy, started by that.
at_apache() {
    local place="<Location />" end="</Location>" modules="authn_core authz_user auth_gssapi" proxy=''
    if [ "${2-}" = proxy ]; then
        modules+=" proxy proxy_http proxy_connect"
        proxy="ProxyRequests On"$'\n'"AllowCONNECT 1-65535"
        place="<Proxy \"*\">" end="</Proxy>"
    fi
    apache_conf "$modules" "$proxy
LogFormat \"page %>s\" brief
CustomLog /dev/stdout brief
$place
    AuthType GSSAPI
    AuthName office
    $1
    Require valid-user
$end"
    launch "${@:3}" env NTLM_USER_FILE="$directory/ntlm" "$(type -P apache2)" -D FOREGROUND -f "$directory/server.conf"
    url=http://localhost:$port/body
}

# as TICKETS COMMAND...: the process has these.
as() { KRB5CCNAME=FILE:$directory/$1 "${@:2}"; }
nowhere() { KRB5_CONFIG=/dev/null "$@"; }
# Namespaces where the loopback interface has another name, for which its own one only stands, and is a.test as well.
namespace=(unshare --mount)
[ "$(id -u)" = 0 ] || namespace=(unshare --map-root-user --mount)
# shellcheck disable=SC2016
namespace+=(sh -c 'mount --bind hosts /etc/hosts && exec "$@"' sh)
renamed() { "${namespace[@]}" "$@"; }
# through PROXY COMMAND...: all that it asks, over our own server's certificates.
through() { no_proxy='' NO_PROXY='' http_proxy=$1 https_proxy=$1 SSL_CERT_FILE=$certs/authority.pem "${@:2}"; }
kerberos="GssapiAllowedMech krb5
    GssapiCredStore keytab:$directory/keytab
    GssapiConnectionBound"
# Of a connection it wants NTLM, too, where gss-ntlmssp is installed.
nobody="^401 asked=\[Negotiate\]" known="^200 asked=\[\]" asked="^200 asked=\[Negotiate\]"
proxied="^200 asked=\[proxy Negotiate\]"

if with "our client" "Apache, Kerberos" klist "$apache_modules/mod_auth_gssapi.so" && type -P apache2 krb5kdc kadmin.local >/dev/null; then
    at_ticket_server >said 2>&1 || { cat said; exit 1; }
    at_apache "$kerberos On"
    row "a ticket: nobody is asked" as tickets asks "$known" "$known" "$url"
    row "a ticket: the second request on the connection says nothing" requests 2 200
    row "a ticket: and is not asked either" requests 1 401
    row "a user with a password" as none asks "$asked" "$known" "$url" ann@A.TEST s3cret
    row "a user of the realm that everybody is of" as none asks "$asked" "$known" "$url" ann s3cret
    row "no ticket, and no user" as none asks "$nobody" "$nobody" "$url"
    row "a host that no ticket is for" as tickets asks "$nobody" "$nobody" "${url/localhost/127.0.0.1}"
    at_apache "$kerberos Off"
    row "a server that asks each time: nobody is asked" as tickets asks "$known" "$known" "$url"
    row "a server that asks each time: it is answered" requests 2 200
    row "a wrong password" as none asks "$nobody" "$nobody" "$url" ann wrong
    row "a user whom nobody knows" as none asks "$nobody" "$nobody" "$url" bob s3cret
    at_apache "$kerberos Off
    GssapiBasicAuth On"
    row "no ticket server: Basic has its turn" nowhere as none asks "^200 asked=\[Negotiate,HTTPBasic\]" "$known" "$url" ann s3cret
fi

echo '127.0.0.1 other.a.test localhost a.test' >hosts
if [ -e tickets ] && with "our client" "Apache, Kerberos" klist && renamed true 2>/dev/null; then
    sed 's/^\(dns_canonicalize_hostname\|rdns\) = false/\1 = true/' krb5.conf >canonical.conf
    renamed() { KRB5_CONFIG=$directory/canonical.conf timeout 30 "${namespace[@]}" "$@"; }
    asks_renamed() {
        renamed "$client" "${@:3}" >lines 2>&1 || true
        cat lines
        sed -n 1p lines | grep -qE "$1" && sed -n 2p lines | grep -qE "$2"
    }
    at_apache "$kerberos On"
    row "another name by DNS: a ticket for the host of the URL" as tickets asks_renamed "$known" "$known" "$url"
    row "another name by DNS: a user with a password" as none asks_renamed "$asked" "$known" "$url" ann s3cret
fi

# Over the loopback interface no proxy is asked: it alone knows the host a.test.
if [ -e tickets ] && [ "$(id -u)" = 0 ] &&
    with "our client" "Apache as a proxy" apache2 "$apache_modules/mod_proxy_connect.so"; then
    printf 'scenario: page\nroutes: [{request: GET /body, reply: {body: hello}}]\n' >page.yaml
    launch "$understudy" serve page.yaml --port PORT --quiet
    keep
    page=http://a.test:$port/body
    launch "$understudy" serve page.yaml --port PORT --quiet --tls valid
    keep
    secret=https://a.test:$port/body
    at_apache "$kerberos On" proxy "${namespace[@]}"
    proxy=http://localhost:$port
    row "a request, a ticket: nobody is asked" through "$proxy" as tickets asks "$known" "$known" "$page"
    row "a request, a ticket: the second on the connection says nothing" requests 1 407
    row "a request, a user with a password" through "$proxy" as none asks "$proxied" "$known" "$page" ann s3cret
    row "a tunnel, a ticket: nobody is asked" through "$proxy" as tickets asks "$known" "$known" "$secret"
    row "a tunnel, a user with a password" through "$proxy" as none asks "$proxied" "$known" "$secret" ann s3cret
    fails() { ! timeout 30 "$client" "$@" >lines 2>&1 && cat lines && grep -q "^failed.*proxy server" lines; }
    row "a tunnel, no ticket and no user" through "$proxy" as none fails "$secret"
    at_apache "$kerberos Off" proxy "${namespace[@]}"
    proxy=http://localhost:$port
    row "a proxy that asks each time: nobody is asked" through "$proxy" as tickets asks "$known" "$known" "$page"
fi

ntlm=$(echo /usr/lib/*/gssntlmssp/gssntlmssp.so)
if with "our client" "Apache, NTLM" apache2 "$ntlm" && [ -e "$apache_modules/mod_auth_gssapi.so" ]; then
    echo OFFICE:ann:s3cret >ntlm
    chmod 644 ntlm
    at_apache "GssapiConnectionBound On
    GssapiAllowedMech ntlmssp"
    row "NTLM by gss-ntlmssp" asks "^200 asked=\[(Negotiate,)?NTLM\]" "$known" "$url" 'OFFICE\ann' s3cret
fi

end
exit $failed
