// Made by certs/embed.py, which certs/make.sh runs.

extension ChainData {
    static let rest = [
        "not-yet-valid": "25 3",
        "path-too-long": "26 27 3",
        "revoked": "28 3",
        "self-signed": "29",
        "sha1": "30 3",
        "stranger": "31",
        "unknown-extension": "32 3",
        "unordered": "33 1 3",
        "untrusted-root": "34 35",
        "valid": "36 3",
        "weak-key": "37 3",
        "wildcard-top": "38 3",
        "wildcard": "39 3",
        "wrong-host": "40 3",
        "wrong-usage": "41 3",
    ]
}
