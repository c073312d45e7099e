/// A text with words for what a request brings, cut at these words when the script is read.
package struct TextTemplate: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        /// Inside of a text of JSON what is put in is written as JSON has it.
        case word(TemplateWord, isInJSONText: Bool)
    }

    package let pieces: [Piece]

    /// Nil for a text without a dollar sign before one of the words. `$$request.method` is the word itself.
    package init?(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
        let isJSON = text.utf8.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
        var pieces: [Piece] = []
        var pending = String.UnicodeScalarView()
        var hasWord = false, isQuoted = false, isEscaped = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && !isEscaped
            guard scalar == "$" else {
                pending.append(scalar)
                continue
            }
            let more = rest.prefix { $0 == "$" }.count
            guard let (word, count) = TemplateWord.read(rest.dropFirst(more)) else {
                pending.append(scalar)
                continue
            }
            hasWord = true
            rest = rest.dropFirst(more)
            // Two stand for one, and only the odd one asks for a value.
            pending += repeatElement("$", count: (more + 1) / 2)
            guard more.isMultiple(of: 2) else { continue }
            if !pending.isEmpty { pieces.append(.text(String(pending))) }
            pending = String.UnicodeScalarView()
            pieces.append(.word(word, isInJSONText: isJSON && isQuoted))
            rest = rest.dropFirst(count)
        }
        guard hasWord else { return nil }
        if !pending.isEmpty || pieces.isEmpty { pieces.append(.text(String(pending))) }
        self.pieces = pieces
    }

    package var words: [TemplateWord] {
        pieces.compactMap { piece in
            if case .word(let word, _) = piece { return word }
            return nil
        }
    }

    /// The text, if no word is left in it.
    package var plain: String? {
        guard words.isEmpty else { return nil }
        return pieces.reduce("") { result, piece in
            if case .text(let text) = piece { return result + text }
            return result
        }
    }
}
