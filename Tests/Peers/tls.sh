#!/usr/bin/env bash
# Tries our TLS with that of others, in both directions, and prints a table of what was tried:
#
#   UNDERSTUDY=.build/release/understudy CLIENT=.build/release/session-networking Tests/Peers/tls.sh
#
# The two programs are ours: the scripted server, and the client of the benchmarks. Peers that are not installed are
# named and left out. Debian has all of them in these packages; each module of lighttpd is another library of TLS.
#   nginx haproxy lighttpd lighttpd-mod-gnutls lighttpd-mod-mbedtls lighttpd-mod-nss lighttpd-mod-wolfssl gnutls-bin
#   openssl curl wget python3 nodejs openjdk-17-jdk-headless
# Everything stays on the loopback interface. Exit status: 0 all that was tried is well, 1 something is not.
set -euo pipefail
cd "$(dirname "$0")/../.."

understudy=$(realpath "${UNDERSTUDY:-.build/release/understudy}")
client=$(realpath "${CLIENT:-.build/release/session-networking}")
peers=$PWD/Tests/Peers
PATH=$PATH:/usr/sbin
. "$peers/peers.sh"
. "$peers/servers.sh"

named=(X25519 P-256 P-384 P-521 X448)
suites12=(ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-CHACHA20-POLY1305)
gnutls_groups=(X25519 SECP256R1 SECP384R1 SECP521R1 X448)
gnutls_ciphers=(AES-128-GCM AES-256-GCM CHACHA20-POLY1305)
suites13=(TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256)
printf "$line" side peer version "what was tried" result

# --- Our client asks them

if with "our client" nginx nginx; then
    for v in 1.2 1.3; do
        only="ssl_protocols TLSv$v;"
        at_nginx "$only"
        row "TLS $v, tickets: a session goes on in 19 of 20 connections" renew $v 19
        at_nginx "$only ssl_session_tickets off;"
        row "TLS $v, no tickets: none goes on in 20 connections" renew $v 0
        at_nginx "$only ssl_session_tickets off; ssl_session_cache shared:a:1m;"
        row "TLS $v, sessions that the server keeps: one goes on in 19 of 20" renew $v 19
        at_nginx "$only"
        row "TLS $v, 501 requests on one connection" one_connection
        row "TLS $v, 564 requests, 64 at once" ours conc-get 64 0
        row "TLS $v, 300 MiB received" large
        row "TLS $v, 256 MiB sent" upload_whole
        at_nginx "$only" valid http2
        row "TLS $v, h2 would be preferred: http/1.1" connect $v
        at_nginx "$only ssl_verify_client optional; ssl_client_certificate $certs/client-authority.pem;"
        row "TLS $v, asked for a certificate that it does not have" connect $v
        for preset in ecdsa ed25519 long-chain unordered; do
            at_nginx "$only" $preset
            row "TLS $v, the certificate $preset" connect $v
        done
    done
    at_nginx "ssl_buffer_size 1k;"
    row "TLS 1.3, 300 MiB received in records of 1 KiB" large
    while read -r alert presets; do
        for preset in $presets; do
            at_nginx "" "$preset"
            row "refuses the certificate $preset, with alert $alert" refuse "alert number $alert\)"
        done
    done <<'END'
42 wrong-host wildcard-top no-san unknown-extension bad-signature
43 wrong-usage no-authority path-too-long name-constraint
45 expired expired-intermediate not-yet-valid
48 self-signed untrusted-root missing-intermediate
END
fi

if with "our client" haproxy haproxy; then
    ours_at plain
    for v in 1.2 1.3; do
        only="ssl-min-ver TLSv$v ssl-max-ver TLSv$v"
        at_haproxy "crt $certs/valid.both alpn h2,http/1.1 $only" "${at[plain]}"
        row "TLS $v, tickets: a session goes on in 19 of 20 connections" renew $v 19
        at_haproxy "crt $certs/valid.both no-tls-tickets $only" "${at[plain]}"
        row "TLS $v, no tickets" connect $v
        row "TLS $v, 564 requests, 64 at once" ours conc-get 64 0
        row "TLS $v, 300 MiB received" large
        at_haproxy "crt $certs/valid.both ca-file $certs/client-authority.pem verify optional $only" "${at[plain]}"
        row "TLS $v, asked for a certificate that it does not have" connect $v
        at_haproxy "crt $certs/valid.both ca-file $certs/client-authority.pem verify required $only" "${at[plain]}"
        row "TLS $v, a certificate is required: fails" refuse "SSL handshake failure"
        for preset in ecdsa ed25519 long-chain unordered; do
            at_haproxy "crt $certs/$preset.both $only" "${at[plain]}"
            row "TLS $v, the certificate $preset" connect $v
        done
        for preset in expired wrong-host; do
            at_haproxy "crt $certs/$preset.both $only" "${at[plain]}"
            row "TLS $v, refuses the certificate $preset" refuse "SSL handshake failure"
        done
    done
