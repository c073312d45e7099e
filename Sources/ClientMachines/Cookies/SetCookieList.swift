import HTTPBasics

/// Several Set-Cookie fields that were joined to one value, with commas (BEHAVIOUR 2.C9).
package enum SetCookieList {
    /// A comma divides two of them if a name and `=` come behind it: the one in a date is none.
    package static func lines(of joined: String) -> [Substring] {
        var lines: [Substring] = []
        let bytes = joined.utf8
        var start = bytes.startIndex
        // Where a comma is looked for: what was looked at behind another one has none.
        var place = start
        while let comma = bytes[place...].firstIndex(of: ASCII.comma) {
            let rest = bytes[comma...].dropFirst().drop(while: isBlank)
            let behind = rest.drop(while: ASCII.isTokenCharacter)
            place = behind.startIndex
            guard behind.startIndex > rest.startIndex, behind.drop(while: isBlank).first == ASCII.equals else {
                continue
            }
            lines.append(Substring(bytes[start..<comma]))
            start = rest.startIndex
        }
        lines.append(Substring(bytes[start...]))
        return lines
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }
}
