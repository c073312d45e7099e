import Foundation
import Simulator

/// What `--explore` asks for: all positions, or one that a report named.
package enum Exploration: Hashable, Sendable, CustomStringConvertible {
    case everyCut
    case everySplit
    /// Schedules, segmentation, latencies and the caller's pace from these seeds.
    case seeds(ClosedRange<UInt64>)
    case cut(CutRule)
    case split(SplitRule)

    /// `every-cut`, `every-split`, `seeds=1000` from 1, `seeds=1001..2000`, `cut:CONN:OFFSET:fin|reset`,
    /// `split:CONN:OFFSET`.
    package init?(_ text: String) {
        if text.hasPrefix("seeds=") {
            let ends = text.dropFirst("seeds=".count).components(separatedBy: "..").map { UInt64($0) }
            let first = ends.count == 1 ? 1 : ends[0]
            guard ends.count <= 2, let first, let last = ends[ends.count - 1], first > 0, first <= last else {
                return nil
            }
            self = .seeds(first...last)
            return
        }
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
        case .seeds(let range): return "seeds=\(range.lowerBound)..\(range.upperBound)"
        case .cut(let rule): return "cut:\(rule.connection):\(rule.offset):\(rule.effect.rawValue)"
        case .split(let rule): return "split:\(rule.connection):\(rule.offset)"
        }
    }

    /// What workers are given at a time: very many seeds of one case are more than one worker's work.
    var portions: [Exploration] {
        guard case .seeds(let seeds) = self else { return [self] }
        return stride(from: seeds.lowerBound, through: seeds.upperBound, by: Exploration.seedsAtATime).map { first in
            .seeds(first...min(seeds.upperBound, first + UInt64(Exploration.seedsAtATime) - 1))
        }
    }

    private static let seedsAtATime = 1000

    var rules: [FaultRule] {
        switch self {
        case .everyCut, .everySplit, .seeds: return []
        case .cut(let rule): return [.cut(rule)]
        case .split(let rule): return [.split(rule)]
        }
    }
}
