import HTTPBasics

/// One of several that share a server and know nothing of each other: each has a state of its own, and so its own
/// steps, rounds, chances, signals and uploads.
final class ScriptScope {
    /// Empty for the one of requests that name none.
    let name: String
    /// Of the present round.
    var state: ScriptState
    /// Nothing is answered.
    var isFrozen = false
    /// When a request last named it.
    var lastUse: Instant

    init(_ name: String, _ prepared: PreparedScript, seed: UInt64, at now: Instant) {
        self.name = name
        state = ScriptState(prepared, seed: seed, isNamed: !name.isEmpty)
        lastUse = now
    }

    /// The script as it stands before anybody has asked for anything.
    func fresh(seed: UInt64) -> ScriptState {
        let fresh = ScriptState(state.prepared, seed: seed, isNamed: !name.isEmpty)
        fresh.usedRoutes = state.usedRoutes
        return fresh
    }
}

/// The scope that a request names: by a field, or by what its path begins with, which the script then does not see.
package enum ScopeName {
    package static let field = "Understudy-Scope"
    /// Followed by the name and the path proper: `/scope:NAME/users`.
    package static let prefix = "/scope:"
    package static let longest = 64
    package static let rule = "1 to 64 letters, digits, '-', '.', '_' or '~'"

    /// The name in front of a target, and the target behind it; nil for a target without one.
    static func divide(_ target: String) -> (name: String, target: String)? {
        guard target.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = target.utf8.dropFirst(prefix.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let path = String(decoding: rest[end...], as: UTF8.self)
        return (String(decoding: rest[..<end], as: UTF8.self), path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
    }

    /// Made of the unreserved characters of RFC 3986, so that it can stand in a path as it is.
    package static func isGood(_ name: String) -> Bool {
        1...longest ~= name.utf8.count
            && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0) }
    }
}
