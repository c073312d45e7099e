import HTTPBasics

/// What the wire's observer needs of a head. An own parser: the judge shares none with the judged.
///
/// Anything out of the ordinary is refused: then nobody can say what lies where, and nothing is judged.
struct MessageHead: Equatable {
    var start: String
    var contentLengths: [String] = []
    var transferCodings: [String] = []
    /// A content coding other than identity: what the user gets differs from the wire.
    var isCoded = false

    /// `bytes` end with the empty line.
    init?(_ bytes: [UInt8]) {
        var lines = Self.lines(of: bytes)[...]
        guard let first = lines.popFirst() else { return nil }
        start = String(decoding: first, as: UTF8.self)
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ASCII.colon), colon > line.startIndex else { return nil }
            guard line[..<colon].allSatisfy(ASCII.isTokenCharacter) else { return nil }
            note(name: line[..<colon], value: line[line.index(after: colon)...])
        }
        guard !start.contains("\r"), !start.contains("\n") else { return nil }
    }

    private mutating func note(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        // Most fields are none of our business, and their length says so at once.
        switch name.count {
        case 14 where Self.text(name) == "content-length": contentLengths.append(Self.text(value))
        case 17 where Self.text(name) == "transfer-encoding": transferCodings.append(Self.text(value))
        case 16 where Self.text(name) == "content-encoding": isCoded = isCoded || Self.text(value) != "identity"
        default: break
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(String(decoding: bytes, as: UTF8.self).lowercased().trimmingWhitespace)
    }

    /// Without their CRLF. A lone CR or LF stays in its line, where it fails as no token or makes the start unusual.
    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var begin = 0
        for index in 1..<max(1, bytes.count)
        where bytes[index] == ASCII.lineFeed && bytes[index - 1] == ASCII.carriageReturn {
            lines.append(bytes[begin..<max(begin, index - 1)])
            begin = index + 1
        }
        return lines
    }

    /// RFC 9112 6, as far as it is beyond doubt; nil otherwise. `fallback` is what no length at all means.
    func framing(fallback: BodyFraming) -> BodyFraming? {
        if !transferCodings.isEmpty {
            return transferCodings == ["chunked"] && contentLengths.isEmpty ? .chunked : nil
        }
        guard let text = contentLengths.first else { return fallback }
        guard contentLengths.count == 1, text.utf8.allSatisfy(ASCII.isDigit), let length = Int(text) else { return nil }
        return .length(length)
    }

    /// Status code of a status line; nil for anything unusual.
    var status: Int? {
        guard start.hasPrefix("HTTP/1."), start.utf8.count >= 12 else { return nil }
        let rest = start.utf8.dropFirst(8)
        let code = rest.dropFirst().prefix(3)
        guard rest.first == ASCII.space, code.allSatisfy(ASCII.isDigit) else { return nil }
        guard rest.count == 4 || rest.dropFirst(4).first == ASCII.space else { return nil }
        return Int(String(decoding: code, as: UTF8.self))
    }

    /// Method and target of a request line.
    var request: (method: String, target: String)? {
        let words = start.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), !words[0].isEmpty, !words[1].isEmpty else { return nil }
        return (String(words[0]), String(words[1]))
    }
}

/// How the end of a body is found.
enum BodyFraming: Equatable {
    case length(Int)
    case chunked
    case untilClose
}
