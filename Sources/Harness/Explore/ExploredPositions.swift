import Simulator

/// Which offsets of what the server sent are worth a run (SCENARIO-FORMAT 'Cuts, splits, cancels').
enum ExploredPositions {
    /// Bodies up to this size are visited byte by byte, larger ones at their edges and at seeded places.
    static let smallBody = 256
    static let seededPositions = 64
    static let edge = 2
    /// Of a body in very many chunks the framing of so many, of both ends, is visited byte by byte: those between are
    /// read in the same states.
    static let framedChunks = 8

    /// Moments between the steps of a run: all of a short one, of a long one so many seeded ones.
    static let mostMoments = 200

    static func moments(of steps: Int, seed: UInt64) -> [Int] {
        guard steps > mostMoments else { return Array(0...max(0, steps)) }
        var random = SeededRandom(seed: seed)
        return Set((0..<mostMoments).map { _ in random.below(steps) }).sorted()
    }

    /// Ascending, without repetition, all within `0...count`.
    static func offsets(of record: WireRecord, seed: UInt64) -> [Int] {
        let end = record.carried.fromServer
        var offsets: Set<Int> = [0, end]
        var random = SeededRandom(seed: seed &+ UInt64(record.connection))
        if let sealed = record.sealed {
            offsets.formUnion(sealedOffsets(sealed.records, end, &random))
            return offsets.filter { $0 >= 0 && $0 <= end }.sorted()
        }
        for exchange in Set(record.spans.map(\.exchange)).sorted() {
            let spans = record.spans.filter { $0.exchange == exchange }
            let framing = spans.filter { $0.kind == .framing }
            for span in framing.prefix(framedChunks) + framing.suffix(framedChunks) + spans.filter({ $0.kind == .head })
            {
                offsets.formUnion(span.range.lowerBound...span.range.upperBound)
            }
            offsets.formUnion(bodyOffsets(spans.filter { $0.kind == .body || $0.kind == .other }, &random))
        }
        return offsets.filter { $0 >= 0 && $0 <= end }.sorted()
    }

    /// Of TLS the headers of records are visited byte by byte, and their bodies' edges; all else at seeded places.
    private static func sealedOffsets(_ records: [Range<Int>], _ end: Int, _ random: inout SeededRandom) -> Set<Int> {
        var offsets: Set<Int> = []
        for record in records.prefix(framedChunks) + records.suffix(framedChunks) {
            offsets.formUnion(record.lowerBound...min(record.lowerBound + sealedHeader, record.upperBound))
            offsets.formUnion([record.upperBound - 1, record.upperBound])
        }
        for _ in 0..<seededPositions where end > 0 { offsets.insert(random.below(end)) }
        return offsets
    }

    /// The header of a record (RFC 8446 5.1) and the first byte behind it.
    private static let sealedHeader = 6

    /// The spans of one body are visited as the whole that they are, however it was chunked.
    private static func bodyOffsets(_ spans: [WireSpan], _ random: inout SeededRandom) -> Set<Int> {
        let count = spans.reduce(0) { $0 + $1.range.count }
        guard let start = spans.first?.range.lowerBound, let end = spans.last?.range.upperBound, count > 0 else {
            return []
        }
        guard count > smallBody else { return Set(spans.flatMap { $0.range.lowerBound...$0.range.upperBound }) }
        var offsets = Set((-edge...edge).flatMap { [start + $0, end + $0] })
        for _ in 0..<seededPositions {
            var place = random.below(count)
            for span in spans {
                if place < span.range.count {
                    offsets.insert(span.range.lowerBound + place)
                    break
                }
                place -= span.range.count
            }
        }
        return offsets
    }
}
