#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Which cookies go along, and what becomes of those that come. A storage of ours answers on the engine's thread; a
/// subclass is asked on the delegate queue, and its answer may come from any thread, at any time.
extension DelegateDispatcher {
    /// On the engine's thread. False: the storage is a subclass, and has to be asked.
    func findCookies(for url: URLReference, _ id: QuestionID, of task: URLSessionTask) -> Bool {
        if task.hasCustomCookies { return false }
        submit(.answer(id, .cookies(task.session?.cookieStorage?.field(for: url).map { SecretText($0) })))
        return true
    }

    /// On the delegate queue.
    func askForCookies(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let answer: @Sendable ([HTTPCookie]?) -> Void = { [link] cookies in
            let field = cookies.flatMap { CookieJar.field(of: $0.map(\.cookie), CookieLimits().fieldBytes) }
            link.submit(.answer(id, .cookies(field.map { SecretText($0) })))
        }
        guard let storage = session.cookieStorage else { return answer(nil) }
        storage.getCookiesFor(task, completionHandler: answer)
    }

    /// On the engine's thread: an answer from there has these Set-Cookie fields.
    func storeCookies(_ lines: [SecretText], from url: URLReference, for task: URLSessionTask) {
        guard let session = task.session, let storage = session.cookieStorage else { return }
        let document = task.shared.withLock { $0.currentRequest?.mainDocumentURL }
        let lines = lines.map(\.text)
        if storage.accepts(from: url, for: document, session.cookiePolicy) {
            if task.hasCustomCookies {
                let cookies = storage.cookies(in: lines, from: url)
                if !cookies.isEmpty { leave(.job { storage.storeCookies(cookies, for: task) }) }
            } else if storage.take(lines, from: url) {
                // Whoever hears of it is called where the session calls.
                leave(.job { storage.postChange() })
            }
        }
        if !task.hasCustomCookies { storage.tellIfEmpty(link) }
    }
}

extension URLSessionTask {
    /// The session's storage of cookies is a subclass: others decide.
    var hasCustomCookies: Bool { session?.cookieStorage.map { !$0.isPlain } ?? false }
}
#endif
