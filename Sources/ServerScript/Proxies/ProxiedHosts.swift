import HTTPBasics

/// Which host of the script a client means that speaks to a proxy: the hosts by the authorities of their URLs.
struct ProxiedHosts {
    private struct Place: Hashable {
        var scheme: String
        var authority: Authority
    }

    private struct Authority: Hashable {
        var host: String
        var port: Int
    }

    private var hosts: [Authority: String] = [:]
    private var places: [Place: String] = [:]
    private let first: String?
    /// What URLs say in place of a name.
    private var said: [String: String] = [:]

    /// `origins` are the hosts' URLs without a path.
    init(hosts names: [String], origins: [String: String]) {
        first = names.first
        for name in names {
            guard let origin = origins[name], let (scheme, rest) = Self.divided(origin),
                let authority = Self.authority(rest, scheme: scheme)
            else { continue }
            keep(name, scheme, authority)
            said[name] = authority.host
            // Where URLs are made of addresses, a client that goes through a proxy may say the name in their place.
            if authority.host != name.lowercased(), let port = Origin.defaultPort(of: scheme) {
                keep(name, scheme, Authority(host: name.lowercased(), port: port))
            }
        }
    }

    private mutating func keep(_ name: String, _ scheme: String, _ authority: Authority) {
        hosts[authority] = name
        places[Place(scheme: scheme, authority: authority)] = name
    }

    /// A pattern of a script's: what it says of the first host becomes what it would say of another.
    func named(_ pattern: String) -> String {
        guard let first, pattern.hasPrefix("$origin"), pattern.dropFirst(7).first != "." else { return pattern }
        return "$origin.\(first)\(pattern.dropFirst(7))"
    }

    /// As a client knows a host of the script.
    func said(_ name: String) -> String { said[name] ?? name }

    /// The host of `name:port`, as CONNECT and SOCKS have it.
    func host(_ name: String, port: Int) -> String? { hosts[Authority(host: name.lowercased(), port: port)] }

    /// The host of an authority with a port (RFC 9110 9.3.6).
    func host(authority text: String) -> String? {
        guard let authority = Self.authority(text[...], scheme: nil) else { return nil }
        return hosts[authority]
    }

    /// The host of an absolute URL, and what its own request line would name.
    func host(url text: String) -> (host: String, target: String)? {
        guard let (scheme, rest) = Self.divided(text) else { return nil }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let authority = Self.authority(rest[..<end], scheme: scheme),
            let host = places[Place(scheme: scheme, authority: authority)]
        else { return nil }
        let target = rest[end...]
        return (host, target.first == "/" ? String(target) : "/" + target)
    }

    private static func divided(_ url: String) -> (scheme: String, rest: Substring)? {
        guard let range = url.firstRange(of: "://") else { return nil }
        return (url[..<range.lowerBound].lowercased(), url[range.upperBound...])
    }

    /// Without a scheme the port must be there.
    private static func authority(_ text: Substring, scheme: String?) -> Authority? {
        var host = text
        var port = scheme.flatMap { Origin.defaultPort(of: $0) }
        let isLiteral = text.hasPrefix("[")
        if let colon = text.lastIndex(of: ":"), !isLiteral || text[colon...].firstIndex(of: "]") == nil {
            let digits = text[text.index(after: colon)...]
            guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit), let number = Int(digits), number < 65536
            else {
                return nil
            }
            (host, port) = (text[..<colon], number)
        }
        if isLiteral {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
        }
        guard !host.isEmpty, let port else { return nil }
        return Authority(host: host.lowercased(), port: port)
    }
}
