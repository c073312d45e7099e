#!/usr/bin/env bash
# Tries permanent credentials with a real Secret Service, gnome-keyring's, on a session bus of its own. Prints a table of
# what was tried:
#
#   FILE_WRITER=.build/release/file-writer Tests/Peers/secret-service.sh
#
# Left out where its peers are not installed. Debian has them in these packages:
#   libsecret-1-0 gnome-keyring dbus
# Exit status: 0 all that was tried is well, 1 something is not.
set -euo pipefail
cd "$(dirname "$0")/../.."

writer=$(realpath "${FILE_WRITER:-.build/release/file-writer}")
if ! ldconfig -p | grep -q 'libsecret-1\.so\.0' || ! type -P gnome-keyring-daemon dbus-run-session >/dev/null; then
    echo "libsecret, gnome-keyring or dbus-run-session is not installed"
    exit
fi
if [ "${1:-}" != on-the-bus ]; then
    directory=$(mktemp -d)
    trap 'rm -rf "$directory"' EXIT
    # No display: what would ask the user must fail instead.
    env -u DISPLAY -u WAYLAND_DISPLAY HOME="$directory" XDG_RUNTIME_DIR="$directory" FILE_WRITER="$writer" \
        dbus-run-session -- Tests/Peers/secret-service.sh on-the-bus
    exit
fi

failed=0 file=$HOME/credentials.json
row() {
    if eval "$2"; then result=ok; else result=FAILED failed=1; fi
    printf '%-72s  %s\n' "$1" "$result"
}
# keeps USER COUNT: as a program of that name would.
keeps() { timeout 60 "$writer" "$file" "$1" "$2" credentials understudy-test >/dev/null; }
users() { timeout 60 "$writer" "$file" - 0 users understudy-test | tr '\n' ' '; }
call() { dbus-send --session --print-reply --dest="$1" "$2" "$3" "${@:4}"; }

env -u DBUS_SESSION_BUS_ADDRESS "$writer" "$file" a 2 credentials understudy-test >/dev/null
row "without a bus they are in the file" 'grep -q a-1 "$file"'
cp -p "$file" "$HOME/earlier"
printf %s "a password" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
keeps b 2
row "with a service the file says only that they are there" '[ "$(cat "$file")" = "{\"secretService\":2}" ]'
row "those of the file came along" '[ "$(users)" = "a-0 a-1 b-0 b-1 " ]'
file=$HOME/other.json keeps z 1
row "another file has a secret of its own" '[ "$(users)" = "a-0 a-1 b-0 b-1 " ] && [ "$(file=$HOME/other.json users)" = "z-0 " ]'
row "the service has them encrypted" '! grep -rq b-1 "$HOME"'

cp -p "$HOME/earlier" "$file"
keeps f 1
row "a file of an earlier day takes nothing from what was kept since" '[ "$(users)" = "a-0 a-1 b-0 b-1 f-0 " ]'
item=$(call org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service.SearchItems \
    dict:string:string:file,"$file" | sed -n 's/.*object path "\(.*\)"/\1/p')
call org.freedesktop.secrets "$item" org.freedesktop.Secret.Item.Delete >/dev/null
row "what its user removes there is gone" 'found=$(users) && [ -z "$found" ]'
keeps g 2
row "and what comes then is kept" '[ "$(users)" = "g-0 g-1 " ]'
said=$(cat "$file")

service=$(call org.freedesktop.DBus / org.freedesktop.DBus.GetConnectionUnixProcessID \
    string:org.freedesktop.secrets | awk '/uint32/ { print $2 }')
kill -STOP "$service"
keeps c 1
row "a service that hangs holds up nobody for ever, and what it has stays" '[ "$(cat "$file")" = "$said" ]'
kill -CONT "$service"
row "what it has is there again" '[ "$(users)" = "g-0 g-1 " ]'
call org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock \
    array:objpath:/org/freedesktop/secrets/collection/login >/dev/null
keeps d 1
row "what is locked is not touched, and nobody is asked" '[ "$(cat "$file")" = "$said" ] && found=$(users) && [ -z "$found" ]'
kill "$service"
keeps e 1
row "one that is gone takes nothing along" '[ "$(cat "$file")" = "$said" ]'
exit $failed
