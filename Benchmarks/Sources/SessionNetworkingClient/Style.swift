import Foundation
import Synchronization

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// How the caller learns of results.
enum Style: String {
    case delegate, completion, async

    /// Loads the URL so many times and returns how many of them went wrong.
    func load(_ url: URL, times: Int, atOnce: Int) async -> Int {
        switch self {
        case .delegate: return await DelegateLoader(Tally(url, times)).load(atOnce: atOnce)
        case .completion: return await CompletionLoader(Tally(url, times)).load(atOnce: atOnce)
        case .async: return await AsyncLoader(url: url, times: times).load(atOnce: atOnce)
        }
    }

    /// The same for every style and both libraries.
    static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    /// The size of the server's answer.
    static let bodyBytes = 100

    static func isRight(_ response: URLResponse?, _ bytes: Int, _ error: (any Error)?) -> Bool {
        error == nil && bytes == bodyBytes && (response as? HTTPURLResponse)?.statusCode == 200
    }
}

/// Counts requests that are still to be started, and those that are done.
final class Tally: Sendable {
    private struct Counts {
        var toStart: Int
        var toFinish: Int
        var failed = 0
        var waiting: CheckedContinuation<Int, Never>?
    }

    let url: URL
    private let counts: Mutex<Counts>

    init(_ url: URL, _ times: Int) {
        self.url = url
        counts = Mutex(Counts(toStart: times, toFinish: times))
    }

    /// Whether another request shall be started.
    func next() -> Bool {
        counts.withLock { counts in
            guard counts.toStart > 0 else { return false }
            counts.toStart -= 1
            return true
        }
    }

    func done(_ isRight: Bool) {
        let (waiting, failed) = counts.withLock { counts in
            counts.toFinish -= 1
            if !isRight { counts.failed += 1 }
            return (counts.toFinish == 0 ? counts.waiting : nil, counts.failed)
        }
        waiting?.resume(returning: failed)
    }

    /// Starts, and waits until every request has finished.
    func run(_ start: () -> Void) async -> Int {
        await withCheckedContinuation { continuation in
            counts.withLock { $0.waiting = continuation }
            start()
        }
    }
}

/// Every answer starts the next request.
final class CompletionLoader: Sendable {
    private let tally: Tally
    private let session = URLSession(configuration: Style.configuration())

    init(_ tally: Tally) { self.tally = tally }

    func load(atOnce: Int) async -> Int {
        let failed = await tally.run { for _ in 0..<atOnce { startNext() } }
        session.invalidateAndCancel()
        return failed
    }

    private func startNext() {
        guard tally.next() else { return }
        session.dataTask(with: URLRequest(url: tally.url)) { [self] data, response, error in
            startNext()
            tally.done(Style.isRight(response, data?.count ?? 0, error))
        }.resume()
    }
}

/// The same with a session delegate that takes response, data and completion.
final class DelegateLoader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safety: `received` is touched on the delegate queue only.
    private let tally: Tally
    private var received: [Int: Int] = [:]

    init(_ tally: Tally) { self.tally = tally }

    func load(atOnce: Int) async -> Int {
        let session = URLSession(configuration: Style.configuration(), delegate: self, delegateQueue: nil)
        let failed = await tally.run { for _ in 0..<atOnce { startNext(session) } }
        session.invalidateAndCancel()
        return failed
    }

    private func startNext(_ session: URLSession) {
        if tally.next() { session.dataTask(with: URLRequest(url: tally.url)).resume() }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        received[dataTask.taskIdentifier, default: 0] += data.count
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let bytes = received.removeValue(forKey: task.taskIdentifier) ?? 0
        startNext(session)
        tally.done(Style.isRight(task.response, bytes, error))
    }
}

/// As many Swift tasks as there shall be requests at once, each loading one after another.
struct AsyncLoader {
    var url: URL
    var times: Int

    func load(atOnce: Int) async -> Int {
        let session = URLSession(configuration: Style.configuration())
        let url = url
        let failed = await withTaskGroup(of: Int.self) { group in
            for index in 0..<atOnce {
                let share = times / atOnce + (index < times % atOnce ? 1 : 0)
                group.addTask { await Self.load(url, times: share, session) }
            }
            return await group.reduce(0, +)
        }
        session.invalidateAndCancel()
        return failed
    }

    private static func load(_ url: URL, times: Int, _ session: URLSession) async -> Int {
        var failed = 0
        for _ in 0..<times {
            do {
                let (data, response) = try await session.data(for: URLRequest(url: url))
                if !Style.isRight(response, data.count, nil) { failed += 1 }
            } catch {
                failed += 1
            }
        }
        return failed
    }
}
