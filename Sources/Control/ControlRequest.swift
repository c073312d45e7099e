import Foundation
import HTTPBasics
import ServerScript

/// A request of the control interface, as far as it is looked at.
package struct ControlRequest: Sendable {
    let method: String
    /// Percent-decoded, without empty ones.
    let path: [String]
    let query: [String: String]
    let body: [UInt8]
    /// When it was read, among the loads of scripts; nil for what loads none.
    let ticket: Int?

    package init(method: String, target: String, body: [UInt8] = [], ticket: Int? = nil) throws {
        self.method = method
        self.ticket = ticket
        self.body = body
        let parts = ControlRequest.origin(target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = try (parts.first ?? "").split(separator: "/").map(ControlRequest.decoded)
        var query: [String: String] = [:]
        for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try ControlRequest.decoded(pair[0])
            let value = try ControlRequest.decoded(pair.count > 1 ? pair[1] : "")
            guard query.updateValue(value, forKey: name) == nil else { throw Problem.bad("'\(name)' is there twice") }
        }
        self.query = query
    }

    /// The target without the server's name (RFC 9112 3.2.2), which a client may send as if we were a proxy.
    private static func origin(_ target: String) -> Substring {
        guard let authority = authority(of: target) else { return target[...] }
        let rest = target[authority.endIndex...]
        return rest.first == "/" ? rest : "/" + rest
    }

    /// Of a target that is a whole URL.
    static func authority(of target: String) -> Substring? {
        let scheme = target.prefix(7).lowercased()
        guard scheme == "http://" else { return nil }
        return target.dropFirst(scheme.count).prefix { !"/?".contains($0) }
    }

    private static func decoded(_ text: Substring) throws -> String {
        guard let decoded = String(text).removingPercentEncoding else {
            throw Problem.bad("a broken percent escape in the target")
        }
        return decoded
    }

    /// The scope that it is about; the one of requests without a name if it names none.
    package func scope() throws -> String {
        guard let name = query["scope"], !name.isEmpty else { return "" }
        // A script among several has its place for a name.
        guard ScopeName.isGood(name) || name.hasPrefix("/") else { throw Problem.bad("a scope has \(ScopeName.rule)") }
        return name
    }

    /// The same for what concerns all scopes if none is named.
    func scopeIfNamed() throws -> String? { query["scope"] == nil ? nil : try scope() }

    /// A word that nobody knows is a mistake that should not go unnoticed.
    func allowQuery(_ names: Set<String>) throws {
        guard let other = query.keys.filter({ !names.contains($0) }).min() else { return }
        let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
        throw Problem.bad("'\(other)' is no parameter of this; there is: \(known)")
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.bad("'\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The body's object; an empty body counts as an empty one.
    package func object(_ names: Set<String>) throws -> JSONObject {
        guard !body.isEmpty else { return JSONObject([:], "the body") }
        // It says what is wrong, and where. Of two members with one name the other reader takes one, and says nothing.
        if body.count <= JSONReader.byteLimit {
            do throws(Malformed) {
                _ = try JSONReader.read(body)
            } catch {
                throw Problem.bad("the body is \(error.text)")
            }
        }
        guard let value = try? JSONSerialization.jsonObject(with: Data(body)) else {
            throw Problem.bad("the body is not JSON")
        }
        return try JSONObject(value, "the body", names)
    }
}

/// An object of JSON whose members are taken by name and kind.
package struct JSONObject {
    private let members: [String: Any]
    private let place: String

    init(_ members: [String: Any], _ place: String) {
        self.members = members
        self.place = place
    }

    /// - Parameter names: What it may have.
    init(_ value: Any, _ place: String, _ names: Set<String>) throws {
        guard let members = value as? [String: Any] else { throw Problem.bad("\(place) is no JSON object") }
        if let other = members.keys.filter({ !names.contains($0) }).min() {
            let known = names.sorted().joined(separator: ", ")
            throw Problem.bad("'\(other)' in \(place): there is only \(known)")
        }
        self.init(members, place)
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    func text(_ name: String) throws -> String? {
        try value(name, "a text") { $0 as? String }
    }

    func flag(_ name: String) throws -> Bool? {
        try value(name, "true or false") { value in
            guard let number = value as? NSNumber, CFBooleanIs(number) else { return nil }
            return number.boolValue
        }
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            guard let number = value as? NSNumber, !CFBooleanIs(number), let whole = Int(exactly: number.doubleValue)
            else { return nil }
            return range.contains(whole) ? whole : nil
        }
    }

    func texts(_ name: String) throws -> [String: String]? {
        try value(name, "an object of texts") { $0 as? [String: String] }
    }

    func objects(_ name: String, _ names: Set<String>) throws -> [JSONObject]? {
        guard let list = members[name] else { return nil }
        guard let list = list as? [Any] else { throw Problem.bad("'\(name)' in \(place) is a list") }
        return try list.map { try JSONObject($0, "an item of '\(name)'", names) }
    }

    private func value<Value>(_ name: String, _ kind: String, _ cast: (Any) -> Value?) throws -> Value? {
        guard let value = members[name] else { return nil }
        guard let cast = cast(value) else { throw Problem.bad("'\(name)' in \(place) is \(kind)") }
        return cast
    }

    /// JSON's `true` is a number to Foundation.
    private func CFBooleanIs(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
