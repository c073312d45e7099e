#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// Answers with what the session's cache has kept.
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
        guard let head = (kept.response as? HTTPURLResponse)?.source.head else { return inlet.say(.declined) }
        // Of a body that was decoded nobody is told the length (BEHAVIOUR 2.F25).
        let length = head.fields.contains("Content-Encoding") ? nil : DeclaredLength(counted: kept.data.count)
        let response = Response(head: head, url: request.url, expectedLength: length)
        let data = request.method == "HEAD" ? Data() : kept.data
        if data.count <= Self.smallBytes { return inlet.say(.whole(response, ByteBuffer(bytes: data))) }
        var owesWake = inlet.enqueue(.response(response))
        let body = LoadEvent.pieces(of: data)
        for piece in body + [.end] {
            owesWake = inlet.enqueue(piece) || owesWake
        }
        if owesWake { inlet.wake() }
    }

    func goOn() {}
    func end() {}
}
#endif
