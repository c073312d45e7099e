/// Swift source cut into what the tidy rules look at: words and marks of code, comments, and string literals.
///
/// Not a parser. Code inside a string's interpolation counts as part of the string.
struct SwiftTokens: Sendable {
    struct Piece: Hashable, Sendable {
        var text: String
        /// Counted from 1; where the piece begins.
        var line: Int
    }

    private(set) var code: [Piece] = []
    private(set) var comments: [Piece] = []
    private(set) var literals: [Piece] = []
    /// Where in `code` each word stands.
    private var places: [String: [Int]] = [:]

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
        while position < bytes.count { step() }
        for (index, piece) in code.enumerated() { places[piece.text, default: []].append(index) }
    }

    /// Where these words and marks stand in `code`, one after another.
    func occurrences(of words: [String]) -> [Int] {
        guard let first = words.first, let starts = places[first] else { return [] }
        return starts.filter { start in
            start + words.count <= code.count && words.indices.allSatisfy { code[start + $0].text == words[$0] }
        }
    }

    private mutating func step() {
        switch (bytes[position], peek(1)) {
        case (0x0A, _): advance()
        case (0x20, _), (0x09, _), (0x0D, _): position += 1
        case (0x2F, 0x2F): take(.comments) { $0.skipLine() }  // a line comment
        case (0x2F, 0x2A): take(.comments) { $0.skipBlockComment() }
        case (0x22, _): take(.literals) { $0.skipString(hashes: 0) }
        case (0x23, _) where hashesBeforeQuote != nil:
            let hashes = hashesBeforeQuote ?? 0
            take(.literals) {
                $0.position += hashes
                $0.skipString(hashes: hashes)
            }
        case (let byte, _) where Self.isWord(byte) || byte == 0x40 || byte == 0x23 || byte == 0x60:
            take(.code) { $0.skipWord() }
        default: take(.code) { $0.position += 1 }
        }
    }

    private enum Kind { case code, comments, literals }

    private mutating func take(_ kind: Kind, _ skip: (inout SwiftTokens) -> Void) {
        let (start, firstLine) = (position, line)
        skip(&self)
        position = min(position, bytes.count)
        let piece = Piece(text: String(decoding: bytes[start..<position], as: UTF8.self), line: firstLine)
        switch kind {
        case .code: code.append(piece)
        case .comments: comments.append(piece)
        case .literals: literals.append(piece)
        }
    }

    private func peek(_ distance: Int) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func advance() {
        if position < bytes.count, bytes[position] == 0x0A { line += 1 }
        position += 1
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...: return true
        default: return false
        }
    }

    /// A name, a number, `@attribute`, `#directive` or a name in backticks.
    private mutating func skipWord() {
        if bytes[position] == 0x60 {
            position += 1
            while position < bytes.count, bytes[position] != 0x60, bytes[position] != 0x0A { position += 1 }
            if peek(0) == 0x60 { position += 1 }
            return
        }
        position += 1
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if peek(0) == 0x2F, peek(1) == 0x2A {
                depth += 1
                position += 2
            } else if peek(0) == 0x2A, peek(1) == 0x2F {
                depth -= 1
                position += 2
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
    }

    /// The number of `#` here when a quotation mark follows them.
    private var hashesBeforeQuote: Int? {
        var count = 0
        while peek(count) == 0x23 { count += 1 }
        return count > 0 && peek(count) == 0x22 ? count : nil
    }

    /// Stands on the opening quotation mark; leaves behind the closing one and its `#`.
    private mutating func skipString(hashes: Int) {
        let isLong = peek(1) == 0x22 && peek(2) == 0x22
        position += isLong ? 3 : 1
        while position < bytes.count {
            if peek(0) == 0x5C, isRun(of: 0x23, count: hashes, from: 1) {
                position += 1 + hashes
                if peek(0) == 0x28 { skipInterpolation() } else { advance() }
            } else if peek(0) == 0x22, !isLong || peek(1) == 0x22 && peek(2) == 0x22,
                isRun(of: 0x23, count: hashes, from: isLong ? 3 : 1)
            {
                position += (isLong ? 3 : 1) + hashes
                return
            } else if peek(0) == 0x0A, !isLong {
                return
            } else {
                advance()
            }
        }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            switch peek(0) {
            case 0x28: depth += 1
            case 0x29: depth -= 1
            case 0x22:
                skipString(hashes: 0)
                continue
            default: break
            }
            advance()
        } while depth > 0 && position < bytes.count
    }

    private func isRun(of byte: UInt8, count: Int, from distance: Int) -> Bool {
        (0..<count).allSatisfy { peek(distance + $0) == byte }
    }
}
