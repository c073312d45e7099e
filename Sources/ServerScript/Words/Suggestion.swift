/// Finds the word that was probably meant.
package enum Suggestion {
    /// `did you mean 'reply'? allowed: conn, fault, ...`
    package static func remedy(for word: String, among allowed: [String]) -> String {
        let list = "allowed: " + allowed.sorted().joined(separator: ", ")
        guard let nearest = nearest(to: word, among: allowed) else { return list }
        return "did you mean '\(nearest)'? \(list)"
    }

    /// The closest of `candidates`, unless all are too far away to be a slip of the fingers.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates.sorted() where candidate != word {
            let distance = distance(Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
            guard distance <= max(1, min(word.utf8.count, candidate.utf8.count) / 3) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Whether it is this word, but for its case, a letter too many or too few, two that are swapped, or, where the
    /// word is not short, another letter: `site` may well be meant, and not be `size`.
    package static func isSlip(_ word: String, for meant: String) -> Bool {
        guard word != meant, word.utf8.count <= 64 else { return false }
        let word = Array(word.lowercased().utf8), meant = Array(meant.lowercased().utf8)
        let isShort = meant.count <= 5 && word.count == meant.count
        return distance(word, meant) <= 1 && (!isShort || word.sorted() == meant.sorted())
    }

    /// Insertions, deletions, replacements and swaps of neighbours (Damerau, restricted).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
