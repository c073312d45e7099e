import Foundation
import SessionNetworking

/// One session and its one request, in a way that its number chooses.
struct SessionUse {
    private enum End: CaseIterable {
        /// The task completes, and the session is invalidated.
        case completion
        /// The task is cancelled while it is under way.
        case cancel
        /// The session is, with it.
        case invalidateAndCancel
        /// The session is let go without a word, and its task cancelled.
        case letGo
    }

    let number: Int
    private let end: End
    private let hasDelegate: Bool

    init(_ number: Int) {
        self.number = number
        // The lowest digit, to the base of four, is the server's.
        end = End.allCases[number / 4 % 4]
        hasDelegate = number / 16 % 2 == 0
    }

    /// What went wrong, if anything did.
    func run(_ url: URL, _ manner: PlainServer.Manner) -> String? {
        let watcher = Watcher()
        let session = URLSession(
            configuration: .ephemeral, delegate: hasDelegate ? watcher : nil, delegateQueue: nil)
        let task =
            hasDelegate
            ? session.dataTask(with: url) : session.dataTask(with: url) { watcher.completed($1, $2) }
        task.resume()
        switch end {
        case .completion where manner != .stalls:
            guard watcher.waitForTask() else { return "its task never completed" }
            session.finishTasksAndInvalidate()
        case .completion, .invalidateAndCancel: session.invalidateAndCancel()
        case .cancel:
            task.cancel()
            session.finishTasksAndInvalidate()
        case .letGo: task.cancel()
        }
        guard end == .completion && manner != .stalls || watcher.waitForTask() else { return "its task never ended" }
        if hasDelegate, end != .letGo, !watcher.waitForSession() { return "it never became invalid" }
        return watcher.trouble(mayBeCancelled: end != .completion || manner == .stalls, manner)
    }
}

/// Hears of the end of one task and of one session.
private final class Watcher: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safety: `outcome` is written before the signal and read after it.
    private let task = DispatchSemaphore(value: 0)
    private let session = DispatchSemaphore(value: 0)
    private var outcome: (status: Int?, error: URLError.Code?) = (nil, nil)

    func completed(_ response: URLResponse?, _ error: (any Error)?) {
        outcome = ((response as? HTTPURLResponse)?.statusCode, (error as? URLError)?.code)
        task.signal()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        completed(task.response, error)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { self.session.signal() }

    func waitForTask() -> Bool { task.wait(timeout: .now() + 30) == .success }
    func waitForSession() -> Bool { session.wait(timeout: .now() + 30) == .success }

    func trouble(mayBeCancelled: Bool, _ manner: PlainServer.Manner) -> String? {
        if mayBeCancelled, outcome.error == .cancelled { return nil }
        switch manner {
        case .answers where outcome.error == nil && outcome.status == 200: return nil
        case .refuses where outcome.error == .cannotConnectToHost: return nil
        // A reset may come before we learn that the connection was open.
        case .resets where outcome.error == .networkConnectionLost || outcome.error == .cannotConnectToHost: return nil
        default: return "status \(outcome.status ?? 0), error \(outcome.error?.rawValue ?? 0)"
        }
    }
}
