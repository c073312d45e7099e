import HTTPBasics
import MachineContract
import NIOCore
import TLSBasics
import TestSupport

@testable import ClientMachines

/// A client machine in front of a network that the test plays by hand.
enum ClientPlay {
    static func play(
        limit: Int = 6, window: Int = 10, proxies: ProxySettings = ProxySettings(),
        _ body: (Playbook<ClientMachine>) throws -> Void
    ) throws {
        var settings = ClientSettings()
        settings.connectionsPerHost = limit
        settings.deliveryWindow = window
        settings.proxies = proxies
        settings.downloadDirectory = "/downloads"
        try Playbook.play(
            ClientMachine(settings: settings), describeOutput: { $0.summary }, body)
    }

    static let address = NetworkAddress(text: "192.0.2.1", port: 80)
    static let secondAddress = NetworkAddress(text: "192.0.2.2", port: 80)

    static func plan(
        _ path: String = "/a", method: String = "GET", host: String = "example.com", body: ByteBuffer? = nil,
        kind: TaskPlan.Kind = .data, asks: QuestionKinds = [], scheme: String = "http"
    ) -> TaskPlan {
        let url = URLReference(scheme: scheme, host: host, path: path)
        return TaskPlan(request: ClientRequest(method: method, url: url, body: body), kind: kind, asks: asks)
    }

    static let facts = TLSFacts(
        version: .tls13, cipherSuite: 0x1301, applicationProtocol: "http/1.1", isResumed: false)
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
}

extension Playbook where M == ClientMachine {
    func start(_ task: Int, _ plan: TaskPlan = ClientPlay.plan()) {
        feed(.start(TaskID(task), plan, suspended: false))
    }

    /// Answers name and connection attempt of a connection.
    func open(_ connection: Int) {
        resolve(connection)
        feed(.connected(ConnectionID(connection)))
    }

    /// Answers what a dial asks for: there are IPv4 addresses only.
    func resolve(_ dial: Int, _ addresses: [NetworkAddress] = [ClientPlay.address]) {
        feed(.resolveFailed(DialID(dial), .v6, detail: "no IPv6"), .resolved(DialID(dial), .v4, addresses))
    }

    func receive(_ connection: Int, _ text: String) {
        feed(.received(ConnectionID(connection), ByteBuffer(string: text)))
    }

    /// Demands these outputs, in words.
    func expect(_ summaries: [String]) throws { try check("outputs", take().map(\.summary), is: summaries) }

    /// A task that has its connection: nothing is left to look at.
    func startOpen(_ task: Int, _ plan: TaskPlan = ClientPlay.plan(), connection: Int) throws {
        start(task, plan)
        open(connection)
        let outputs = take().map(\.summary)
        try check("it was dialled", outputs.first, is: "resolve \(connection) \(plan.request.url.host ?? ""):80")
    }

    /// A first exchange that leaves its connection idle.
    func warmUp(_ task: Int, connection: Int) throws {
        try startOpen(task, connection: connection)
        receive(connection, ClientPlay.ok)
        try check("it is complete", take().last?.summary, is: "task \(task): complete")
    }
}

extension Playbook where M == ClientMachine {
    /// The body that comes with the question about its response.
    func foreseen() throws -> ByteBuffer? {
        let outputs = take()
        for case .ask(_, _, .response(_, let rest)) in outputs { return rest }
        try check("outputs", outputs.map(\.summary), is: ["task asks response"])
        return nil
    }
}

extension ClientOutput {
    var summary: String {
        switch self {
        case .resolve(let id, let host, let port): "resolve \(id.value) \(host):\(port)"
        case .stopResolving(let id): "stop resolving \(id.value)"
        case .connect(let id, _, let address, _): "connect \(id.value) \(address.text):\(address.port)"
        case .write(let id, let bytes), .writeHead(let id, let bytes):
            "write \(id.value) \(Self.firstLine(of: bytes))"
        case .writeFile(let id, let task, let offset, let count):
            "write \(id.value) \(count) bytes of task \(task.value)'s file at \(offset)"
        case .openBodyFile(let task, let file): "task \(task.value): open \(file.path)"
        case .secure(let id, let peer, _):
            "secure \(id.value) \(peer.origin.host)" + (peer.proxy == nil ? "" : ", a proxy")
        case .forgetTickets(let peer): "forget tickets" + (peer.map { " of \($0.origin.host)" } ?? "")
        case .decideTrust(let id, let decision): "\(decision) the certificates of \(id.value)"
        case .present(let id, let identity): "present \(identity == nil ? "nothing" : "an identity") on \(id.value)"
        case .close(let id): "close \(id.value)"
        case .look(let id): "look \(id.value)"
        case .watchPath: "watch path"
        case .setReading(let id, let isReading): "reading \(id.value) \(isReading ? "on" : "off")"
        case .tell(let task, let call): "task \(task.value): \(call.summary)"
        case .cache(let task, let action): "task \(task.value): cache \(action)"
        case .readBody(let task, let stream): "task \(task.value): read body \(stream.value)"
        case .ask(let task, let id, let question):
            "task \(task.value) asks \(id.value): \(TaskOutput.ask(question).summary.dropFirst(4))"
        case .load(let task, let load, .begin(let request, _)):
            "task \(task.value): load \(load.value) of \(request.url)"
        case .load(let task, let load, .beginKept(let index, _)):
            "task \(task.value): load \(load.value) of what is kept, \(index)"
        case .load(let task, let load, .goOn): "task \(task.value): load \(load.value) goes on"
        case .load(let task, let load, .end): "task \(task.value): load \(load.value) ends"
        case .storeCookies(let task, let lines, _): "task \(task.value): store \(lines.count) cookies"
        case .negotiate(let task, let call): "task \(task.value): negotiate \(call.number)"
        case .yield(let task): "task \(task.value): yield"
        case .invalidated: "invalidated"
        case .file(let task, let action): "task \(task.value): \(TaskOutput.file(action).summary)"
        case .bug(let text): "BUG \(text)"
        }
    }
    /// Enough of a request to tell it from others; the rest of a body is a line of its own.
    private static func firstLine(of bytes: ByteBuffer) -> String {
        let start = bytes.getSlice(at: bytes.readerIndex, length: min(60, bytes.readableBytes)) ?? bytes
        return String(String(buffer: start).prefix { $0 != "\r\n" })
    }
}
