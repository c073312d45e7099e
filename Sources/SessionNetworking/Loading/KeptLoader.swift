#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Answers with what the session's cache has kept.
final class KeptLoader: Loader {
    private let kept: CachedURLResponse
    private let hasBody: Bool
    private let url: URLReference
    private let inlet: EventInlet

    init(_ kept: CachedURLResponse, hasBody: Bool, for url: URLReference, inlet: EventInlet) {
        (self.kept, self.hasBody, self.url, self.inlet) = (kept, hasBody, url, inlet)
    }

    func begin() {
        guard let head = (kept.response as? HTTPURLResponse)?.source.head else { return inlet.say(.declined) }
        // Of a body that was decoded nobody is told the length (BEHAVIOUR 2.F25).
        let length = head.fields.contains("Content-Encoding") ? nil : DeclaredLength(counted: kept.data.count)
        let response = LoadEvent.response(Response(head: head, url: url, expectedLength: length))
        var owesWake = inlet.enqueue(response)
        for piece in (hasBody ? LoadEvent.pieces(of: kept.data) : []) + [.end] {
            owesWake = inlet.enqueue(piece) || owesWake
        }
        if owesWake { inlet.wake() }
    }

    func goOn() {}
    func end() {}
}
#endif
