#!/usr/bin/env bash
# Tries what our client keeps of answers with servers and caches of others: files with validators of nginx and Apache,
# and both as caches before them. Prints a table of what was tried:
#
#   UNDERSTUDY=.build/release/understudy CACHED_READER=Examples/.build/release/cached-reader Tests/Peers/cache.sh
#
# Peers that are not installed are named and left out. Debian has both in these packages: nginx apache2
# Exit status: 0 all that was tried is well, 1 something is not.
set -euo pipefail
cd "$(dirname "$0")/../.."

understudy=$(realpath "${UNDERSTUDY:-.build/release/understudy}")
client=$(realpath "${CACHED_READER:-Examples/.build/release/cached-reader}")
peers=$PWD/Tests/Peers
PATH=$PATH:/usr/sbin
. "$peers/peers.sh"
. "$peers/servers.sh"

# Servers that leave root behind read these, and write there.
chmod 755 "$directory"
mkdir -m 777 kept
policy=useProtocolCachePolicy past=reloadIgnoringLocalCacheData all=reloadIgnoringLocalAndRemoteCacheData
confirmed=reloadRevalidatingCacheData

# page FILE TEXT DATE: no two of them look alike to a server that compares lengths and seconds.
page() {
    mkdir -p "$(dirname "www/$1")"
    printf %s "$2" >www/new
    touch -d "$3" www/new
    # By another name first: no server reads half of it.
    mv www/new "www/$1"
}
pages() {
    for place in fresh asked dated silent packed moved; do page $place/page "one" "3 days ago"; done
    page packed/page.txt "$(printf 'one%.0s' $(seq 500))" "3 days ago"
}

# reader: a session of our client, with an empty cache, in place of the last.
reader() {
    leave
    coproc ours { exec "$client" 2>&1; }
    reading=$ours_PID
}
leave() {
    [ -n "${reading-}" ] || return 0
    eval "exec ${ours[1]}>&-"
    wait "$reading" || true
    reading=''
}
# gets PATTERN POLICY PATH [METHOD [BODY]]: what it prints is like that.
gets() {
    local said
    echo "${4-GET} $2 $url$3 ${5-}" >&"${ours[1]}"
    read -r -t 20 -u "${ours[0]}" said || said="nothing"
    echo "$said"
    [[ $said =~ $1 ]]
}
# twice FIRST SECOND POLICY PATH
twice() { gets "$1" "$3" "$4" && gets "$2" "$3" "$4"; }
# changed FILE FIRST SECOND: it is found changed, and then kept in its new form.
changed() {
    page "$1" "three" "1 hour ago"
    gets "$2" "$confirmed" "/$1" && gets "$3" "$policy" "/$1"
}
# alone COMMAND...: the server has stopped, and comes again with the same port for others.
alone() { stop && "$@"; }

net='^200 \[network 200\]' hit='^200 \[cache 200\]' again='^200 \[network 304, cache 200\]'

# The rows about a server with files; Cache-Control comes by the place.
files() {
    reader
    row "max-age: taken without a word" twice "$net .* one$" "$hit .* one$" $policy /fresh/page
    row "max-age: a 304 where it is to be confirmed" gets "$again .* one$" $confirmed /fresh/page
    row "max-age: a changed file is found so" changed fresh/page "$net .* three$" "$hit .* three$"
    row "no-cache and an ETag: a 304 each time" twice "$net .*ETag=\".* one$" "$again .*ETag=\".* one$" $policy /asked/page
    row "no-cache: a changed file is loaded, and then a 304" changed asked/page "$net .* three$" "$again .* three$"
    row "Last-Modified alone: a 304" twice "$net .*ETag= .* one$" "$again .*ETag= .* one$" $policy /dated/page
    row "Last-Modified alone: a changed file is loaded" changed dated/page "$net .* three$" "$again .* three$"
    row "nothing but a date of three days ago: taken for seven hours" twice "$net .* one$" "$hit .* one$" $policy /silent/page
    row "gzip, which varies and has a weak ETag: a 304" twice "$net .* (one)+" "$again .* (one)+" $policy /packed/page.txt
    row "a redirect with max-age: both taken without a word" \
        twice '^200 \[network 301, network 200\] .* one$' '^200 \[cache 301, cache 200\] .* one$' $policy /moved/here
    row "a HEAD: answered by what is kept" gets '^200 \[cache 200\]' $policy /fresh/page HEAD
    row "nothing of this is asked with returnCacheDataDontLoad" gets "$hit .* three$" returnCacheDataDontLoad /asked/page
}

