import Foundation
import SessionNetworking

/// A cache that thinks about what it has, and about what comes.
final class LateURLCache: URLCache, @unchecked Sendable {
    // Safety: `later` never changes.
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.later = later
        super.init()
    }

    override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let request = dataTask.currentRequest
        later { completionHandler(request.flatMap { self.cachedResponse(for: $0) }) }
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        later { super.storeCachedResponse(cachedResponse, for: dataTask) }
    }
}
