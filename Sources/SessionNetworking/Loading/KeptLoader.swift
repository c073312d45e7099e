#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Answers with what the session's cache has kept.
final class KeptLoader: Loader {
    private let kept: CachedURLResponse
    private let request: ClientRequest
    private let inlet: EventInlet

    init(_ kept: CachedURLResponse, for request: ClientRequest, inlet: EventInlet) {
        (self.kept, self.request, self.inlet) = (kept, request, inlet)
    }

    func begin() {
        guard let head = (kept.response as? HTTPURLResponse)?.source.head else { return inlet.say(.declined) }
        // Of a body that was decoded nobody is told the length (BEHAVIOUR 2.F25).
        let length = head.fields.contains("Content-Encoding") ? nil : DeclaredLength(counted: kept.data.count)
        let response = LoadEvent.response(Response(head: head, url: request.url, expectedLength: length))
        var owesWake = inlet.enqueue(response)
        let body = request.method == "HEAD" ? [] : LoadEvent.pieces(of: kept.data)
        for piece in body + [.end] {
            owesWake = inlet.enqueue(piece) || owesWake
        }
        if owesWake { inlet.wake() }
    }

    func goOn() {}
    func end() {}
}
#endif