# The rows about a cache between: what it says in X-Cache.
between() {
    reader
    row "a cache between: it misses, then ours hits" \
        twice "$net .*X-Cache=MISS.* one$" "$hit .*X-Cache=MISS.* one$" $policy /fresh/page
    row "a cache between: past ours, it hits" gets "$net .*X-Cache=HIT.* one$" $past /fresh/page
    row "a cache between: it confirms what is ours" gets "$again .*X-Cache=HIT.* one$" $confirmed /fresh/page
    page fresh/page three "1 hour ago"
    row "a cache between: a changed file stays hidden behind it" gets "$net .* one$" $past /fresh/page
    row "a cache between: past both, the server is asked" gets "$net .*X-Cache=$1.* three$" $all /fresh/page
    row "a cache between: ours has that now" gets "$hit .* three$" $policy /fresh/page
}

if with "our client" nginx nginx; then
    at_nginx_plain() {
        conf="daemon off; master_process off; pid pid; error_log stderr info; events { worker_connections 64; }
            http {
                access_log /dev/stdout; client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
                uwsgi_temp_path temp; scgi_temp_path temp; types { text/plain txt; } default_type text/plain;
                proxy_cache_path $directory/kept/nginx keys_zone=kept:1m;
                server {
                    listen unix:$directory/origin;
                    access_log off;
                    root $directory/www;
                    expires 60s;
                }
                server {
                    listen 127.0.0.1:PORT;
                    root $directory/www;
                    $1
                }
            }"
        rm -f origin
        launch "$(type -P nginx)" -p "$directory" -c server.conf -e stderr
        url=http://127.0.0.1:$port
    }
    pages
    at_nginx_plain "
        location /fresh/ { expires 60s; }
        location /asked/ { expires -1; }
        location /dated/ { etag off; add_header Cache-Control no-cache; }
        location /packed/ { gzip on; gzip_vary on; gzip_min_length 1; add_header Cache-Control no-cache; }
        location = /moved/here { add_header Cache-Control max-age=60; return 301 /moved/page; }
        location /moved/ { expires 60s; }
        location /errors/ { add_header Cache-Control 'max-age=0, stale-if-error=600'; }
        location /written/ { expires 60s; dav_methods PUT DELETE; }"
    files
    page written/page one "3 days ago"
    chmod 777 www/written
    row "PUT: kept before" gets "$net .* one$" $policy /written/page
    row "PUT: it is written" \
        gets '^204 \[network 204\]' $policy /written/page PUT fourth
    row "PUT: what was kept is out of date, and the new one is kept" twice "$net .* fourth$" "$hit .* fourth$" $policy /written/page
    page errors/page one "3 days ago"
    row "stale-if-error: kept" gets "$net .* one$" $policy /errors/page
    row "stale-if-error: the server is gone, and what is kept stands in" alone gets "cache 200\] .* one$" $policy /errors/page
    row "without it: the server is gone, and the task fails" gets "^failed" $policy /asked/page
    pages
    at_nginx_plain "
        location / {
            proxy_pass http://unix:$directory/origin:/; proxy_cache kept; proxy_cache_valid 200 1m;
            proxy_cache_bypass \$http_pragma; add_header X-Cache \$upstream_cache_status;
        }"
    between BYPASS
fi

if with "our client" Apache apache2; then
    at_apache() {
        apache_conf "mime env headers expires alias filter deflate cache cache_disk" "TypesConfig /dev/null
AddType text/plain .txt
ExpiresActive On
<Location />
    Require all granted
</Location>
$1"
        launch apache2 -D FOREGROUND -f "$directory/server.conf"
        url=http://127.0.0.1:$port
    }
    fresh='<Location /fresh/>
    ExpiresDefault "access plus 60 seconds"
</Location>'
    pages
    at_apache "$fresh
<Location /asked/>
    Header set Cache-Control no-cache
</Location>
<Location /dated/>
    Header set Cache-Control no-cache
</Location>
<Directory $directory/www/dated>
    FileETag None
</Directory>
<Location /packed/>
    Header set Cache-Control no-cache
    SetOutputFilter DEFLATE
</Location>
# By itself it appends a word that it does not know again.
DeflateAlterETag NoChange
<Location /moved/>
    Header always set Cache-Control max-age=60
</Location>
Redirect 301 /moved/here /moved/page"
    files
    pages
    at_apache "$fresh
CacheEnable disk /
CacheRoot $directory/kept
CacheHeader on"
    between MISS
fi

leave
exit $failed
