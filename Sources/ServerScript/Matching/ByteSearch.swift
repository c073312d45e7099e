/// Looks for bytes in bytes, in time that grows with both together (Knuth, Morris, Pratt): no request can make it slow.
enum ByteSearch {
    static func contains(_ text: some Sequence<UInt8>, _ part: some Sequence<UInt8>) -> Bool {
        let part = Array(part)
        guard !part.isEmpty else { return true }
        let borders = borders(of: part)
        var matched = 0
        for byte in text {
            while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }

    /// For each beginning of `part`, how long its longest beginning is that is its end as well, and not all of it.
    private static func borders(of part: [UInt8]) -> [Int] {
        var borders = [0]
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, part[length] != byte { length = borders[length - 1] }
            if part[length] == byte { length += 1 }
            borders.append(length)
        }
        return borders
    }
}
