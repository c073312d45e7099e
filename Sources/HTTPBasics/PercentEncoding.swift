/// RFC 3986 2.1.
package enum PercentEncoding {
    /// Escapes are replaced by what they stand for. Malformed escapes stay as written; so does the whole text if it
    /// would decode to something that is not UTF-8, because a guess would be a wrong password.
    package static func decoded(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        return text.withUTF8 { decoded($0[...]) }
    }

    /// The same of a text's bytes.
    package static func decoded(_ input: UnsafeBufferPointer<UInt8>.SubSequence) -> String {
        guard input.contains(percent) else { return String(decoding: input, as: UTF8.self) }
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        var index = input.startIndex
        while index < input.endIndex {
            if input[index] == percent, index + 2 < input.endIndex, let high = ASCII.hexValue(input[index + 1]),
                let low = ASCII.hexValue(input[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(input[index])
                index += 1
            }
        }
        return String(validating: output, as: UTF8.self) ?? String(decoding: input, as: UTF8.self)
    }

    /// Encodes what must not appear in a request line: blanks, control characters, bytes beyond ASCII, and "#",
    /// which no request target has. Nothing is encoded twice.
    static func safeInRequestLine(_ text: String) -> String {
        guard text.utf8.contains(where: breaksRequestLine) else { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if breaksRequestLine(byte) {
                output += [percent, hexDigit(byte >> 4), hexDigit(byte & 15)]
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text in UTF-8 as the value of a parameter whose name ends with a star (RFC 8187 3.2).
    package static func extendedValue(_ text: String) -> String {
        var output = Array("UTF-8''".utf8)
        for byte in text.utf8 {
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!#$&+-.^_`|~".utf8.contains(byte) {
                output.append(byte)
            } else {
                output += [percent, hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let percent = UInt8(ascii: "%")

    private static func breaksRequestLine(_ byte: UInt8) -> Bool {
        byte <= ASCII.space || byte >= 127 || byte == UInt8(ascii: "#")
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }
}
