import ClientMachines
import NIOCore

/// What one shard's tasks have begun with the system's GSSAPI, until they begin something else or end. Confined to one
/// event loop; the calls, which may wait for a ticket server, are made on other threads.
final class Negotiations: @unchecked Sendable {  // Safety: touched on the event loop only.
    private let negotiator: any Negotiator
    private let eventLoop: any EventLoop
    private let threads: BlockingThreads
    private var contexts: [NegotiationContextID: any NegotiatorContext] = [:]

    init(_ negotiator: any Negotiator, eventLoop: any EventLoop, threads: BlockingThreads = .tickets) {
        self.negotiator = negotiator
        self.eventLoop = eventLoop
        self.threads = threads
    }

    /// A leak check for tests.
    var count: Int { contexts.count }

    /// The taker is held until the call returns; a call cannot be stopped.
    func perform(_ call: NegotiateCall, of task: TaskID, for taker: any InputTaker) {
        let received: [UInt8]?
        switch call.step {
        case .begin(let host, let credential):
            received = nil
            contexts[call.context(of: task)] = negotiator.begin(host: host, credential: credential)
        case .goOn(let token): received = token
        }
        guard let context = contexts[call.context(of: task)] else { return }
        threads.submit { [eventLoop] in
            let answer = context.next(received)
            eventLoop.execute { taker.take(.negotiated(task, number: call.number, answer)) }
        }
    }

    /// The task is over. A call that runs keeps its context.
    func finish(_ task: TaskID) {
        guard !contexts.isEmpty else { return }
        for id in NegotiationContextID.all(of: task) { contexts[id] = nil }
    }
}
