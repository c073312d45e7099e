import HTTPBasics

/// An address, or all that share its first bits: `10.0.0.0/8`, `10/8` (RFC 4632 3.1), `fe80::/10`.
struct IPNetwork: Hashable, Sendable {
    /// Four or sixteen bytes.
    struct IPAddress: Hashable, Sendable {
        let bytes: [UInt8]

        /// Nil for what is no address in its usual form.
        init?(_ text: String) {
            let found = text.utf8.contains(ASCII.colon) ? Self.six(text) : Self.four(text, whole: true)
            guard let found else { return nil }
            bytes = found
        }

        fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

        /// What `getaddrinfo` takes for an address of version 4: one to four numbers, also octal (`0177`) or
        /// hexadecimal (`0x7f`), of which the last one fills the rest.
        init?(classic text: String) {
            var parts: [UInt64] = []
            for part in text.split(separator: ".", omittingEmptySubsequences: false) {
                let isHex = part.hasPrefix("0x") || part.hasPrefix("0X")
                let digits = isHex ? part.dropFirst(2) : part
                let radix = isHex ? 16 : part.count > 1 && part.hasPrefix("0") ? 8 : 10
                guard digits.utf8.allSatisfy(ASCII.isHexDigit), let value = UInt64(digits, radix: radix) else {
                    return nil
                }
                parts.append(value)
            }
            guard 1...4 ~= parts.count, let last = parts.popLast(), parts.allSatisfy({ $0 <= 255 }) else { return nil }
            let left = 4 - parts.count
            guard last >> UInt64(8 * left) == 0 else { return nil }
            bytes = parts.map { UInt8($0) } + (0..<left).reversed().map { UInt8(last >> UInt64(8 * $0) & 0xFF) }
        }

        /// Of this machine alone: 127.0.0.0/8, ::1, and the former as an address of version 6.
        var isLoopback: Bool {
            if bytes.count == 4 { return bytes[0] == 127 }
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127]
            return bytes.starts(with: mapped) || bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        }

        /// Of a network the last ones may be missing.
        fileprivate static func four(_ text: String, whole: Bool) -> [UInt8]? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard whole ? parts.count == 4 : 1...4 ~= parts.count else { return nil }
            let bytes = parts.compactMap { part -> UInt8? in
                guard 1...3 ~= part.utf8.count, part.utf8.allSatisfy(ASCII.isDigit) else { return nil }
                return UInt8(part)
            }
            return bytes.count == parts.count ? bytes + [UInt8](repeating: 0, count: 4 - bytes.count) : nil
        }

        private static func six(_ text: String) -> [UInt8]? {
            let bare = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let halves = bare.components(separatedBy: "::")
            guard halves.count <= 2, let head = groups(halves[0]) else { return nil }
            guard halves.count == 2 else { return head.count == 16 ? head : nil }
            guard let tail = groups(halves[1]), head.count + tail.count <= 14 else { return nil }
            return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
        }

        private static func groups(_ text: Substring) -> [UInt8]? {
            if text.isEmpty { return [] }
            var bytes: [UInt8] = []
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index == parts.count - 1, part.contains("."), let four = four(String(part), whole: true) {
                    bytes += four
                    continue
                }
                guard 1...4 ~= part.utf8.count, part.utf8.allSatisfy(ASCII.isHexDigit),
                    let value = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
            return bytes.count <= 16 ? bytes : nil
        }
    }

    private let address: IPAddress
    private let bits: Int

    /// Nil for what is neither an address nor a network.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            guard let address = IPAddress(text) else { return nil }
            (self.address, bits) = (address, address.bytes.count * 8)
            return
        }
        let known = IPAddress(parts[0]) ?? IPAddress.four(parts[0], whole: false).map { IPAddress(bytes: $0) }
        guard let known, 1...3 ~= parts[1].utf8.count, parts[1].utf8.allSatisfy(ASCII.isDigit),
            let bits = Int(parts[1]), bits <= known.bytes.count * 8
        else { return nil }
        (address, self.bits) = (known, bits)
    }

    /// Whether a host is an address of it. Names are none: nobody is asked what they mean.
    func contains(_ host: String) -> Bool {
        guard let other = IPAddress(host), other.bytes.count == address.bytes.count else { return false }
        for (index, byte) in address.bytes.enumerated() {
            let left = bits - index * 8
            if left <= 0 { return true }
            let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
            if byte & mask != other.bytes[index] & mask { return false }
        }
        return true
    }
}

extension Substring {
    /// The parts before and behind each occurrence.
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
