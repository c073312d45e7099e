/// A pattern over case ids, as given on the command line.
///
/// A word without a star selects the case, or all cases below it: `redirect`, `redirect/post-becomes-get`,
/// `redirect/post-becomes-get/307`. `*` stands for any characters but `/`, `**` for any characters.
package struct CasePattern: Hashable, Sendable {
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Hashable, Sendable {
        case character(Character)
        case within
        case anywhere
    }

    package init(_ text: String) {
        // People complete file names with the Tab key.
        var text = text
        if text.hasPrefix("./") { text.removeFirst(2) }
        if text.hasPrefix("scenarios/") { text.removeFirst("scenarios/".count) }
        for ending in [".yaml", "/"] where text.hasSuffix(ending) { text.removeLast(ending.count) }
        self.text = text
        pieces = CasePattern.pieces(of: text)
    }

    package func matches(_ id: String) -> Bool {
        if !pieces.contains(where: { $0 == .within || $0 == .anywhere }) { return id == text || id.hasPrefix(text + "/") }
        return CasePattern.matches(pieces, Array(id))
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        for character in text {
            guard character == "*" else {
                pieces.append(.character(character))
                continue
            }
            if let last = pieces.last, last == .within || last == .anywhere {
                pieces[pieces.count - 1] = .anywhere
            } else {
                pieces.append(.within)
            }
        }
        return pieces
    }

    /// One row of the table of (piece, character) pairs at a time, so that no pattern takes exponential time.
    private static func matches(_ pieces: [Piece], _ characters: [Character]) -> Bool {
        var reachable = [true] + Array(repeating: false, count: characters.count)
        for piece in pieces {
            var next = Array(repeating: false, count: characters.count + 1)
            for position in 0...characters.count {
                let before = position > 0 ? characters[position - 1] : nil
                switch piece {
                case .character(let wanted): next[position] = before == wanted && reachable[position - 1]
                case .anywhere: next[position] = reachable[position] || position > 0 && next[position - 1]
                case .within:
                    next[position] = reachable[position] || before.map { $0 != "/" && next[position - 1] } ?? false
                }
            }
            reachable = next
        }
        return reachable[characters.count]
    }
}

/// `i/n`: this part of a run that is divided over n machines.
package struct Shard: Hashable, Sendable {
    package let index: Int
    package let count: Int

    /// Nil unless 1 <= i <= n.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), index >= 1, index <= count,
            count <= 10_000
        else { return nil }
        self.index = index
        self.count = count
    }

    /// Neighbours go to different shards, so that slow topics are divided too.
    package func contains(ordinal: Int) -> Bool { ordinal % count == index - 1 }
}
