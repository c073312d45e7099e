/// One decision of the simulated world that is not the plain one: `turn:17:2`.
///
/// Scenarios that exploration has found carry the few that make them fail.
package struct ScheduleEntry: Hashable, Sendable, CustomStringConvertible {
    /// What is decided.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case turn, length, latency, reset, busy, chance

        /// What may be chosen, besides 0: ranks, bytes, microseconds more or less, a seed.
        package var choices: ClosedRange<Int> {
            switch self {
            case .turn: 1...1000
            case .length: 1...Int(Int32.max)
            case .latency: -100...1_000_000
            case .reset: -101...1_000_000
            case .busy: 1...1_000_000
            case .chance: Int.min...Int.max
            }
        }
    }

    package var kind: Kind
    /// Which decision of its kind, from 0.
    package var index: Int
    /// Which way it goes; never 0, which is the plain one.
    package var choice: Int

    package init(_ kind: Kind, at index: Int, takes choice: Int) {
        self.kind = kind
        self.index = index
        self.choice = choice
    }

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), let index = Int(parts[1]), index >= 0,
            let choice = Int(parts[2]), choice != 0, kind.choices.contains(choice), kind != .chance || index == 0
        else { return nil }
        self.init(kind, at: index, takes: choice)
    }

    package var description: String { "\(kind.rawValue):\(index):\(choice)" }
}
