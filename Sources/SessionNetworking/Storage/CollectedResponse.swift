#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// An answer that is on its way to its caller, and may be kept when it is whole.
struct CollectedResponse: Sendable {
    let record: StoredResponse
    let key: CacheKey
    private let mostBytes: Int
    private var pieces: [ByteBuffer] = []
    private var bytes = 0

    /// - Parameter mostBytes: No larger body is worth it.
    init(_ record: StoredResponse, for key: CacheKey, mostBytes: Int) {
        (self.record, self.key, self.mostBytes) = (record, key, mostBytes)
    }

    private var isTooLarge: Bool { bytes > mostBytes }

    mutating func append(_ piece: ByteBuffer) {
        bytes += piece.readableBytes
        if isTooLarge { pieces = [] } else { pieces.append(piece) }
    }

    /// Nil if it is too large after all.
    ///
    /// - Parameter response: What the caller has been given; nil for a redirect, which nobody is given.
    func response(_ response: URLResponse?, from url: URL?) -> CachedURLResponse? {
        guard !isTooLarge else { return nil }
        // Copied: a piece may be a small part of what was read at once.
        var data = Data(capacity: bytes)
        for piece in pieces { piece.withUnsafeReadableBytes { data.append(contentsOf: $0) } }
        return CachedURLResponse(record, response: response ?? record.response(from: url), data: data)
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
