import Foundation
import ServerScript

/// Where the script's hosts really are, to turn a scenario's targets into URLs and seen URLs back.
package struct OriginTable: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// As in the script: `b.test`.
        package var host: String
        /// As in a URL: `http://b.test:40123`.
        package var origin: String

        package init(host: String, origin: String) {
            self.host = host
            self.origin = origin
        }
    }

    package let entries: [Entry]
    /// The URL of the folder with the files that `file:` targets name, with its last slash.
    private let folder: String?

    /// The first host is the one that targets without a host mean.
    package init(_ entries: [Entry], folder: String? = nil) {
        self.entries = entries
        self.folder = folder
    }

    package func origin(of host: String?) -> String? {
        guard let host else { return entries.first?.origin }
        return entries.first { $0.host == host }?.origin
    }

    package func resolved(_ text: String) -> String { substitution.apply(to: text) }

    func resolved(_ content: Content) -> Content { substitution.apply(to: content) }

    /// As the server does it.
    private var substitution: Substitution {
        let origins = Dictionary(entries.map { ($0.host, $0.origin) }, uniquingKeysWith: { first, _ in first })
        return Substitution(hosts: entries.map(\.host), origins: origins)
    }

    /// The shortest way to write a target: the first host goes without saying.
    package func canonical(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")), let first = entries.first else { return text }
        return text.replacingOccurrences(of: "$origin.\(first.host)/", with: "/")
            .replacingOccurrences(of: "$origin/", with: "/")
    }

    /// The absolute URL of a target: a path on a host, or a URL already.
    package func absolute(_ target: String, host: String?) -> String? {
        if let folder, target.hasPrefix("file:") { return folder + (target == "file:." ? "" : target.dropFirst(5)) }
        guard target.hasPrefix("/") else { return resolved(target) }
        return origin(of: host).map { $0 + target }
    }

    /// How a scenario writes that URL: a path on the first host, `$origin.b.test/path` on another; no fragment.
    package func scenarioText(of url: URL) -> String {
        let text = url.absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let bare = OriginTable.withoutUserInformation(text[..<end])
        for (index, entry) in entries.enumerated() where bare.utf8.starts(with: entry.origin.utf8) {
            let rest = Substring(bare.utf8.dropFirst(entry.origin.utf8.count))
            guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { continue }
            let path = rest.hasPrefix("/") ? String(rest) : "/" + rest
            return index == 0 ? path : "$origin.\(entry.host)\(path)"
        }
        if let folder, bare.hasPrefix(folder) {
            return bare == folder ? "file:." : "file:\(bare.dropFirst(folder.count))"
        }
        return String(bare)
    }

    private static func withoutUserInformation(_ text: Substring) -> Substring {
        guard text.utf8.contains(UInt8(ascii: "@")), let scheme = text.range(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<scheme.upperBound] + text[text.index(after: at)...]
    }
}
