/// Finds what may not be shown, by the list of `Secrets`: in a text, or in one direction of a connection, wherever its
/// pieces divide it. In a body what looks like a field or a query is taken for one as well.
///
/// Each byte is looked at a few times at most: the bytes come from strangers.
struct SecretScanner {
    enum Source {
        /// All of it is there at once; fields begin behind a line's end.
        case text
        /// Lines are fields, and more may follow.
        case wire
    }

    private enum Place {
        /// At the beginning of a line, or in what may be a field's name.
        case field
        case value
        /// Behind the line of a secret: one that begins with white space goes on with it (RFC 9112 5.2).
        case behindValue
        case elsewhere
        /// In what may be the name of an item, and in the value of one that is secret.
        case item
        case secretItem
        case slash
        case authority
    }

    private let source: Source
    private var place: Place
    private var name = SecretName()

    init(_ source: Source) {
        self.source = source
        place = source == .wire ? .field : .elsewhere
    }

    /// Where the next piece has secrets: in order, with something in between.
    mutating func secrets(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        func hide(_ range: Range<Int>) {
            guard !range.isEmpty else { return }
            if let last = found.last, last.upperBound == range.lowerBound {
                found[found.count - 1] = last.lowerBound..<range.upperBound
            } else {
                found.append(range)
            }
        }
        var index = 0
        while index < bytes.count {
            if place == .authority {
                let user = passAuthority(bytes[index...])
                hide(user)
                index = user.upperBound
                guard index < bytes.count, place != .authority else { continue }
            }
            let wasSecret = isSecret
            step(bytes[index])
            if wasSecret, isSecret { hide(index..<index + 1) }
            index += 1
        }
        return found
    }

    private var isSecret: Bool { place == .value || place == .secretItem }

    /// All before its last `@` is hidden; while its end is unknown, all that is there.
    private mutating func passAuthority(_ rest: ArraySlice<UInt8>) -> Range<Int> {
        let end = rest.firstIndex { $0 <= ASCII.space || "/?#\"'<>".utf8.contains($0) }
        if end == nil, source == .wire { return rest.indices }
        place = .elsewhere
        return rest.startIndex..<(rest[..<(end ?? rest.endIndex)].lastIndex(of: UInt8(ascii: "@")) ?? rest.startIndex)
    }

    private mutating func step(_ byte: UInt8) {
        switch place {
        case .field: field(byte)
        case .value: if ASCII.isLineEnd(byte) { place = .behindValue }
        case .behindValue:
            if ASCII.isLineEnd(byte) { return }
            if byte == ASCII.space || byte == ASCII.tab { place = .value } else { begin(.field, byte) }
        case .item:
            if byte == ASCII.equals {
                place = name.isSecret ? .secretItem : .elsewhere
            } else if Self.endsItem(byte) {
                elsewhere(byte)
            } else {
                name.take(byte)
            }
        case .secretItem: if Self.endsItem(byte) { elsewhere(byte) }
        case .slash: if byte == UInt8(ascii: "/") { place = .authority } else { elsewhere(byte) }
        case .elsewhere, .authority: elsewhere(byte)
        }
    }

    private mutating func field(_ byte: UInt8) {
        if byte == ASCII.colon {
            place = name.isSecret ? .value : .elsewhere
        } else if ASCII.isTokenCharacter(byte), !Self.beginsItem(byte) {
            name.take(byte)
        } else {
            elsewhere(byte)
        }
    }

    private mutating func begin(_ place: Place, _ byte: UInt8) {
        self.place = place
        name = SecretName()
        step(byte)
    }

    private mutating func elsewhere(_ byte: UInt8) {
        switch byte {
        case _ where ASCII.isLineEnd(byte): (place, name) = (.field, SecretName())
        case _ where Self.beginsItem(byte): (place, name) = (.item, SecretName())
        case UInt8(ascii: "/"): place = .slash
        default: place = .elsewhere
        }
    }

    private static func beginsItem(_ byte: UInt8) -> Bool { "?&#".utf8.contains(byte) }

    private static func endsItem(_ byte: UInt8) -> Bool { byte <= ASCII.space || "&#\"'<>".utf8.contains(byte) }
}
