#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import Locks
import MachineContract
import NIOCore

/// The session's ear for one `URLProtocol` object: turns its calls into events, in a legal order.
final class ProtocolClient: NSObject, URLProtocolClient {
    private enum Phase { case waiting, answered, over }

    private struct State {
        var phase = Phase.waiting
        var challenges: [PendingChallenge] = []
    }

    private let state = Lock(State())
    private let task: URLSessionTask
    private let executor: any CallExecutor
    private let inlet: EventInlet

    init(task: URLSessionTask, executor: any CallExecutor, inlet: EventInlet) {
        self.task = task
        self.executor = executor
        self.inlet = inlet
        super.init()
    }

    /// Later calls are dropped.
    func close() {
        let open = state.withLock { state in
            state.phase = .over
            defer { state.challenges = [] }
            return state.challenges
        }
        for challenge in open { _ = challenge.settle() }
    }

    func challenge(_ id: LoadChallengeID) -> PendingChallenge? {
        state.withLock { $0.challenges.indices.contains(id.value) ? $0.challenges[id.value] : nil }
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        let next = task.clientRequest(request)
        say { state in
            guard state.phase == .waiting else { return [] }
            state.phase = .over
            task.shared.withLock { $0.nextRequest = request }
            return [.redirected(task.supply(redirectResponse, elseStatus: 302), next: next)]
        }
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        say { state in
            guard state.phase == .waiting else { return [] }
            state.phase = .over
            // What is kept for it may be the answer to a GET.
            let body = task.currentRequest?.httpMethod == "HEAD" ? [] : LoadEvent.pieces(of: cachedResponse.data)
            return [.response(task.supply(cachedResponse.response))] + body + [.end]
        }
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        let keepable = task.keepable(response, policy)
        say { state in
            guard state.phase == .waiting else { return [] }
            state.phase = .answered
            let supplied = task.supply(response)
            return [keepable.map { .keepable(supplied, $0) } ?? .response(supplied)]
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        guard !data.isEmpty else { return }
        let events = LoadEvent.pieces(of: data)
        say { state in answering(&state) + (state.phase == .over ? [] : events) }
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        say { state in
            guard state.phase != .over else { return [] }
            defer { state.phase = .over }
            return answering(&state) + [.end]
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        say { state in
            guard state.phase != .over else { return [] }
            state.phase = .over
            task.fail(with: error)
            return [.failed(.supplied, detail: "The protocol class reported this error.")]
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        let pending = PendingChallenge(challenge, executor: executor)
        say { state in
            guard state.phase == .waiting else { return [] }
            state.challenges.append(pending)
            return [.challenged(LoadChallengeID(state.challenges.count - 1))]
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        state.withLock { $0.challenges.first { $0.challenge === challenge } }?.withdraw()
    }

    /// Decides and leaves events in one step, so that the order in which threads decide is the order of events.
    private func say(_ decide: (inout State) -> [LoadEvent]) {
        let owesWake = state.withLock { state in
            decide(&state).reduce(false) { inlet.enqueue($1) || $0 }
        }
        if owesWake { inlet.wake() }
    }

    /// An object that says nothing about its answer still has one, for those who wait for a response.
    private func answering(_ state: inout State) -> [LoadEvent] {
        guard state.phase == .waiting, let url = task.currentRequest?.url else { return [] }
        state.phase = .answered
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        return [.response(task.supply(response))]
    }
}

extension URLSessionTask {
    /// Keeps a loader's response for the user, and gives the machine's form of it.
    ///
    /// - Parameter elseStatus: What a response that is not of HTTP counts as.
    func supply(_ response: URLResponse, elseStatus: Int = 200) -> Response {
        let number = shared.withLock { state in
            state.supplied.append(response)
            return state.supplied.count - 1
        }
        let url = response.url.flatMap { URLReference($0.absoluteString) } ?? URLReference()
        return Response(
            head: response.source.head ?? ResponseHead(status: elseStatus), url: url,
            expectedLength: DeclaredLength(response.expectedContentLength), supplied: number)
    }

    /// What the session's cache may keep of an answer to the task's present request (BEHAVIOUR 2.D8).
    fileprivate func keepable(_ response: URLResponse, _ policy: URLCache.StoragePolicy) -> KeepableResponse? {
        guard policy != .notAllowed, plan?.usesCache == true, let cache = session?.cache, let request = currentRequest,
            let (key, sent) = URLCache.parts(of: request), let status = response.source.head?.status,
            StoreDecision.concerns(request.httpMethod ?? "GET", sent: sent, status: status),
            let record = StoredResponse(CachedURLResponse(response: response, data: Data()), for: sent, at: cache.now)
        else { return nil }
        return KeepableResponse(record, for: key, isForMemoryOnly: policy == .allowedInMemoryOnly)
    }

    /// Keeps the error that a loader says the task shall complete with.
    fileprivate func fail(with error: any Error) {
        let successor = shared.withLock { state in
            state.suppliedError = error
            return state.successor
        }
        successor?.fail(with: error)
    }

    /// The machine's form of a request with which the task should continue.
    func clientRequest(_ request: URLRequest) -> ClientRequest {
        var client = RequestBridge.clientRequest(request).request
        if let stream = request.httpBodyStream, let body = body(from: stream) { client.body = body }
        return client
    }
}
#endif
