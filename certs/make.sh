#!/usr/bin/env bash
# Makes all certificates anew; `make certs` runs this. The table below says which, README.md what they are for.
# With names it makes only those, such as new ones, and all others stay as they are: certs/make.sh international
# RSA nearly everywhere, because every TLS client can use it and its signatures do not depend on a random number.
set -euo pipefail
cd "$(dirname "$0")"

SCRATCH=$(mktemp -d)
MANY_NAMES="$(printf 'DNS:%s.test,' {10001..11999})DNS:a.test"
export SCRATCH MANY_NAMES
trap 'rm -rf "$SCRATCH"' EXIT
mkdir "$SCRATCH/out"
: >"$SCRATCH/index.txt"
echo 01 >"$SCRATCH/serial"
wanted=("$@")
if [ $# != 0 ]; then
    # Authorities that are here sign again, each time with a number that none has.
    cp ./*.pem ./*.key "$SCRATCH/"
    for file in *.pem; do openssl x509 -in "$file" -noout -serial; done | sed -n 's/^serial=\([0-9A-F]*\)$/\1/p' |
        while read -r number; do echo $((16#$number)); done | sort -n | tail -1 |
        { read -r last && printf '%04X\n' $((last + 1)); } >"$SCRATCH/serial"
fi
wants() { [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# openssl tells much when all is well.
quietly() { "$@" 2>"$SCRATCH/log" || { cat "$SCRATCH/log" >&2; exit 1; }; }

# sign NAME SIGNER DATES EXTENSIONS KEY: a key, and a certificate for it. Both stay in the scratch folder.
# $digest is what is signed; $subject the common name.
sign() {
    wants "$1" || return 0
    local name=$1 signer=$2 dates=$3 extensions=$4 kind=$5
    local made=$SCRATCH/$name request=$SCRATCH/request key from until by
    case $kind in
        rsa*) key=(-algorithm RSA -pkeyopt "rsa_keygen_bits:${kind#rsa}") ;;
        p256) key=(-algorithm EC -pkeyopt ec_paramgen_curve:P-256) ;;
        ed25519) key=(-algorithm ED25519) ;;
    esac
    case $dates in
        always) from=2010 until=2120 ;; # longer than all that is signed, so that only one date is wrong at a time
        valid) from=2020 until=2120 ;;
        past) from=2015 until=2019 ;;
        future) from=2110 until=2120 ;;
    esac
    echo "For tests only: this key is public. Nothing may trust it." >"$made.key"
    quietly openssl genpkey "${key[@]}" >>"$made.key"
    quietly openssl req -new -config openssl.cnf -key "$made.key" -subj "/CN=${subject:-Understudy test $name}" \
        -out "$request"
    if [ "$signer" = "$name" ]; then by=(-selfsign); else by=(-cert "$SCRATCH/$signer.pem"); fi
    quietly openssl ca -batch -notext -config openssl.cnf -extensions "$extensions" -md "${digest:-sha256}" \
        -startdate "${from}0101000000Z" -enddate "${until}0101000000Z" "${by[@]}" -keyfile "$SCRATCH/$signer.key" \
        -in "$request" -out "$made.pem"
}

# keep NAME AUTHORITY...: into the folder, with the authorities that are sent after it.
keep() {
    wants "${1%.pem}" || return 0
    cat "${@/#/$SCRATCH/}" >"$SCRATCH/out/$1"
    cp "$SCRATCH/${1%.pem}.key" "$SCRATCH/out/"
}

# make NAME SIGNER DATES EXTENSIONS KEY AUTHORITY...
make() {
    sign "${@:1:5}"
    set -- "$1" "${@:6}"
    keep "${@/%/.pem}"
}

#    name                  signed by             dates  extensions        key     sent after it
make authority             authority             always root              rsa2048
make intermediate          authority             always intermediate      rsa2048
make stranger              stranger              always root              rsa2048
make client-authority      client-authority      always root              rsa2048
make responder             intermediate          always responder         rsa2048 intermediate
sign stranger-intermediate stranger              always intermediate      rsa2048
sign old-intermediate      authority             past   intermediate      rsa2048
sign narrow-intermediate   authority             always narrow            rsa2048
sign sub-intermediate      intermediate          always intermediate      rsa2048
sign pretender             authority             always pretender         rsa2048
sign link-5                authority             always link              rsa2048
sign link-4                link-5                always link              rsa2048
sign link-3                link-4                always link              rsa2048
sign link-2                link-3                always link              rsa2048
sign link-1                link-2                always link              rsa2048

make valid                 intermediate          valid  server            rsa2048 intermediate
make ecdsa                 intermediate          valid  signing-server    p256    intermediate
make ed25519               intermediate          valid  signing-server    ed25519 intermediate
make wildcard              intermediate          valid  wildcard          rsa2048 intermediate
make international         intermediate          valid  international     rsa2048 intermediate
make long-chain            link-1                valid  server            rsa2048 link-1 link-2 link-3 link-4 link-5
make unordered             intermediate          valid  server            rsa2048 authority intermediate

make expired               intermediate          past   server            rsa2048 intermediate
make expired-intermediate  old-intermediate      always server            rsa2048 old-intermediate
make not-yet-valid         intermediate          future server            rsa2048 intermediate
make wrong-host            intermediate          valid  other-host        rsa2048 intermediate
make wildcard-top          intermediate          valid  wildcard-top      rsa2048 intermediate
subject=localhost \
make no-san                intermediate          valid  no-san            rsa2048 intermediate
make self-signed           self-signed           valid  server            rsa2048
make untrusted-root        stranger-intermediate valid  server            rsa2048 stranger-intermediate
make missing-intermediate  intermediate          valid  server            rsa2048
make wrong-usage           intermediate          valid  wrong-usage       rsa2048 intermediate
make weak-key              intermediate          valid  server            rsa1024 intermediate
digest=sha1 \
make sha1                  intermediate          valid  server            rsa2048 intermediate
make revoked               intermediate          valid  server            rsa2048 intermediate
make no-authority          pretender             valid  server            rsa2048 pretender
make path-too-long         sub-intermediate      valid  server            rsa2048 sub-intermediate intermediate
make name-constraint       narrow-intermediate   valid  server            rsa2048 narrow-intermediate
make unknown-extension     intermediate          valid  unknown-extension rsa2048 intermediate
sign bad-signature         intermediate          valid  server            rsa2048

# Hostile ones
sign negative-serial       intermediate          valid  server            rsa2048
sign overlong-date         intermediate          valid  server            rsa2048
make nul-name              intermediate          valid  nul-name          rsa2048 intermediate
make many-names            intermediate          valid  many-names        rsa2048 intermediate
above=authority
for number in {100..1}; do
    subject=$number \
    sign "deep-$number"    $above                always bare-link         p256
    above=deep-$number
done
make deep-chain            deep-1                valid  server            rsa2048 deep-{1..100}

make client                client-authority      valid  client            rsa2048
make client-expired        client-authority      past   client            rsa2048
make client-stranger       stranger              valid  client            rsa2048

# finish: into the folder.
finish() {
    chmod 644 "$SCRATCH"/out/*
    mv "$SCRATCH"/out/* .
    python3 embed.py
    exit
}
[ ${#wanted[@]} = 0 ] || finish

openssl x509 -badsig -in "$SCRATCH/bad-signature.pem" -out "$SCRATCH/corrupt"
mv "$SCRATCH/corrupt" "$SCRATCH/bad-signature.pem"
keep bad-signature.pem intermediate.pem

for name in negative-serial overlong-date; do
    python3 bend.py "$SCRATCH/$name.pem" "$SCRATCH/intermediate.key" $name "$SCRATCH/bent"
    mv "$SCRATCH/bent" "$SCRATCH/$name.pem"
    keep $name.pem intermediate.pem
done

# `openssl ca -revoke` would write today's date, which is after the simulator's.
sed -i.before '/ revoked$/s/^V\(.[0-9]*Z.\)/R\1200102000000Z/' "$SCRATCH/index.txt"
quietly openssl ca -gencrl -config openssl.cnf -cert "$SCRATCH/intermediate.pem" \
    -keyfile "$SCRATCH/intermediate.key" -md sha256 \
    -crl_lastupdate 20200102000000Z -crl_nextupdate 21200101000000Z -out "$SCRATCH/out/intermediate.crl"

# pack IDENTITY FILE OPTION...: by itself, OpenSSL 3 encrypts with AES and PBKDF2; with -legacy, with RC2 and 3DES.
pack() {
    openssl pkcs12 -export -in "$SCRATCH/$1.pem" -inkey "$SCRATCH/$1.key" -name "$1" -passout pass:understudy \
        "${@:3}" -out "$SCRATCH/out/$2.p12"
}
pack client client
pack client-expired client-expired
pack client-stranger client-stranger
pack client client-legacy -legacy

# Only now, so that a failure leaves the folder as it was; and without what is no longer made.
rm -f ./*.pem ./*.key ./*.p12 ./*.crl
finish
