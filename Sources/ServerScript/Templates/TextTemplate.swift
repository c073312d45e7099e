/// A text with words for what a request brings, cut at these words when the script is read.
package struct TextTemplate: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case word(TemplateWord, in: Place)
    }

    /// Where a word stands, which decides how what is put in is written.
    package enum Place: Hashable, Sendable {
        case plain
        /// Within the quotes of a text of JSON: as JSON has it.
        case jsonText
        /// Behind this beginning of a line of `data` or of a comment in an event stream: each of its lines gets the
        /// same beginning (WHATWG HTML 9.2.6).
        case eventLines(String)
        /// In another field of an event stream, which has one line.
        case eventField
    }

    package let pieces: [Piece]

    /// Nil for a text without a dollar sign before one of the words. `$$request.method` is the word itself.
    package init?(_ text: String, isEventStream: Bool = false) {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
        var pieces: [Piece] = []
        var pending = String.UnicodeScalarView()
        var hasWord = false
        var rest = text.unicodeScalars[...]
        var place = TemplatePlace(text, isEventStream: isEventStream)
        while let scalar = rest.popFirst() {
            place.pass(scalar, before: rest)
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
            pieces.append(.word(word, in: place.place))
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
