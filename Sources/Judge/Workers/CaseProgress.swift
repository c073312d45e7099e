import Foundation

/// A line between a request and its answer: how far a worker is with an exploration, or with a case that it repeats.
///
/// It may be the last that is heard of that worker.
package enum CaseProgress: Hashable, Sendable {
    /// What it plays from now on: how many have been played before, those included that another worker played, and
    /// what it is, as `--explore` takes it.
    case playing(position: Int, exploration: String)
    /// The case conformed and is played once more, for the so many-th time.
    case again(play: Int)
    /// One more has failed: what all that it has played came to.
    case found(CaseResult)

    /// Nil for what is no such line.
    package init?(_ line: [UInt8]) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Data($0) }
        guard words.count == 2 else { return nil }
        switch String(decoding: words[0], as: UTF8.self) {
        case "playing":
            let words = String(decoding: words[1], as: UTF8.self).split(separator: " ", maxSplits: 1)
            guard words.count == 2, let position = Int(words[0]) else { return nil }
            self = .playing(position: position, exploration: String(words[1]))
        case "again":
            guard let play = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
            self = .again(play: play)
        case "found":
            guard let result = try? JSONDecoder().decode(CaseResult.self, from: words[1]) else { return nil }
            self = .found(result)
        default: return nil
        }
    }

    /// With its newline.
    package var line: Data {
        switch self {
        case .playing(let position, let exploration): return Data("playing \(position) \(exploration)\n".utf8)
        case .again(let play): return Data("again \(play)\n".utf8)
        case .found(let result):
            guard let json = try? JSONEncoder().encode(result) else { return Data() }
            return Data("found ".utf8) + json + [10]
        }
    }
}
