import Foundation
import SessionNetworking

/// A storage that thinks about which cookies go along, and about those that come.
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
        let url = task.currentRequest?.url
        later { completionHandler(url.flatMap { self.cookies(for: $0) }) }
    }

    override func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
        later { super.storeCookies(cookies, for: task) }
    }
}
