#if !canImport(Darwin)
import Foundation
import Locks
import NIOCore

/// Where a task's result goes. One request implementation serves them all.
enum Endpoint: Sendable {
    /// Response, data and completion go to delegate methods.
    case delegate
    case dataHandler(BodyCollector, CompletionHandler<Data>)
    case fileHandler(FileCollector, CompletionHandler<URL>)
    case asyncData(BodyCollector, AsyncResult<(Data, URLResponse)>)
    case asyncFile(FileCollector, AsyncResult<(URL, URLResponse)>)
    case asyncBytes(ByteChannel, AsyncResult<(URLSession.AsyncBytes, URLResponse)>)

    /// Resumed as soon as it is made.
    var startsAtOnce: Bool {
        switch self {
        case .asyncData, .asyncFile, .asyncBytes: true
        case .delegate, .dataHandler, .fileHandler: false
        }
    }

    /// Puts bytes where the caller will find them; a delegate was given them, and a file has them already.
    func keep(_ bytes: ByteBuffer) {
        switch self {
        case .dataHandler(let body, _), .asyncData(let body, _): body.append(bytes)
        case .asyncBytes(let channel, _): channel.put(bytes)
        case .delegate, .fileHandler, .asyncFile: break
        }
    }

    /// Whether a delegate hears the body, piece by piece: always with a delegate for all results, and with an
    /// asynchronous call if its own delegate has the method (BEHAVIOUR 1.B1-12).
    func tellsBody(to delegate: DelegateFaces?) -> Bool {
        switch self {
        case .delegate: true
        case .dataHandler, .fileHandler, .asyncFile: false
        case .asyncData, .asyncBytes: delegate?.mayImplement(.data) == true
        }
    }

    /// The whole body is kept until the end, up to `maximumBodyBytesInMemory`.
    var collectsBody: Bool {
        switch self {
        case .dataHandler, .asyncData: true
        case .delegate, .fileHandler, .asyncFile, .asyncBytes: false
        }
    }
}

/// A caller's completion handler until it is called, which happens once.
///
/// It is let go then: a caller who holds a task and is held by its handler must not stay for ever.
final class CompletionHandler<Value: Sendable>: Sendable {
    typealias Body = @Sendable (Value?, URLResponse?, (any Error)?) -> Void
    private let body: Lock<Body?>

    init(_ body: @escaping Body) { self.body = Lock(body) }

    func call(_ value: Value?, _ response: URLResponse?, _ error: (any Error)?) {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(value, response, error)
    }
}

/// The finished file of a download between its announcement and the completion.
final class FileCollector: Sendable {
    private let path = Lock<String?>(nil)

    func put(_ finished: String) { path.withLock { $0 = finished } }

    func take() -> URL? { path.withLock { $0 }.map { URL(fileURLWithPath: $0) } }
}

/// A result that one caller waits for; it may come before the caller does.
final class AsyncResult<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Void, Never>)
        case done(Result<Value, any Error>)
        case taken
    }

    private let state = Lock(State.empty)

    /// Delivers the result; a second one is dropped.
    func fulfil(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .done(result)
                return nil
            case .waiting(let continuation):
                state = .done(result)
                return continuation
            case .done, .taken:
                return nil
            }
        }
        waiting?.resume()
    }

    /// Starts what will deliver the result, and waits for it.
    ///
    /// The continuation only wakes: the result passes through the lock, whose order of events a sanitizer sees.
    func value(after start: () -> Void) async throws -> Value {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if case .done = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isDone { return continuation.resume() }
            start()
        }
        let result: Result<Value, any Error>? = state.withLock { state in
            guard case .done(let result) = state else { return nil }
            state = .taken
            return result
        }
        guard let result else { throw URLError(.unknown) }
        return try result.get()
    }
}
#endif
