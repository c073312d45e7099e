import HTTPBasics

/// Origins that are asked directly, whatever proxy there is (BEHAVIOUR 2.E2).
package struct ProxyExceptions: Equatable, Sendable {
    /// One entry of a list.
    fileprivate enum Pattern: Equatable, Sendable {
        case all
        /// Labels from the last to the first; nil stands for any one.
        case labels([String?])
        /// This name, and all that end with it behind a dot.
        case suffix(String)
        case network(IPNetwork)
    }

    private struct Entry: Equatable, Sendable {
        var pattern: Pattern
        /// Nil for every port.
        var port: Int?
    }

    /// How a list is read where its users write it in different ways.
    package enum Dialect: Sendable {
        /// Apple's: `*.b.test` and `.b.test` are what has one label more at least, `b.test` is that name alone.
        case list
        /// `no_proxy` as libcurl reads it: `b.test` and `.b.test` are that name, and what ends with it.
        case environment
    }

    /// The entry by which a program says that this machine takes the proxy, too.
    package static let loopbackSwitch = "<-loopback>"
    /// Of entries that a list may have; what is beyond does not count.
    package static let mostEntries = 1024

    private var entries: [Entry] = []
    /// Names without a dot.
    package var includesSimpleNames = false
    /// This machine itself, under whatever name, which is asked directly in any case unless a program says otherwise.
    package var includesLoopback = true

    package init(_ patterns: [String] = [], _ style: Dialect = .list) {
        let texts = patterns.prefix(Self.mostEntries).map { $0.trimmingWhitespace.lowercased() }
        includesLoopback = !texts.contains(Self.loopbackSwitch)
        entries = texts.compactMap { text in
            text == Self.loopbackSwitch ? nil : Self.entry(text, style)
        }
    }

    func cover(_ origin: Origin) -> Bool {
        let host = Self.withoutDot(origin.host)
        if includesLoopback, Self.isThisMachine(host) { return true }
        if includesSimpleNames, !host.contains("."), !host.contains(":") { return true }
        return entries.contains { ($0.port ?? origin.port) == origin.port && $0.pattern.matches(host) }
    }

    /// `localhost` and what is below it (RFC 6761 6.3), 127.0.0.0/8 and ::1, however they are written.
    static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return (IPNetwork.IPAddress(host) ?? IPNetwork.IPAddress(classic: host))?.isLoopback ?? false
    }

    /// A name may say that it is whole.
    private static func withoutDot(_ host: String) -> String {
        host.utf8.count > 1 && host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func entry(_ text: String, _ style: Dialect) -> Entry? {
        guard !text.isEmpty else { return nil }
        if text == "*" { return Entry(pattern: .all) }
        if let network = IPNetwork(text) { return Entry(pattern: .network(network)) }
        var name = Substring(text)
        var port: Int?
        if name.hasPrefix("["), let end = name.lastIndex(of: "]") {
            let rest = name[name.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":"), let network = IPNetwork(String(name[..<end].dropFirst())) else {
                return nil
            }
            if !rest.isEmpty {
                guard let number = DecimalNumber.port(rest.dropFirst()) else { return nil }
                port = number
            }
            return Entry(pattern: .network(network), port: port)
        }
        if let colon = name.lastIndex(of: ":") {
            guard let number = DecimalNumber.port(name[name.index(after: colon)...]) else { return nil }
            (name, port) = (name[..<colon], number)
            if let network = IPNetwork(String(name)) { return Entry(pattern: .network(network), port: port) }
        }
        name = withoutDot(String(name))[...]
        if style == .environment, !name.contains("*") {
            let bare = name.hasPrefix(".") ? name.dropFirst() : name
            return bare.isEmpty ? nil : Entry(pattern: .suffix(String(bare)), port: port)
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        // An empty label at the beginning stands for any, and for what is before it.
        let isOpen = labels.first.map { $0.isEmpty || $0 == "*" } ?? false
        if isOpen, labels.count > 1, labels.dropFirst().allSatisfy({ !$0.contains("*") }) {
            return Entry(pattern: .suffix("." + labels.dropFirst().joined(separator: ".")), port: port)
        }
        return Entry(pattern: .labels(labels.reversed().map { $0 == "*" || $0.isEmpty ? nil : String($0) }), port: port)
    }
}

extension ProxyExceptions.Pattern {
    fileprivate func matches(_ host: String) -> Bool {
        switch self {
        case .all: return true
        case .suffix(let suffix) where suffix.hasPrefix("."): return host.hasSuffix(suffix) && host != suffix
        case .suffix(let suffix): return host == suffix || host.hasSuffix("." + suffix)
        case .network(let network): return network.contains(host)
        case .labels(let labels):
            let own = host.split(separator: ".", omittingEmptySubsequences: false).reversed()
            guard own.count == labels.count else { return false }
            return zip(own, labels).allSatisfy { label, wanted in
                wanted.map { Self.isMatch(label.utf8[...], $0.utf8[...]) } ?? true
            }
        }
    }

    /// A star inside of a label stands for any characters: one at most is looked at, at either end.
    private static func isMatch(_ label: Substring.UTF8View.SubSequence, _ pattern: Substring.UTF8View.SubSequence)
        -> Bool
    {
        guard let star = pattern.firstIndex(of: UInt8(ascii: "*")) else { return label.elementsEqual(pattern) }
        let (before, behind) = (pattern[..<star], pattern[pattern.index(after: star)...])
        return label.count >= before.count + behind.count && label.starts(with: before)
            && label.suffix(behind.count).elementsEqual(behind)
    }
}
