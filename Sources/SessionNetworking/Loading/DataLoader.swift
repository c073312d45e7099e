#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// Answers a `data:` URL (RFC 2397) out of the URL itself.
final class DataLoader: Loader {
    private let url: URLReference
    private let task: URLSessionTask
    private let executor: any CallExecutor
    private let inlet: EventInlet

    init(_ url: URLReference, for task: URLSessionTask, executor: any CallExecutor, inlet: EventInlet) {
        (self.url, self.task, self.executor, self.inlet) = (url, task, executor, inlet)
    }

    /// Not on the engine's thread: the URL may be long.
    func begin() { executor.run { self.answer() } }

    private func answer() {
        guard let content = DataURL(url), let url = task.currentRequest?.url else {
            return inlet.say(.failed(.badURL, detail: "The text after 'data:' does not follow RFC 2397."))
        }
        let response = URLResponse(
            url: url, mimeType: content.mediaType.essence, expectedContentLength: content.bytes.count,
            textEncodingName: content.mediaType.charset?.lowercased())
        inlet.say(.response(task.supply(response)))
        for event in LoadEvent.pieces(of: content.bytes) { inlet.say(event) }
        inlet.say(.end)
    }

    func goOn() {}
    func end() {}
}
#endif
