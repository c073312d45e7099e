#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// Answers with what the session's cache has kept in memory.
final class KeptLoader: Loader {
    private let kept: CachedURLResponse
    private let request: ClientRequest
    private let inlet: EventInlet

    /// A body that is told in one piece.
    private static let smallBytes = 64 << 10

    init(_ kept: CachedURLResponse, for request: ClientRequest, inlet: EventInlet) {
        (self.kept, self.request, self.inlet) = (kept, request, inlet)
    }

    func begin() {
        guard let (response, data) = Self.answer(kept, to: request) else { return inlet.say(.declined) }
        if data.count <= Self.smallBytes { return inlet.say(.whole(response, ByteBuffer(bytes: data))) }
        inlet.say([.response(response)] + LoadEvent.pieces(of: data) + [.end])
    }

    /// The same of one that is told in one piece; nil for a larger one.
    static func wholeAnswer(_ kept: CachedURLResponse, to request: ClientRequest) -> (Response, ByteBuffer)? {
        guard let (response, data) = answer(kept, to: request), data.count <= smallBytes else { return nil }
        return (response, ByteBuffer(bytes: data))
    }

    /// Nil for what is no answer of HTTP: it has no head.
    private static func answer(_ kept: CachedURLResponse, to request: ClientRequest) -> (Response, Data)? {
        guard let head = (kept.response as? HTTPURLResponse)?.source.head else { return nil }
        let response = Response.kept(head, for: request, bytes: kept.data.count)
        return (response, request.method == "HEAD" ? Data() : kept.data)
    }

    func goOn() {}
    func end() {}
}

extension Response {
    /// Of a body that was decoded nobody is told the length (BEHAVIOUR 2.F25).
    static func kept(_ head: ResponseHead, for request: ClientRequest, bytes: Int) -> Response {
        let length = head.fields.contains("Content-Encoding") ? nil : DeclaredLength(counted: bytes)
        return Response(head: head, url: request.url, expectedLength: length)
    }
}
#endif
