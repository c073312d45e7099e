// Made by certs/embed.py, which certs/make.sh runs.

/// The numbers of the certificates that each preset sends, by its name.
enum ChainData {
    static let texts = [
        "authority": "1",
        "bad-signature": "2 3",
        "client-authority": "4",
        "client-expired": "5",
        "client-stranger": "6",
        "client": "7",
        "ecdsa": "8 3",
        "ed25519": "9 3",
        "expired-intermediate": "10 11",
        "expired": "12 3",
        "intermediate": "3",
        "long-chain": "13 14 15 16 17 18",
        "missing-intermediate": "19",
        "name-constraint": "20 21",
        "no-authority": "22 23",
        "no-san": "24 3",
    ]
}
