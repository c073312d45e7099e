/// A line between a request and its answer: what of an exploration a worker plays from now on.
///
/// It may be the last that is heard of that worker.
package struct CaseProgress: Hashable, Sendable {
    /// How many it has played before, those included that another worker played.
    package var position: Int
    /// As `--explore` takes it.
    package var exploration: String

    private static let mark = "playing"

    package init(position: Int, exploration: String) {
        self.position = position
        self.exploration = exploration
    }

    /// Nil for what is no such line.
    package init?(_ line: [UInt8]) {
        guard line.starts(with: CaseProgress.mark.utf8) else { return nil }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == CaseProgress.mark, let position = Int(words[1]) else { return nil }
        self.init(position: position, exploration: String(words[2]))
    }

    /// With its newline.
    var line: String { "\(CaseProgress.mark) \(position) \(exploration)\n" }
}
