#!/usr/bin/env bash
# Makes the certificates anew: an authority, and one server certificate that it signed. `make certs` runs this.
# RSA, because every TLS client can use it and its signatures do not depend on a random number.
set -euo pipefail
cd "$(dirname "$0")"

days=36500
config=openssl.cnf
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

key() { openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$1" 2>/dev/null; }

key authority.key
COMMON_NAME="Understudy test authority" openssl req -x509 -new -sha256 -days "$days" -config "$config" \
    -extensions authority -key authority.key -out authority.pem

key server.key
COMMON_NAME="localhost" openssl req -new -sha256 -config "$config" -key server.key -out "$scratch/server.csr"
COMMON_NAME="localhost" openssl x509 -req -sha256 -days "$days" -in "$scratch/server.csr" -extfile "$config" \
    -extensions server -CA authority.pem -CAkey authority.key -set_serial 2 -out server.pem 2>/dev/null

chmod 644 authority.key server.key
