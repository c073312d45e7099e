import NIOCore
import TLSBasics
import TLSEngine

/// Both ends of a connection in memory, which answers their questions.
final class TLSPair {
    let client: TLSConnection
    let server: TLSConnection
    var clientEvents: [TLSEvent] = []
    var serverEvents: [TLSEvent] = []
    /// All that each end has sent.
    var fromClient: [ByteBuffer] = []
    var fromServer: [ByteBuffer] = []

    /// The alert that refuses the server's certificates.
    var refusal: TLSAlert?
    /// What the server is given when it asks.
    var identity: TLSIdentity?
    /// How many turns an answer takes.
    var delay = 0
    /// How each flight is cut on its way.
    var cut: (ByteBuffer) -> [ByteBuffer] = { [$0] }

    /// Called before each end is asked for events.
    var beforeEachStep: () -> Void = {}

    private var waiting: (turns: Int, answer: () -> Void)?

    init(
        _ clientContext: TLSClientContext, _ serverContext: TLSServerContext, host: String = "a.test",
        resuming session: TLSSession? = nil
    ) throws(TLSSetupError) {
        client = try TLSConnection(client: clientContext, host: host, resuming: session)
        server = try TLSConnection(server: serverContext)
    }

    /// Until neither end has anything to do.
    func run() {
        beforeEachStep()
        client.start()
        var isMoving = true
        while isMoving {
            isMoving = false
            pullEvents()
            if let (turns, answer) = waiting {
                isMoving = true
                waiting = turns > 0 ? (turns - 1, answer) : nil
                if turns == 0 { answer() }
            }
            isMoving = carry(from: client, to: server, &fromClient) || isMoving
            isMoving = carry(from: server, to: client, &fromServer) || isMoving
        }
    }

    private func carry(from sender: TLSConnection, to receiver: TLSConnection, _ log: inout [ByteBuffer]) -> Bool {
        guard let flight = sender.takeCiphertext() else { return false }
        log.append(flight)
        for piece in cut(flight) {
            receiver.receive(piece)
            pullEvents()
        }
        return true
    }

    private func pullEvents() {
        beforeEachStep()
        while let event = client.nextEvent() {
            clientEvents.append(event)
            switch event {
            case .trustAsked:
                waiting = (
                    delay,
                    { [client, refusal] in
                        client.answerTrust(refusal == nil, alert: refusal ?? .internalError)
                    }
                )
            case .identityAsked:
                waiting = (delay, { [client, identity] in client.answerIdentity(identity) })
            default: break
            }
        }
        beforeEachStep()
        while let event = server.nextEvent() { serverEvents.append(event) }
    }
}

extension [TLSEvent] {
    var facts: TLSFacts? {
        for case .secured(let facts) in self { return facts }
        return nil
    }

    var failure: TLSFailure? {
        if case .failed(let failure) = last { failure } else { nil }
    }

    var sessions: [TLSSession] {
        compactMap { if case .ticket(let session) = $0 { session } else { nil } }
    }

    var questions: Int {
        count { if case .trustAsked = $0 { true } else { false } }
    }

    /// All that was received, in one piece.
    var plaintext: ByteBuffer {
        var all = ByteBuffer()
        for case .received(let piece) in self { all.writeImmutableBuffer(piece) }
        return all
    }

    /// The events without what depends on how the bytes were cut, and without sessions, of which no two are equal.
    var essence: [TLSEvent] {
        var result: [TLSEvent] = []
        for event in self {
            switch (result.last, event) {
            case (_, .ticket): break
            case (.received(var before), .received(let piece)):
                before.writeImmutableBuffer(piece)
                result[result.count - 1] = .received(before)
            default: result.append(event)
            }
        }
        return result
    }
}
