/// What is wrong with an answer as a whole, and what to do about it.
package struct Objection: Hashable, Sendable {
    package var text: String
    package var remedy: String?

    package init(_ text: String, remedy: String? = nil) {
        self.text = text
        self.remedy = remedy
    }
}

extension Reply {
    /// Why a fault would never strike in this answer; nil when it can, or when only playing it can tell.
    package func objection(to fault: Fault) -> Objection? {
        if fault.landmark.kind.needsChunks, !isChunked {
            return Objection("a fault at '\(fault.landmark)' needs a chunked answer")
        }
        switch fault.landmark {
        case .body(let offset):
            guard !isRanged, let size = body.plainSize, offset > size else { return nil }
            return Objection("the body has \(size) bytes, so body+\(offset) is never reached")
        case .interim(let index):
            let count = Interim.count(interim)
            guard index >= count else { return nil }
            return Objection("there is no interim[\(index)]: they count from 0, and \(count) are there")
        case .chunk(let index, _): return chunkObjection(index)
        case .trailers where trailers.isEmpty:
            return Objection("the answer has no trailers", remedy: "write them, or strike at 'last-chunk'")
        default: return nil
        }
    }

    private var isChunked: Bool {
        if case .chunked = framing { return true }
        return false
    }

    /// Only a body that is sent as it comes has chunks that can be counted beforehand.
    private func chunkObjection(_ index: Int) -> Objection? {
        guard timeline.allSatisfy(\.isSplit), !isRanged, let size = body.plainSize,
            case .chunked(let chunk) = framing
        else { return nil }
        let count = (size + chunk - 1) / max(1, chunk)
        guard index >= count else { return nil }
        return Objection("there is no chunk[\(index)]: they count from 0, and \(count) are there besides the last")
    }
}

extension Content {
    /// Bytes before any compression; nil when only running it can tell.
    package var plainSize: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .counter(let size), .random(_, let size), .fill(_, let size): size
        case .compressed: nil
        }
    }
}

extension SendStep {
    /// Divides segments and leaves the bytes as they are.
    fileprivate var isSplit: Bool {
        switch self {
        case .split, .rest: true
        default: false
        }
    }
}
