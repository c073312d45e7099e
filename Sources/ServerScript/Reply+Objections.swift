import HTTPBasics

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
        case .statusLine(let offset):
            guard let count = longestHead?.statusLineCount, offset > count else { return nil }
            return Objection("the status line has \(count) bytes, so \(fault.landmark) is never reached")
        case .head(let offset):
            guard let count = longestHead?.head.readableBytes, offset > count else { return nil }
            return Objection("the head has at most \(count) bytes, so \(fault.landmark) is never reached")
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

    /// The answer to a client that sends nothing more; nil when only playing it can tell how long its head is.
    private var longestHead: PreparedReply? {
        let isFixed = fields.list.allSatisfy { Substitution.size(of: $0.value) != nil }
        guard !isRanged, body.plainSize != nil, isFixed else { return nil }
        let request = ReceivedHead(method: "GET", target: "/")
        return PlannedReply(Substitution.withoutURLs.apply(to: self)).prepare(
            for: request, date: UnixTime(seconds: 0), mustClose: true, store: ContentStore())
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
        let (whole, rest) = size.quotientAndRemainder(dividingBy: max(1, chunk))
        let count = rest == 0 ? whole : whole + 1
        guard index >= count else { return nil }
        return Objection("there is no chunk[\(index)]: they count from 0, and \(count) are there besides the last")
    }
}

extension Content {
    /// Bytes before any compression; nil when only running it can tell: `$origin` is as long as the server's URL.
    package var plainSize: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .text(let text): Substitution.size(of: text)
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
