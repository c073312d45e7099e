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
    static let smallBytes = 64 << 10

    init(_ kept: CachedURLResponse, for request: ClientRequest, inlet: EventInlet) {
        (self.kept, self.request, self.inlet) = (kept, request, inlet)
    }

    func begin() {
        guard let response = kept.answer(to: request, bytes: kept.data.count) else { return inlet.say(.declined) }
        let data = request.method == "HEAD" ? Data() : kept.data
        if data.count <= Self.smallBytes { return inlet.say(.whole(response, ByteBuffer(bytes: data))) }
        inlet.say([.response(response)] + LoadEvent.pieces(of: data) + [.end])
    }

    func goOn() {}
    func end() {}
}

extension CachedURLResponse {
    /// Nil if it is no answer of HTTP.
    final func answer(to request: ClientRequest, bytes: Int) -> Response? {
        guard let head = (response as? HTTPURLResponse)?.source.head else { return nil }
        return Response.kept(head, for: request, bytes: bytes)
    }
}

extension Response {
    /// Of a body that was decoded nobody is told the length (BEHAVIOUR 2.F25).
    static func kept(_ head: ResponseHead, for request: ClientRequest, bytes: Int) -> Response {
        let length = head.fields.contains("Content-Encoding") ? nil : DeclaredLength(counted: bytes)
        return Response(head: head, url: request.url, expectedLength: length)
    }
}
#endif
