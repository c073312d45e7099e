/// A name as it is read, byte by byte: whether it is a secret's. However long it is, no more is kept than a word.
///
/// Words are runs of letters, and what begins with a capital in one (`accessToken`); letters may be percent-encoded.
struct SecretName {
    private enum Escape {
        case none
        case begun
        case half(UInt8)
    }

    private var hasSecretWord = false
    private var run: [UInt8] = []
    /// The same from its last capital on.
    private var word: [UInt8] = []
    private var isBehindSmallLetter = false
    private var escape = Escape.none

    var isSecret: Bool { hasSecretWord || Secrets.isSecret(word: run) || Secrets.isSecret(word: word) }

    mutating func take(_ byte: UInt8) {
        switch (escape, ASCII.hexValue(byte)) {
        case (.none, _) where byte != UInt8(ascii: "%"): letter(byte)
        case (.none, _): escape = .begun
        case (.begun, let high?): escape = .half(high)
        case (.half(let high), let low?):
            escape = .none
            letter(high << 4 | low)
        default:
            escape = .none
            letter(byte)
        }
    }

    private mutating func letter(_ byte: UInt8) {
        guard ASCII.isLetter(byte) else {
            guard !run.isEmpty else { return }
            hasSecretWord = isSecret
            run.removeAll(keepingCapacity: true)
            word.removeAll(keepingCapacity: true)
            isBehindSmallLetter = false
            return
        }
        let small = ASCII.lowercased(byte)
        if small != byte, isBehindSmallLetter {
            hasSecretWord = hasSecretWord || Secrets.isSecret(word: word)
            word.removeAll(keepingCapacity: true)
        }
        isBehindSmallLetter = small == byte
        // One letter more than any secret's word has, and it is none.
        if run.count <= Secrets.longestWord { run.append(small) }
        if word.count <= Secrets.longestWord { word.append(small) }
    }
}
