# For tls.sh: the servers of both sides, each at a free port of the loopback interface.

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

# apache_conf MODULES DIRECTIVES: $conf for an Apache in clear that serves the files of www.
apache_modules=/usr/lib/apache2/modules
apache_conf() {
    local module loaded=''
    for module in mpm_event authz_core $1; do
        loaded+="LoadModule ${module}_module $apache_modules/mod_$module.so"$'\n'
    done
    conf="ServerRoot $directory
ServerName localhost
Listen 127.0.0.1:PORT
PidFile $directory/apache.pid
ErrorLog /dev/stderr
Mutex file:$directory
$loaded
User www-data
Group www-data
DocumentRoot $directory/www
KeepAlive On
$2"
}

# onward_nginx VERSION NAME [DIRECTIVES]: its /hello/ is / of our server.
onward_nginx() {
    at_nginx "location /hello/ { proxy_pass https://${at[$2]}/; proxy_http_version 1.1; proxy_ssl_protocols TLSv$1;
        proxy_ssl_name localhost; proxy_ssl_server_name on; proxy_ssl_verify on; proxy_ssl_verify_depth 3;
        proxy_ssl_trusted_certificate $certs/authority.pem; ${3-} }"
}

# at_haproxy BIND SERVER [RULE]: it hands on to that server, unless the rule says otherwise.
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
    ${3-}
    default_backend back
backend back
    http-response set-header Connection close if { capture.req.uri /close }
    server back $2"
    launch "$(type -P haproxy)" -db -f server.conf
}

# onward_haproxy VERSION NAME [OPTIONS]
onward_haproxy() {
    local trust="verify required ca-file $certs/authority.pem sni str(localhost) verifyhost localhost"
    at_haproxy "crt $certs/valid.both" "${at[$2]} ssl $trust ssl-min-ver TLSv$1 ssl-max-ver TLSv$1 ${3-}"
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

