import ClientLane
import Foundation
import HTTPBasics
import Judge
import ServerScript
import Simulator

/// What `--explore` asks for: all positions, or one that a report named.
package enum Exploration: Hashable, Sendable, CustomStringConvertible {
    case everyCut
    case everySplit
    /// Schedules, segmentation, latencies and the caller's pace from these seeds.
    case seeds(ClosedRange<UInt64>)
    /// Each task cancelled between any two steps.
    case everyCancel
    /// Each answer bent in every way by itself.
    case hostile
    /// Several bends at a time, drawn from these seeds.
    case hostileSeeds(ClosedRange<UInt64>)
    case bends([Bend])
    case cut(CutRule)
    case split(SplitRule)
    case cancel(CancelRule)

    /// `every-cut`, `every-split`, `every-cancel`, `hostile`, `seeds=1000` from 1, `seeds=1001..2000`, `hostile=1000`,
    /// `cut:CONN:OFFSET:fin|reset`, `split:CONN:OFFSET`, `cancel:TASK:STEP`, `bend:CONN:ANSWER:CHANGE,…`.
    ///
    /// - Throws: `UsageError` that says what is wrong with the text.
    package init(_ text: String) throws {
        if text.hasPrefix("seeds=") {
            self = .seeds(try Exploration.seeds(text.dropFirst("seeds=".count)))
        } else if text.hasPrefix("hostile=") {
            self = .hostileSeeds(try Exploration.seeds(text.dropFirst("hostile=".count)))
        } else if let position = Exploration.position(text) {
            self = position
        } else {
            throw UsageError(
                "every-cut, every-split, every-cancel, hostile, seeds=N, seeds=A..B, hostile=N, hostile=A..B, "
                    + "cut:CONN:OFFSET:fin|reset, split:CONN:OFFSET, cancel:TASK:STEP and bend:CONN:ANSWER:CHANGE "
                    + "can be explored, not '\(text)'")
        }
    }

    private static func seeds(_ text: Substring) throws -> ClosedRange<UInt64> {
        let ends = String(text).components(separatedBy: "..").map { end in
            end.utf8.allSatisfy(ASCII.isDigit) ? UInt64(end) : nil
        }
        let first = ends.count == 1 ? 1 : ends[0]
        guard ends.count <= 2, let first, let last = ends[ends.count - 1] else {
            throw UsageError("N or A..B, of whole numbers up to \(UInt64.max), not '\(text)'")
        }
        guard first > 0, last > 0 else { throw UsageError("seeds begin at 1: 0 is the plain order") }
        guard first <= last else { throw UsageError("'\(text)' ends before it begins") }
        guard last - first < mostSeeds else { throw UsageError("at most \(mostSeeds) seeds at a time") }
        return first...last
    }

    private static func position(_ text: String) -> Exploration? {
        if text.hasPrefix("bend:") {
            let words = text.dropFirst("bend:".count).split(separator: ",", omittingEmptySubsequences: false)
            let bends = words.compactMap { Bend($0) }
            return bends.count == words.count ? .bends(bends) : nil
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("every-cut", 1): return .everyCut
        case ("every-split", 1): return .everySplit
        case ("every-cancel", 1): return .everyCancel
        case ("hostile", 1): return .hostile
        case ("cut", 4):
            guard let connection = Int(parts[1]), let offset = Int(parts[2]), connection >= 0, offset >= 0,
                let effect = CutRule.Effect(rawValue: parts[3])
            else { return nil }
            return .cut(CutRule(connection: connection, offset: offset, effect: effect))
        case ("split", 3):
            guard let connection = Int(parts[1]), let offset = Int(parts[2]), connection >= 0, offset >= 0 else {
                return nil
            }
            return .split(SplitRule(connection: connection, offset: offset))
        case ("cancel", 3):
            guard let step = Int(parts[2]), step >= 0, !parts[1].isEmpty else { return nil }
            return .cancel(CancelRule(label: parts[1], step: step))
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .everyCut: return "every-cut"
        case .everySplit: return "every-split"
        case .everyCancel: return "every-cancel"
        case .hostile: return "hostile"
        case .seeds(let range): return "seeds=\(range.lowerBound)..\(range.upperBound)"
        case .hostileSeeds(let range): return "hostile=\(range.lowerBound)..\(range.upperBound)"
        case .bends(let bends): return "bend:" + bends.map(\.description).joined(separator: ",")
        case .cut(let rule): return "cut:\(rule.connection):\(rule.offset):\(rule.effect.rawValue)"
        case .split(let rule): return "split:\(rule.connection):\(rule.offset)"
        case .cancel(let rule): return "cancel:\(rule.label):\(rule.step)"
        }
    }

    /// What workers are given at a time: many seeds of one case are more than one worker's work.
    var portions: [Exploration] {
        switch self {
        case .seeds(let seeds): return Exploration.portions(of: seeds).map(Exploration.seeds)
        case .hostileSeeds(let seeds): return Exploration.portions(of: seeds).map(Exploration.hostileSeeds)
        default: return [self]
        }
    }

    private static func portions(of seeds: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
        stride(from: 0, through: seeds.upperBound - seeds.lowerBound, by: seedsAtATime).map { past in
            let first = seeds.lowerBound + past
            return first...first + min(UInt64(seedsAtATime) - 1, seeds.upperBound - first)
        }
    }

    private static let seedsAtATime = 200
    /// More would take months, and their portions much memory.
    private static let mostSeeds: UInt64 = 10_000_000

    /// Judged by what holds with any peer.
    var isHostile: Bool {
        switch self {
        case .hostile, .hostileSeeds, .bends: true
        default: false
        }
    }

    /// Why no seed can be given besides.
    package var objectionToSeed: String? {
        if case .seeds = self { return "it names its seeds itself: leave out --seed" }
        // What it leaves behind would need a schedule as well as bends.
        return isHostile ? "answers are bent in the plain order: leave out --seed" : nil
    }

    /// What fails becomes a scenario of its own.
    var leavesScenarios: Bool {
        switch self {
        case .seeds, .hostile, .hostileSeeds: true
        default: false
        }
    }

    var rules: [FaultRule] {
        switch self {
        case .everyCut, .everySplit, .everyCancel, .hostile, .seeds, .hostileSeeds, .cancel: return []
        case .bends(let bends): return bends.map(FaultRule.bend)
        case .cut(let rule): return [.cut(rule)]
        case .split(let rule): return [.split(rule)]
        }
    }
}
