#!/usr/bin/env python3
"""bend.py IN KEY CHANGE OUT: a certificate with something in it that `openssl ca` writes for nobody; make.sh runs this.

The change is made in what is signed, and KEY, that of the issuer, signs it anew.
"""
import base64
import re
import subprocess
import sys


def read(data, at=0):
    """The tag at a place in DER, where its content begins, and where it ends."""
    length, start = data[at + 1], at + 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(data[at + 2 : start], "big")
    return data[at], start, start + length


def pieces(data):
    """The elements of a structure, each whole."""
    at, found = 0, []
    while at < len(data):
        end = read(data, at)[2]
        found.append(data[at:end])
        at = end
    return found


def made(tag, content):
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    digits = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def content(element):
    _, start, end = read(element)
    return element[start:end]


def negative_serial(parts):
    parts[1] = made(0x02, b"\xfb")


def overlong_date(parts):
    """As GeneralizedTime, with fifty digits of a second that RFC 5280 4.1.2.5.2 does not allow."""
    first, _ = pieces(content(parts[4]))
    parts[4] = made(0x30, first + made(0x18, b"21200101000000." + b"0" * 49 + b"1Z"))


def main():
    source, key, change, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        text = re.search("BEGIN CERTIFICATE-----(.*?)-----END", file.read(), re.S)[1]
    signed, algorithm, _ = pieces(content(base64.b64decode(text)))
    parts = pieces(content(signed))
    {"negative-serial": negative_serial, "overlong-date": overlong_date}[change](parts)
    signed = made(0x30, b"".join(parts))
    command = ["openssl", "dgst", "-sha256", "-sign", key]
    signature = subprocess.run(command, input=signed, stdout=subprocess.PIPE, check=True).stdout
    bent = made(0x30, signed + algorithm + made(0x03, b"\0" + signature))
    with open(target, "w", encoding="utf-8") as file:
        file.write("-----BEGIN CERTIFICATE-----\n")
        file.write(base64.encodebytes(bent).decode().replace("\n", "") + "\n")
        file.write("-----END CERTIFICATE-----\n")


main()
