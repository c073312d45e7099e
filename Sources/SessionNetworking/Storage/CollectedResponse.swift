#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// An answer that is on its way to its caller, and may be kept when it is whole.
///
/// A small one waits in memory for its end. The body of a larger one goes to disk while it comes, unless the delegate
/// is to be asked: it is given the whole.
struct CollectedResponse: Sendable {
    let kept: KeepableResponse
    /// What the caller asked for.
    private let url: URL?
    private let isAsked: Bool
    private var limits: BodyLimits
    /// What stands beside its body on disk; nil if that does not go there while it comes.
    private var head: KeptHead?
    private var pieces: [ByteBuffer] = []
    private var bytes = 0
    /// What goes to disk.
    private var body: StreamedBody?

    /// What is not worth a file that is written while it comes.
    private static let smallBytes = 64 << 10
    /// How much of a body is in memory for the disk's sake: for a delegate, which is given it whole.
    private static let askedBytes = 16 << 20

    init(_ kept: KeepableResponse, from url: URL?, isAsked: Bool, _ limits: BodyLimits) {
        (self.kept, self.url, self.isAsked, self.limits) = (kept, url, isAsked, limits)
        if kept.isForMemoryOnly { self.limits.onDisk = 0 }
        if !isAsked, self.limits.onDisk > Self.smallBytes { head = KeptHead(writing: record, url: url) }
    }

    var record: StoredResponse { kept.response }
    var key: CacheKey { kept.key }
    var asked: Instant? { kept.asked }

    /// How much of it may be in memory.
    private var mostHeld: Int {
        let forDisk = body != nil ? 0 : isAsked ? Self.askedBytes : Self.smallBytes
        return max(limits.inMemory, min(limits.onDisk, forDisk))
    }

    /// What is to be done on disk now.
    mutating func append(_ piece: ByteBuffer) -> [DiskChange] {
        bytes += piece.readableBytes
        var changes: [DiskChange] = []
        if let body {
            if bytes <= limits.onDisk { changes = [.append(body, piece)] } else { changes = giveUpDisk() }
        } else if let head, bytes > Self.smallBytes, bytes <= limits.onDisk {
            let begun = StreamedBody(head, for: key)
            changes = (pieces + [piece]).map { .append(begun, $0) }
            body = begun
        }
        if bytes <= mostHeld { pieces.append(piece) } else { pieces = [] }
        return changes
    }

    private var held: Int { pieces.reduce(0) { $0 + $1.readableBytes } }

    /// It does not get there whole.
    mutating func giveUpDisk() -> [DiskChange] {
        defer { (body, head) = (nil, nil) }
        return body.map { [.abandon($0)] } ?? []
    }

    /// What is kept when its body is whole.
    enum Outcome: Sendable {
        /// In memory as well, where it is on disk already.
        case whole(CachedURLResponse, StreamedBody?)
        case onDisk(StreamedBody, bytes: Int)
        case tooLarge
    }

    /// - Parameter response: What the caller has been given; nil for a redirect, which nobody is given.
    func outcome(_ response: URLResponse?) -> Outcome {
        guard bytes <= mostHeld, held == bytes else { return body.map { .onDisk($0, bytes: bytes) } ?? .tooLarge }
        // Copied: a piece may be a small part of what was read at once.
        var data = Data(capacity: bytes)
        for piece in pieces { piece.withUnsafeReadableBytes { data.append(contentsOf: $0) } }
        let whole = CachedURLResponse(
            record, response: response ?? record.response(from: url), data: data,
            storagePolicy: kept.isForMemoryOnly ? .allowedInMemoryOnly : .allowed)
        return .whole(whole, body)
    }
}

extension StoredResponse {
    /// In the form in which a caller is given it.
    func response(from url: URL?) -> HTTPURLResponse {
        let head = ResponseHead(status: status, fields: FieldBlock(fields))
        let place = url.flatMap { URLReference($0.absoluteString) } ?? URLReference()
        return HTTPURLResponse(Response(head: head, url: place, expectedLength: nil))
    }
}
#endif
