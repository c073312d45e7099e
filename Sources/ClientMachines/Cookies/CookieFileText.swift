import HTTPBasics

/// What the file of a storage says: a first line, a line for each cookie, and at last how many these are and their
/// checksum (BEHAVIOUR 2.C27-file).
package enum CookieFileText {
    /// More than all the cookies of a jar take that fit, each byte of them escaped.
    package static let mostBytes = 64 << 20
    /// Of the texts of one cookie: a server's have fewer.
    private static let mostBytesOfTexts = 6000
    private static let title = "understudy cookies 1"

    /// Cookies that end with the session are left out.
    package static func text(of entries: [CookieJar.Entry]) -> [UInt8] {
        var text = Array("\(title)\n".utf8)
        var count = 0
        for entry in entries {
            guard let line = line(of: entry) else { continue }
            text += line.utf8
            text.append(ASCII.lineFeed)
            count += 1
        }
        return text + "end \(count) \(checksum(of: text[...]))\n".utf8
    }

    /// Whether a file takes the cookie: one that a program made may be longer than any server's, and is in memory only.
    package static func fits(_ cookie: Cookie) -> Bool {
        let optional = [cookie.legacy?.comment, cookie.legacy?.commentURL].compactMap { $0 }
        let texts = [cookie.name, cookie.value, cookie.domain, cookie.path] + optional
        let ports = cookie.legacy?.ports?.count ?? 0
        return ports <= 100 && texts.reduce(0) { $0 + $1.utf8.count } <= mostBytesOfTexts
    }

    /// In the order in which they were written; nil if the file is not whole, or another's.
    package static func entries(in text: [UInt8]) -> [CookieJar.Entry]? {
        guard text.count <= mostBytes, text.last == ASCII.lineFeed else { return nil }
        let whole = text.dropLast()
        guard let feed = whole.lastIndex(of: ASCII.lineFeed) else { return nil }
        let body = whole[...feed]
        let end = String(decoding: whole[(feed + 1)...], as: UTF8.self)
        let lines = body.dropLast().split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        guard lines.first?.elementsEqual(title.utf8) ?? false,
            end == "end \(lines.count - 1) \(checksum(of: body))"
        else { return nil }
        var entries: [CookieJar.Entry] = []
        for line in lines.dropFirst() {
            guard let entry = entry(String(decoding: line, as: UTF8.self)) else { return nil }
            entries.append(entry)
        }
        return entries
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> String {
        var sum = Checksum()
        bytes.withUnsafeBytes { sum.update($0) }
        return String(sum.value, radix: 16)
    }

    // MARK: One cookie

    private static func line(of entry: CookieJar.Entry) -> String? {
        let cookie = entry.cookie
        guard let expires = cookie.expires else { return nil }
        var columns = [
            cookie.name, cookie.value, cookie.domain, cookie.isHostOnly ? "host" : "domain", cookie.path,
            "\(expires.seconds)", "\(entry.created.seconds)", "\(entry.modified.seconds)",
            (cookie.isSecure ? "s" : "") + (cookie.isHTTPOnly ? "h" : ""), cookie.sameSite ?? "",
        ]
        if let legacy = cookie.legacy {
            columns += [
                "\(legacy.version)", legacy.comment.map { "+" + $0 } ?? "", legacy.commentURL.map { "+" + $0 } ?? "",
                legacy.ports.map { "+" + $0.map(String.init).joined(separator: ",") } ?? "",
            ]
        }
        return columns.map(escaped).joined(separator: "\t")
    }

    private static func entry(_ line: String) -> CookieJar.Entry? {
        let columns = line.utf8.split(separator: ASCII.tab, omittingEmptySubsequences: false).map(unescaped)
        guard columns.count == 10 || columns.count == 14, let expires = time(columns[5]),
            let created = time(columns[6]), let modified = time(columns[7]), ["host", "domain"].contains(columns[3])
        else { return nil }
        var cookie = Cookie(
            name: columns[0], value: columns[1], domain: columns[2], isHostOnly: columns[3] == "host",
            path: columns[4], expires: expires)
        cookie.isSecure = columns[8].contains("s")
        cookie.isHTTPOnly = columns[8].contains("h")
        cookie.sameSite = ["strict", "lax", "none"].first { $0 == columns[9] }
        let texts = columns[0...2] + [columns[4]]
        guard !cookie.name.isEmpty, !cookie.domain.isEmpty, cookie.path.utf8.first == UInt8(ascii: "/"),
            !texts.contains(where: { $0.utf8.contains { $0 == 0 || ASCII.isLineEnd($0) } })
        else { return nil }
        if columns.count == 14 {
            guard let version = Int(columns[10]) else { return nil }
            var legacy = Cookie.Legacy()
            legacy.version = version
            legacy.comment = optional(columns[11])
            legacy.commentURL = optional(columns[12])
            legacy.ports = optional(columns[13])?.utf8.split(separator: ASCII.comma).compactMap { Int(Substring($0)) }
            cookie.legacy = legacy
        }
        return CookieJar.Entry(cookie, created: created, modified: modified)
    }

    private static func time(_ text: String) -> CookieTime? {
        guard let seconds = Double(text), seconds.isFinite else { return nil }
        return CookieTime(seconds: seconds)
    }

    private static func optional(_ text: String) -> String? {
        text.utf8.first == UInt8(ascii: "+") ? String(Substring(text.utf8.dropFirst())) : nil
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isEscaped) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isEscaped(byte) {
                bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// As the bytes are, unlike `PercentEncoding`: what is not UTF-8 then becomes it.
    private static func unescaped(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(ASCII.hexValue),
                let low = rest.dropFirst().first.flatMap(ASCII.hexValue)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte <= ASCII.space || byte == UInt8(ascii: "%") || byte == 0x7F
    }
}
