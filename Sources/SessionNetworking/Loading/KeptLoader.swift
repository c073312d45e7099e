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
        // What is no answer of HTTP has no head.
        guard let head = (kept.response as? HTTPURLResponse)?.source.head else { return inlet.say(.declined) }
        let response = Response.kept(head, for: request, bytes: kept.data.count)
        let data = request.method == "HEAD" ? Data() : kept.data
        if data.count <= Self.smallBytes { return inlet.say(.whole(response, ByteBuffer(bytes: data))) }
        inlet.say([.response(response)] + LoadEvent.pieces(of: data) + [.end])
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