fi

if with "our client" "openssl s_server" openssl; then
    for v in 1.2 1.3; do
        only=-tls${v/./_}
        at_s_server valid $only -WWW -msg
        row "TLS $v, bodies that end with the connection; a session goes on in 19 of 20" renew_openssl
        at_s_server valid $only -HTTP -no_ticket
        row "TLS $v, bodies with a length, no tickets" ours cold-start 20 0 /answer#
        # In TLS 1.3 the client guesses one of them, and is sent back for another.
        for group in "${named[@]}"; do
            at_s_server valid $only -WWW -groups $group
            row "TLS $v, group $group" ours cold-start 20 0 /body#
        done
        at_s_server valid $only -WWW -max_send_frag 512 -num_tickets 8
        row "TLS $v, many tickets and small records" ours cold-start 20 0 /body#
        at_s_server valid $only -WWW -Verify 3 -verify_return_error
        row "TLS $v, a certificate is required: fails" refuse "peer did not return a certificate"
    done
    for suite in "${suites12[@]}" ECDHE-RSA-AES128-SHA; do
        at_s_server valid -tls1_2 -WWW -cipher $suite
        row "TLS 1.2, $suite" ours cold-start 20 0 /body#
    done
    for suite in "${suites13[@]}"; do
        at_s_server valid -tls1_3 -WWW -ciphersuites $suite -record_padding 4096
        row "TLS 1.3, $suite, padded" ours cold-start 20 0 /body#
    done
    for preset in weak-key sha1 expired wrong-host; do
        at_s_server $preset -WWW -cipher DEFAULT@SECLEVEL=0
        row "refuses the certificate $preset" refuse "SSL alert number 4[25]"
    done
    at_s_server valid -tls1_1 -WWW -cipher DEFAULT@SECLEVEL=0
    row "refuses TLS 1.1" refuse "unsupported protocol"
fi

if with "our client" gnutls-serv gnutls-serv; then
    for v in 1.2 1.3; do
        at_gnutls valid $v
        row "TLS $v, tickets: a session goes on in 19 of 20 connections" renew_gnutls
        at_gnutls valid $v --noticket
        row "TLS $v, no tickets" ours cold-start 20 0
        for group in "${gnutls_groups[@]}"; do
            at_gnutls valid "$v:-GROUP-ALL:+GROUP-$group"
            row "TLS $v, group $group" ours cold-start 20 0
        done
        at_gnutls valid $v --recordsize 512
        row "TLS $v, small records" ours cold-start 20 0
        at_gnutls valid $v --x509cafile "$certs/client-authority.pem"
        row "TLS $v, asked for a certificate that it does not have" ours cold-start 20 0
        at_gnutls valid $v --x509cafile "$certs/client-authority.pem" --require-client-cert
        row "TLS $v, a certificate is required: fails" refuse "Error in handshake"
        for preset in ecdsa ed25519 long-chain unordered; do
            at_gnutls $preset $v
            row "TLS $v, the certificate $preset" ours cold-start 20 0
        done
        for preset in expired wrong-host; do
            at_gnutls $preset $v
            row "TLS $v, refuses the certificate $preset" refuse "Error in handshake"
        done
    done
    for cipher in "${gnutls_ciphers[@]}"; do
        at_gnutls valid "1.2:-CIPHER-ALL:+$cipher"
        row "TLS 1.2, $cipher" ours cold-start 20 0
        at_gnutls valid "1.3:-CIPHER-ALL:+$cipher"
        row "TLS 1.3, $cipher" ours cold-start 20 0
    done
    at_gnutls valid 1.1
    row "refuses TLS 1.1" refuse "Error in handshake"
fi

