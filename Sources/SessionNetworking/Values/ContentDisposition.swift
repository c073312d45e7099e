#if !canImport(Darwin)
import Foundation
import HTTPBasics

/// The file name in a Content-Disposition value, RFC 6266.
enum ContentDisposition {
    /// `filename*` wins over `filename` (RFC 6266 4.3); nil when neither can be read.
    static func filename(in value: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in parameters(of: value) {
            if name.equalsIgnoringCase("filename*") { extended = extended ?? decodeExtended(value) }
            if name.equalsIgnoringCase("filename") { plain = plain ?? value }
        }
        return extended ?? plain
    }

    /// Everything after the disposition type; quotes and backslash escapes are resolved.
    private static func parameters(of value: String) -> [(name: String, value: String)] {
        var found: [(String, String)] = []
        for piece in split(value).dropFirst() {
            guard let equals = piece.firstIndex(of: ASCII.equals) else { continue }
            let name = String(decoding: piece[..<equals], as: UTF8.self).trimmingWhitespace
            let raw = String(decoding: piece[(equals + 1)...], as: UTF8.self).trimmingWhitespace
            found.append((String(name), unquote(raw)))
        }
        return found
    }

    /// Cuts at semicolons that stand outside quotes.
    private static func split(_ value: String) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]]
        var quoted = false, escaped = false
        for byte in value.utf8 {
            if !quoted, byte == ASCII.semicolon {
                pieces.append([])
                continue
            }
            if byte == ASCII.quote, !escaped { quoted.toggle() }
            escaped = quoted && byte == UInt8(ascii: "\\") && !escaped
            pieces[pieces.count - 1].append(byte)
        }
        return pieces
    }

    /// The content of a quoted string; one that never closes reaches to the end.
    private static func unquote(_ text: Substring) -> String {
        guard text.first == "\"" else { return String(text) }
        var content = ""
        var escaped = false
        for character in text.unicodeScalars.dropFirst() {
            if escaped {
                content.unicodeScalars.append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "\"" {
                break
            } else {
                content.unicodeScalars.append(character)
            }
        }
        return content
    }

    /// `charset'language'percent-encoded`, RFC 8187 3.2; nil for another charset or bytes that it cannot hold.
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        if parts[0].equalsIgnoringCase("utf-8") { return String(parts[2]).removingPercentEncoding }
        guard parts[0].equalsIgnoringCase("iso-8859-1") else { return nil }
        return percentDecoded(parts[2]).map { String(latin1: $0) }
    }

    private static func percentDecoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.count == 2, let decoded = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
#endif
