import ClientMachines
import Glibc

/// The outcome of asking the system for one name; the asking blocks its thread.
enum NameLookup: Hashable, Sendable {
    /// At least one.
    case addresses([String])
    case failure(String)

    /// More are not tried.
    private static let mostAddresses = DialSettings().mostAddresses

    /// What needs no question: an IPv4 or IPv6 address is one of its own family, and none of the other.
    static func literal(_ host: String, _ family: AddressFamily) -> NameLookup? {
        var address = in6_addr()
        for known in AddressFamily.allCases where inet_pton(known.system, host, &address) == 1 {
            return known == family ? .addresses([host]) : .failure("\(host): an address of the other family")
        }
        return nil
    }

    @Sendable static func ask(_ name: FamilyName) -> NameLookup {
        var hints = addrinfo()
        hints.ai_family = name.family.system
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // Not AI_ADDRCONFIG: on a machine with nothing but loopback it would hide localhost.
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name.host, nil, &hints, &first)
        guard code == 0 else {
            let words = code == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(code))
            return .failure("\(name.host): \(words)")
        }
        defer { freeaddrinfo(first) }
        let texts = texts(of: first)
        return texts.isEmpty ? .failure("\(name.host): no usable address") : .addresses(texts)
    }

    /// The system's order, without repetitions.
    private static func texts(of first: UnsafeMutablePointer<addrinfo>?) -> [String] {
        var texts: [String] = []
        var next = first
        while let entry = next, texts.count < mostAddresses {
            if let text = text(of: entry.pointee), !texts.contains(text) { texts.append(text) }
            next = entry.pointee.ai_next
        }
        return texts
    }

    private static func text(of entry: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let code = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
            guard code == 0, let base = buffer.baseAddress else { return nil }
            return String(cString: base)
        }
    }
}

extension AddressFamily {
    fileprivate var system: Int32 { self == .v6 ? AF_INET6 : AF_INET }
}