for module in openssl gnutls mbedtls nss wolfssl; do
    with "our client" "lighttpd, $module" lighttpd /usr/lib/lighttpd/mod_$module.so || continue
    for v in 1.2 1.3; do
        # Version 2 of Mbed TLS, which Debian 12 has, speaks no TLS 1.3.
        [ $module$v != mbedtls1.3 ] || continue
        at_lighttpd $module $v
        # That of Debian 12 ends each handshake that asks for an OCSP response, as openssl s_client -status does.
        if [ $module = wolfssl ]; then
            row "TLS $v, asked for an OCSP response: it gives up" ours cold-start 3 3
            continue
        fi
        row "TLS $v, 20 connections" ours cold-start 20 0 /close#
    done
    [ $module = wolfssl ] || row "300 MiB received" large
done

for program in python3 node java; do
    with "our client" $program $program || continue
    for v in 1.2 1.3; do
        launch $program "$(script $program)" serve PORT "$certs/valid.pem" "$certs/valid.key" $v
        # Node gives two tickets with a new session, and none when one goes on; a ticket of TLS 1.3 is good for once.
        if [ $program$v = node1.3 ]; then most=13; else most=19; fi
        row "TLS $v, tickets: a session goes on in $most of 20 connections" renew $v $most
        [ $v = 1.3 ] || continue
        row "TLS $v, 300 MiB received" large
        row "TLS $v, 256 MiB sent" upload
    done
done

# --- They ask our server

fine=(ecdsa ed25519 long-chain unordered)
bad=(expired expired-intermediate not-yet-valid wrong-host wildcard-top no-san self-signed untrusted-root
    missing-intermediate no-authority path-too-long name-constraint unknown-extension bad-signature wrong-usage)
ours_at good "{}"
ours_at required "{client-certificate: required}"
ours_at records "{record-size: 100}"
ours_at unticketed "{tickets: 0}"
for preset in "${fine[@]}" "${bad[@]}" wildcard; do ours_at $preset "{}" --tls $preset; done
small="^200 .*$(sha256sum <www/body | cut -c 1-64)" film="^200 .*$(sha256sum <film | cut -c 1-64)"

for program in curl wget python3 node java; do
    with "our server" $program $program || continue
    for v in 1.2 1.3; do
        row "TLS $v, 3 MB received" asked "$film" 1 $program $v - /film good
        [ $program = curl ] || [ $program = wget ] || row "TLS $v, a session goes on" goes_on $program $v
        row "TLS $v, the certificates ${fine[*]}" asked "$small" 4 $program $v - / "${fine[@]}"
        row "TLS $v, shows a certificate that is required" asked "$small" 1 $program $v client / required
        row "TLS $v, shows none: is refused" asked "^refused" 1 $program $v - / required
    done
    row "TLS 1.3, 3 MB received in records of 100 bytes" asked "$film" 1 $program 1.3 - /film records
    row "TLS 1.3, shows the certificate of a stranger: is refused" \
        asked "^refused" 1 $program 1.3 client-stranger / required
    refused=("${bad[@]}")
    # Wget does not ask what a certificate is for.
    [ $program != wget ] || unset 'refused[-1]'
    # Each says it in its own words, but none of them is about the connection.
    why="^refused .*(cert|usage|purpose|path|subtree|extension|signature|padding)"
    row "refuses ${#refused[@]} certificates, each for its own reason" \
        asked "$why" ${#refused[@]} $program 1.3 - / "${refused[@]}"
    case $program in
        curl)
            row "the certificate wildcard" ask_curl --resolve "www.a.test:${at[wildcard]#*:}:127.0.0.1" \
                "https://www.a.test:${at[wildcard]#*:}"
            row "3 MB sent" ask_curl -H Expect: -T film "https://${at[good]}/in"
            ;;
        wget)
            row "3 MB sent" wget -q --tries 1 --ca-certificate "$certs/authority.pem" --method PUT --body-file film \
                -O - "https://${at[good]}/in"
            ;;
    esac
done

