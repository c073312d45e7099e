/// Which name a client asks for in its first message (SNI, RFC 6066 3).
enum ServerName {
    /// The host without a dot at its end; nil for what is no name of DNS: an IP literal, or one that cannot be sent.
    static func forHost(_ host: String) -> String? {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        // Only literals of IPv6 have colons or brackets.
        if name.contains(where: { $0 == ":" || $0 == "[" || $0 == "]" }) { return nil }
        // A host whose last label is a number can only be meant as an IPv4 address: no top-level domain is one.
        guard let last = name.split(separator: ".", omittingEmptySubsequences: false).last, !last.isEmpty else {
            return nil
        }
        return last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? nil : String(name)
    }
}
