// Made by certs/embed.py, which certs/make.sh runs.

extension ChainData {
    static let rest = [
        "not-yet-valid": "25 3",
        "path-too-long": "26 27 3",
        "responder": "28 3",
        "revoked": "29 3",
        "self-signed": "30",
        "sha1": "31 3",
        "stranger": "32",
        "unknown-extension": "33 3",
        "unordered": "34 1 3",
        "untrusted-root": "35 36",
        "valid": "37 3",
        "weak-key": "38 3",
        "wildcard-top": "39 3",
        "wildcard": "40 3",
        "wrong-host": "41 3",
        "wrong-usage": "42 3",
    ]
}
