import HTTPBasics

/// Which of several representations of a URL a response is: the request's fields that its Vary names, as they were sent
/// (RFC 9111 4.1).
package struct Variant: Hashable, Sendable {
    /// Vary names no more fields than so many; a response that does is like one with `*`.
    private static let mostNames = 64

    /// In small letters, sorted; nil for a field that the request did not have.
    package private(set) var values: [String: String?] = [:]

    package init(values: [String: String?] = [:]) { self.values = values }

    /// Nil if no later request can be known to be asked for the same.
    ///
    /// - Parameter request: Put together only if there is a Vary.
    package init?(of response: Fields, to request: @autoclosure () -> Fields) {
        guard let vary = response.joined("Vary") else { return }
        let request = request()
        let names = vary.utf8.split(separator: ASCII.comma, maxSplits: Variant.mostNames)
        guard names.count <= Variant.mostNames else { return nil }
        for name in names {
            let name = Substring(name).trimmingWhitespace.lowercased()
            guard !name.isEmpty else { continue }
            guard name != "*", name.utf8.allSatisfy(ASCII.isTokenCharacter) else { return nil }
            values[name] = .some(Variant.normalised(request.values(name)))
        }
    }

    /// Some of its fields are secrets: what tells one answer from another is one then.
    package var isSecret: Bool { values.keys.contains { Secrets.isSecret(field: $0) } }

    /// Whether this request would have been given the same.
    ///
    /// - Parameter request: Put together only if there was a Vary.
    package func matches(_ request: @autoclosure () -> Fields) -> Bool {
        guard !values.isEmpty else { return true }
        let request = request()
        return values.allSatisfy { name, value in Variant.normalised(request.values(name)) == value }
    }

    /// The same of a request some of whose fields its session adds: those that it has itself decide.
    package func mayMatch(_ request: Fields) -> Bool {
        values.allSatisfy { name, value in
            let own = Variant.normalised(request.values(name))
            return own == nil || own == value
        }
    }

    /// Several lines are one list, and blanks around its commas mean nothing.
    private static func normalised(_ lines: [String]) -> String? {
        guard !lines.isEmpty else { return nil }
        return lines.joined(separator: ",").utf8.split(separator: ASCII.comma, omittingEmptySubsequences: false)
            .map { String(Substring($0).trimmingWhitespace) }.joined(separator: ",")
    }
}
