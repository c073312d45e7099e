import Control
import Judge
import ScriptedServer
import ServerScript

/// What `--limit` says: `connections=12000`, `idle=5m`. Documentation/SERVING.md has a table of them.
package struct ServedLimits: Hashable, Sendable {
    package var server = ServerLimits()
    package var control = ControlLimits()

    package init() {}

    private enum Place {
        case count(WritableKeyPath<ServedLimits, Int>, ClosedRange<Int>)
        case connections
        case size(WritableKeyPath<ServedLimits, Int>, ClosedRange<Int>)
        case span(WritableKeyPath<ServedLimits, Duration>)
    }

    private static var places: [(name: String, place: Place)] {
        [
            ("connections", .connections),
            ("idle", .span(\.server.idle)),
            ("scopes", .count(\.server.scopes, 1...100_000)),
            ("journal", .count(\.server.journalRequests, 16...10_000_000)),
            ("journal-size", .size(\.server.journalBytes, 1 << 10...1 << 40)),
            ("waits", .count(\.server.waits, 1...100_000)),
            ("control-connections", .count(\.control.connections, 1...100_000)),
            ("control-body", .size(\.control.bodyBytes, 1 << 10...1 << 30)),
        ]
    }

    package static var names: [String] { places.map(\.name) }

    /// A number alone is one of connections.
    ///
    /// - Throws: `UsageError`.
    package init(_ words: [String]) throws {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let (name, value) = parts.count == 2 ? (parts[0], parts[1]) : ("connections", word)
            guard let place = Self.places.first(where: { $0.name == name })?.place else {
                throw UsageError("--limit \(word): there is only \(Self.names.joined(separator: ", "))")
            }
            try set(place, to: value, word)
        }
    }

    private mutating func set(_ place: Place, to text: String, _ word: String) throws {
        switch place {
        case .connections:
            server.connections = try ServedLimits.value(Quantities.integer(text), text, in: 1...10_000_000, word)
        case .count(let path, let range):
            self[keyPath: path] = try ServedLimits.value(Quantities.integer(text), text, in: range, word)
        case .size(let path, let range):
            self[keyPath: path] = try ServedLimits.value(
                Quantities.size(text, allowsBare: true), text, in: range, word)
        case .span(let path):
            let range = Duration.seconds(1)...Duration.seconds(365 * 86_400)
            self[keyPath: path] = try ServedLimits.value(
                Quantities.duration(text), text, in: range, word, as: "1s to 8760h")
        }
    }

    private static func value<Value: Comparable>(
        _ parsed: Quantities.Parsed<Value>, _ text: String, in range: ClosedRange<Value>, _ word: String,
        as rangeText: String? = nil
    ) throws -> Value {
        switch parsed {
        case .wrong(let reason): throw UsageError("--limit \(word): '\(text)' \(reason)")
        case .value(let value):
            guard range.contains(value) else {
                let wanted = rangeText ?? "\(range.lowerBound) to \(range.upperBound)"
                throw UsageError("--limit \(word): '\(text)' is not from \(wanted)")
            }
            return value
        }
    }
}
