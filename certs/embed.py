#!/usr/bin/env python3
"""Writes the presets into Swift sources, so that `understudy` has them wherever it is installed. make.sh runs this.

Each certificate stands there once, however many presets send it.
"""
import base64
import glob
import os
import re
import textwrap

FOLDER = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(FOLDER, "..", "Sources", "TestCertificates")
BLOCK = re.compile(r"-----BEGIN ([A-Z ]+)-----(.*?)-----END \1-----", re.S)


def blocks(path):
    """The contents of a PEM file, in Base64."""
    with open(path, encoding="utf-8") as file:
        return ["".join(text.split()) for _, text in BLOCK.findall(file.read())]


def entry(name, text):
    lines = textwrap.wrap(text, 104)
    return f'        "{name}": """\n' + "".join(f"        {line}\n" for line in lines) + '        """,\n'


def write(name, comment, entries):
    """In files of some 300 lines: all of it would be too long for one."""
    parts, lines = [[]], 0
    for text in entries:
        if lines > 0 and lines + text.count("\n") > 300:
            parts.append([])
            lines = 0
        parts[-1].append(text)
        lines += text.count("\n")
    for old in glob.glob(os.path.join(TARGET, f"{name}+*.swift")):
        os.remove(old)
    for number, part in enumerate(parts, 1):
        opening = f"extension {name} {{\n    static let part{number} = [\n"
        file_name = f"{name}+{number}"
        if number == 1:
            names = ", ".join(f"part{one + 1}" for one in range(len(parts)))
            opening = f"/// {comment}\nenum {name} {{\n    static let parts = [{names}]\n\n    static let part1 = [\n"
            file_name = name
        with open(os.path.join(TARGET, file_name + ".swift"), "w", encoding="utf-8") as file:
            file.write("// Made by certs/embed.py, which certs/make.sh runs.\n\n")
            if len(part) == 1:
                part = [part[0].removesuffix(",\n") + "\n"]
            file.write(f"{opening}{''.join(part)}    ]\n}}\n")


def main():
    known, order, chains, keys = {}, [], [], []
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.pem"))):
        name = os.path.basename(path)[: -len(".pem")]
        numbers = []
        for certificate in blocks(path):
            if certificate not in known:
                known[certificate] = str(len(known) + 1)
                order.append(certificate)
            numbers.append(known[certificate])
        chain = " ".join(numbers)
        chains.append(entry(name, chain) if len(chain) > 80 else f'        "{name}": "{chain}",\n')
        keys.append((name, blocks(path[: -len(".pem")] + ".key")[0]))
    write("CertificateData", "Certificates in DER, in Base64, by number.", [entry(known[c], c) for c in order])
    write("ChainData", "The numbers of the certificates that each preset sends, by its name.", chains)
    write("KeyData", "Private keys in PKCS#8, in Base64, by the preset's name.", [entry(*key) for key in keys])


main()
