/// Finds the password of a SOCKS 5 login (RFC 1929 2) in what a client sends first on a connection, piece by piece.
package struct SocksLogin: Sendable {
    private enum Place {
        case version, methodCount, loginVersion, userLength, passwordLength, over
        case methods(left: Int), user(left: Int), password(left: Int)
    }

    private var place: Place

    private init(_ place: Place) { self.place = place }

    package init() { place = .version }

    /// Of a stream that has none, or none any more.
    package static let over = SocksLogin(.over)

    package var isOver: Bool { if case .over = place { true } else { false } }

    /// Where the next piece has the password.
    package mutating func secrets(in bytes: some Collection<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for (index, byte) in bytes.enumerated() {
            if case .over = place { break }
            guard take(byte) else { continue }
            if let last = found.last { found = [last.lowerBound..<index + 1] } else { found = [index..<index + 1] }
        }
        return found
    }

    /// Whether it belongs to the password.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch place {
        case .version: place = byte == 5 ? .methodCount : .over
        case .methodCount: place = byte == 0 ? .loginVersion : .methods(left: Int(byte))
        case .methods(let left): place = left == 1 ? .loginVersion : .methods(left: left - 1)
        // Whoever does not log in asks for the connection at once, with a 5.
        case .loginVersion: place = byte == 1 ? .userLength : .over
        case .userLength: place = byte == 0 ? .passwordLength : .user(left: Int(byte))
        case .user(let left): place = left == 1 ? .passwordLength : .user(left: left - 1)
        case .passwordLength: place = byte == 0 ? .over : .password(left: Int(byte))
        case .password(let left):
            place = left == 1 ? .over : .password(left: left - 1)
            return true
        case .over: break
        }
        return false
    }
}
