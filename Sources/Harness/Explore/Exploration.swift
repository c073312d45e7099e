import Simulator

/// What `--explore` asks for: all positions, or one that a report named.
package enum Exploration: Hashable, Sendable, CustomStringConvertible {
    case everyCut
    case everySplit
    case cut(CutRule)
    case split(SplitRule)

    /// `every-cut`, `every-split`, `cut:CONN:OFFSET:fin|reset`, `split:CONN:OFFSET`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("every-cut", 1): self = .everyCut
        case ("every-split", 1): self = .everySplit
        case ("cut", 4):
            guard let connection = Int(parts[1]), let offset = Int(parts[2]), connection >= 0, offset >= 0,
                let effect = CutRule.Effect(rawValue: parts[3])
            else { return nil }
            self = .cut(CutRule(connection: connection, offset: offset, effect: effect))
        case ("split", 3):
            guard let connection = Int(parts[1]), let offset = Int(parts[2]), connection >= 0, offset >= 0 else {
                return nil
            }
            self = .split(SplitRule(connection: connection, offset: offset))
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .everyCut: return "every-cut"
        case .everySplit: return "every-split"
        case .cut(let rule): return "cut:\(rule.connection):\(rule.offset):\(rule.effect.rawValue)"
        case .split(let rule): return "split:\(rule.connection):\(rule.offset)"
        }
    }

    var rules: [FaultRule] {
        switch self {
        case .everyCut, .everySplit: return []
        case .cut(let rule): return [.cut(rule)]
        case .split(let rule): return [.split(rule)]
        }
    }
}
