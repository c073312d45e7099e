import HTTPBasics
import ServerScript

/// Which requests are meant: all conditions that are there must hold.
package struct RequestFilter: Equatable, Sendable {
    package static let names: Set<String> = ["method", "path", "fields"]

    var method: String?
    /// Of the target without its query; `*` stands for any characters. With a `?` it is compared with all of it.
    var path: String?
    /// By name: the value, in which `*` stands for any characters.
    var fields: [String: String] = [:]

    init(method: String? = nil, path: String? = nil, fields: [String: String] = [:]) {
        self.method = method
        self.path = path
        self.fields = fields
    }

    /// The longest `path` and value, in bytes: what is compared with all that clients send must be quick.
    private static let longest = 1024

    package init(_ object: JSONObject) throws {
        self.init(
            method: try object.text("method"), path: try object.text("path"),
            fields: try object.texts("fields") ?? [:])
        guard fields.count <= 64, ([path ?? ""] + fields.values).allSatisfy({ $0.utf8.count <= Self.longest }) else {
            throw Problem.bad("a filter has at most 64 fields, and texts of \(Self.longest) bytes")
        }
        for (name, value) in fields where Secrets.isAuthorization(name) && !Self.isScheme(value) {
            throw Problem.bad(
                "of \(name) only the scheme is kept, the rest is secret: ask for 'Bearer *', for instance, and have a "
                    + "route's 'where' compare the credentials")
        }
    }

    private static let schemes = ["basic", "bearer", "digest", "negotiate", "ntlm"]

    /// What a filter can ask of credentials: the journal has their scheme alone.
    private static func isScheme(_ value: String) -> Bool {
        let scheme = Self.scheme(of: value)
        guard scheme.utf8.allSatisfy(ASCII.isTokenCharacter) else { return false }
        return value.utf8.contains(UInt8(ascii: "*")) || schemes.contains(ASCII.lowercased(scheme))
    }

    private static func scheme(of value: String) -> String {
        value.hasSuffix(" *") ? String(value.dropLast(2)) : value
    }

    func matches(method: String, target: String, fields: Fields) -> Bool {
        if let wanted = self.method, wanted != method { return false }
        if let path {
            let shown = path.utf8.contains(UInt8(ascii: "?")) ? target[...] : target.prefix { $0 != "?" }
            if !RequestFilter.matches(Array(path.utf8), Array(shown.utf8)) { return false }
        }
        return self.fields.allSatisfy { name, value in
            let wanted = Array((Secrets.isAuthorization(name) ? RequestFilter.scheme(of: value) : value).utf8)
            return fields.values(name).contains { RequestFilter.matches(wanted, Array($0.utf8)) }
        }
    }

    func matches(_ event: ServerEvent) -> Bool {
        guard case .request(let request) = event.kind else { return false }
        return matches(method: request.method, target: request.target, fields: request.fields)
    }

    func matches(_ entry: JournalEntry) -> Bool {
        !entry.method.isEmpty && matches(method: entry.method, target: entry.target, fields: entry.fields)
    }

    /// Goes back to the last `*` only: it takes the length of the text times that of the pattern at most.
    package static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        var (place, index) = (0, 0)
        var last: (place: Int, index: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == star {
                last = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let (star, from) = last {
                last = (star, from + 1)
                (place, index) = (star + 1, from + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }

    var description: String {
        var words = [method ?? "any method", path.map { Secrets.shown($0) } ?? "any path"]
        words += fields.sorted { $0.key < $1.key }.map { name, value in
            "\(name): \(Secrets.isAuthorization(name) ? value : Secrets.shown(value, ofField: name))"
        }
        return words.joined(separator: " ")
    }
}
