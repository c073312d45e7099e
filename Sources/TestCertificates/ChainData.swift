// Made by certs/embed.py, which certs/make.sh runs.

/// The numbers of the certificates that each preset sends, by its name.
enum ChainData {
    static let parts = [part1]

    static let part1 = [
        "authority": "1",
        "bad-signature": "2 3",
        "client-authority": "4",
        "client-expired": "5",
        "client-stranger": "6",
        "client": "7",
        "deep-chain": """
        8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42
        43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77
        78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108
        """,
        "ecdsa": "109 3",
        "ed25519": "110 3",
        "expired-intermediate": "111 112",
        "expired": "113 3",
        "intermediate": "3",
        "international": "114 3",
        "long-chain": "115 116 117 118 119 120",
        "many-names": "121 3",
        "missing-intermediate": "122",
        "name-constraint": "123 124",
        "negative-serial": "125 3",
        "no-authority": "126 127",
        "no-san": "128 3",
        "not-yet-valid": "129 3",
        "nul-name": "130 3",
        "overlong-date": "131 3",
        "path-too-long": "132 133 3",
        "responder": "134 3",
        "revoked": "135 3",
        "self-signed": "136",
        "sha1": "137 3",
        "stranger": "138",
        "unknown-extension": "139 3",
        "unordered": "140 1 3",
        "untrusted-root": "141 142",
        "valid": "143 3",
        "weak-key": "144 3",
        "wildcard-top": "145 3",
        "wildcard": "146 3",
        "wrong-host": "147 3",
        "wrong-usage": "148 3",
    ]
}