if with "our server" "openssl s_client" openssl; then
    for v in 1.2 1.3; do
        only=-tls${v/./_}
        row "TLS $v, verify return code 0" talk "Verify return code: 0 " good $only
        row "TLS $v, a new session" talk "^New, TLSv$v" good $only -sess_out session
        row "TLS $v, it goes on" talk "^Reused, TLSv$v" good $only -sess_in session
        row "TLS $v, no tickets" talk "^New, TLSv$v" unticketed $only -sess_out unticketed
        row "TLS $v, h2 would be preferred: http/1.1" talk "^ALPN protocol: http/1.1" good $only -alpn h2,http/1.1
        row "TLS $v, only h2: is refused" silent "alert number 120" good $only -alpn h2
        for group in "${named[@]}"; do
            row "TLS $v, group $group" talk "^Server Temp Key: .*" good $only -groups $group
        done
        row "TLS $v, small records" talk "^New, TLSv$v" good $only -max_send_frag 512
        row "TLS $v, shows none: is refused" silent "alert number (40|116)" required $only
    done
    for suite in "${suites12[@]}"; do
        row "TLS 1.2, $suite" talk "Cipher is $suite" good -tls1_2 -cipher $suite
    done
    for suite in "${suites13[@]}"; do
        row "TLS 1.3, $suite, padded" talk "Cipher is $suite" good -ciphersuites $suite -record_padding 4096
    done
    row "TLS 1.3, new keys on both sides" after K talk "<<< .* KeyUpdate" good -tls1_3 -msg
    row "TLS 1.2, would agree anew: is refused" after R silent "no renegotiation" good -tls1_2
    row "TLS 1.1: is refused" silent "alert number 70" good -tls1_1 -cipher DEFAULT@SECLEVEL=0
fi

if with "our server" gnutls-cli gnutls-cli; then
    for v in 1.2 1.3; do
        row "TLS $v" talk_gnutls "Status: The certificate is trusted" $v good
        row "TLS $v, a session goes on" talk_gnutls "This is a resumed session" $v good --resume --waitresumption
        row "TLS $v, shows a certificate that is required" talk_gnutls "" $v required \
            --x509certfile "$certs/client.pem" --x509keyfile "$certs/client.key"
        row "TLS $v, shows none: is refused" silent_gnutls "Received alert" $v required
        row "TLS $v, no tickets" talk_gnutls "" $v unticketed --noticket
        row "TLS $v, h2 would be preferred: http/1.1" \
            talk_gnutls "Application protocol: http/1.1" $v good --alpn h2 --alpn http/1.1
        row "TLS $v, only h2: is refused" silent_gnutls "No supported application protocol" $v good --alpn h2
        for group in "${gnutls_groups[@]}"; do
            row "TLS $v, group $group" talk_gnutls "" "$v:-GROUP-ALL:+GROUP-$group" good
        done
        for cipher in "${gnutls_ciphers[@]}"; do
            row "TLS $v, $cipher" talk_gnutls "^- Description: .*$cipher" "$v:-CIPHER-ALL:+$cipher" good
        done
        row "TLS $v, small records" talk_gnutls "" $v good --recordsize 512
        row "TLS $v, answers in records of 100 bytes" talk_gnutls "" $v records
        for preset in "${fine[@]}"; do row "TLS $v, the certificate $preset" talk_gnutls "" $v $preset; done
    done
    row "TLS 1.1: is refused" silent_gnutls "Received alert|protocol version" 1.1 good
    for preset in expired not-yet-valid self-signed untrusted-root missing-intermediate wrong-host wrong-usage; do
        row "refuses the certificate $preset" silent_gnutls "certificate is NOT trusted" 1.3 $preset
    done
fi

if with "our server" "nginx as proxy" nginx; then
    for v in 1.2 1.3; do
        onward_nginx $v good
        row "TLS $v, 20 requests" ours cold-start 20 0 /hello
        [ $v = 1.2 ] || row "TLS $v, 300 MiB received" large /hello
        onward_nginx $v required "proxy_ssl_certificate $certs/client.pem; proxy_ssl_certificate_key $certs/client.key;"
        row "TLS $v, shows a certificate that is required" ours cold-start 20 0 /hello
        onward_nginx $v expired
        row "TLS $v, refuses the certificate expired" refuse "verify error: \(10:certificate has expired\)" /hello
        onward_nginx $v wrong-host
        row "TLS $v, refuses the certificate wrong-host" refuse "certificate does not match" /hello
    done
fi

if with "our server" "haproxy as proxy" haproxy; then
    for v in 1.2 1.3; do
        onward_haproxy $v good
        row "TLS $v, a session goes on in 19 of 20 connections" renew_behind $v
        [ $v = 1.2 ] || row "TLS $v, 300 MiB received" large
        onward_haproxy $v required "crt $certs/client.both"
        row "TLS $v, shows a certificate that is required" ours cold-start 20 0
        for preset in expired wrong-host; do
            onward_haproxy $v $preset
            row "TLS $v, refuses the certificate $preset" ours cold-start 3 3
        done
    done
fi

end
exit $failed
