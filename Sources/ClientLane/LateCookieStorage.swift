import Foundation
import SessionNetworking

/// A storage that thinks about which cookies go along, and is told which come.
final class LateCookieStorage: HTTPCookieStorage, @unchecked Sendable {
    // Safety: `later` never changes.
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.later = later
        super.init()
    }

    override func getCookiesFor(
        _ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
    ) {
        let cookies = task.currentRequest?.url.flatMap { self.cookies(for: $0) }
        later { completionHandler(cookies) }
    }
}
