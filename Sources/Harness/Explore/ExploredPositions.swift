import Simulator

/// Which offsets of what the server sent are worth a run (decision 12).
enum ExploredPositions {
    /// Bodies up to this size are visited byte by byte, larger ones at their edges and at seeded places.
    static let smallBody = 256
    static let seededPositions = 64
    static let edge = 2

    /// Ascending, without repetition, all within `0...count`.
    static func offsets(of record: WireRecord, seed: UInt64) -> [Int] {
        let end = record.counts.fromServer
        var offsets: Set<Int> = [0, end]
        var random = SeededRandom(seed: seed &+ UInt64(record.connection))
        for span in record.spans {
            let isSmall = span.range.count <= smallBody
            if isSmall || span.kind == .head || span.kind == .framing {
                offsets.formUnion(Array(span.range.lowerBound...span.range.upperBound))
                continue
            }
            for distance in -edge...edge {
                offsets.insert(span.range.lowerBound + distance)
                offsets.insert(span.range.upperBound + distance)
            }
            for _ in 0..<seededPositions {
                offsets.insert(span.range.lowerBound + random.below(span.range.count))
            }
        }
        return offsets.filter { $0 >= 0 && $0 <= end }.sorted()
    }
}
