/// A file that holds all its mutants at once, each behind a run-time switch: `(mutant(7) ? (a <= b) : (a < b))`. One
/// build then serves every mutant.
struct Schema {
    private struct Edit {
        var offset: Int
        var removed = 0
        var text: String
        /// Among edits at one offset: what closes comes first, inner before outer; what opens follows, outer before
        /// inner.
        var rank: Int
    }

    let text: String

    /// `mutants` are in the order of the text, outer before inner.
    init(_ source: String, _ mutants: [Mutant]) {
        var edits: [Edit] = []
        for (index, mutant) in mutants.enumerated() {
            func insert(_ text: String, at offset: Int, removing removed: Int = 0, closes: Bool = false) {
                edits.append(Edit(offset: offset, removed: removed, text: text, rank: closes ? -1 - index : index))
            }
            // One mutant a line, so that a compiler's error tells which one is meant.
            switch mutant.form {
            case .expression(let range, let other):
                insert("(\nmutant(\(mutant.number)) ? (\(other)) : (", at: range.lowerBound)
                insert("))", at: range.upperBound, closes: true)
            case .statement(let range):
                insert("\nif !mutant(\(mutant.number)) { ", at: range.lowerBound)
                insert(" }", at: range.upperBound, closes: true)
            case .returnedCall(let range, let start):
                insert("\nif !mutant(\(mutant.number)) { ", at: start, removing: "return".utf8.count)
                insert(" }; return", at: range.upperBound, closes: true)
            }
        }
        edits.sort { ($0.offset, $0.rank) < ($1.offset, $1.rank) }
        let bytes = Array(source.utf8)
        var text = Array("import \(MutantSwitch.module)\n".utf8)
        var copied = 0
        for edit in edits {
            text += bytes[copied..<edit.offset]
            text += Array(edit.text.utf8)
            copied = edit.offset + edit.removed
        }
        text += bytes[copied...]
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// The mutant that line `line` (from 1) is about: the last one that begins there or before.
    func mutant(atLine line: Int) -> Int? {
        for text in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(line).reversed() {
            if let match = text.firstMatch(of: /mutant\((\d+)\)/) { return Int(match.1) }
        }
        return nil
    }

    /// The first one that begins at that line (from 1) or behind it.
    func mutant(fromLine line: Int) -> Int? {
        for text in text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1) {
            if let match = text.firstMatch(of: /mutant\((\d+)\)/) { return Int(match.1) }
        }
        return nil
    }
}
