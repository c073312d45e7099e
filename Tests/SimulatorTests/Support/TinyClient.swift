import ClientMachines
import HTTPBasics
import MachineContract
import NIOCore

/// A client machine for tests: one GET per connection, bodies by Content-Length. It can be told to break a rule.
final class TinyClient: Machine {
    enum Flaw: Equatable {
        case completesTwice, dropsLastByte, corrupts, leavesConnection, forgetsTask, leavesTimer
    }

    private struct Exchange {
        var task: TaskID
        var request: ByteBuffer
        var head = ""
        var left: Int?
        var body = ByteBuffer()
        var path: String?
        var isDone = false
    }

    private(set) var deadline: Instant?
    private let flaw: Flaw?
    private let directory: String
    private var exchanges: [ConnectionID: Exchange] = [:]
    private var connections: [TaskID: ConnectionID] = [:]
    private var timers: [TaskID: Instant] = [:]

    init(flaw: Flaw? = nil, directory: String = "") {
        self.flaw = flaw
        self.directory = directory
    }

    func handle(_ input: ClientInput, at moment: Moment, into outputs: inout [ClientOutput]) {
        switch input {
        case .start(let task, let plan, _): start(task, plan, moment, &outputs)
        case .resolveFailed(let dial, .v4, _): fail(ConnectionID(dial.value), .cannotFindHost, &outputs)
        case .resolved(let dial, _, let addresses) where exchanges[ConnectionID(dial.value)]?.isDone == false:
            outputs += addresses.prefix(1).map { .connect(ConnectionID(dial.value), for: dial, $0) }
        case .connected(let id, _, _): if let exchange = exchanges[id] { outputs.append(.write(id, exchange.request)) }
        case .received(let id, let bytes): receive(bytes, on: id, &outputs)
        case .inputClosed(let id), .closed(let id), .connectFailed(let id, _):
            fail(id, .networkConnectionLost, &outputs)
            if case .inputClosed = input { outputs.append(.close(id)) }
        case .cancel(let task, _):
            guard let id = connections[task] else { return }
            fail(id, .cancelled, &outputs)
            outputs.append(.close(id))
        case .fileOpened(let task): withExchange(task) { outputs.append(.file(task, .write($0.body))) }
        case .fileWrote(let task, _): outputs.append(.file(task, .close(renamedTo: nil)))
        case .fileClosed(let task):
            withExchange(task) { if let path = $0.path { outputs.append(.tell(task, .file(path: path))) } }
            complete(task, nil, &outputs)
        case .fileFailed(let task, let kind, let detail):
            outputs.append(.file(task, .discard))
            complete(task, Failure(kind, .environment, detail), &outputs)
        case .timePassed:
            for task in timers.keys.sorted() where timers[task].map({ $0 <= moment.instant }) ?? false {
                timers[task] = nil
                guard let id = connections[task] else { continue }
                fail(id, .timedOut, &outputs)
                outputs.append(.close(id))
            }
        default: return
        }
        deadline = timers.values.min()
    }

    private func start(_ task: TaskID, _ plan: TaskPlan, _ moment: Moment, _ outputs: inout [ClientOutput]) {
        let id = ConnectionID(task.value)
        let request = ByteBuffer(string: "GET \(plan.request.url.path) HTTP/1.1\r\nHost: a.test\r\n\r\n")
        let path = plan.kind == .data ? nil : "\(directory)/\(task.value)"
        exchanges[id] = Exchange(task: task, request: request, path: path)
        connections[task] = id
        timers[task] = moment.instant + plan.requestTimeout
        let url = plan.request.url
        outputs.append(.resolve(DialID(id.value), host: url.host ?? "", port: url.port ?? 80))
    }

    private func receive(_ bytes: ByteBuffer, on id: ConnectionID, _ outputs: inout [ClientOutput]) {
        guard var exchange = exchanges[id], !exchange.isDone else { return }
        var bytes = bytes
        if exchange.left == nil {
            exchange.head += bytes.readString(length: bytes.readableBytes) ?? ""
            guard let end = exchange.head.firstRange(of: "\r\n\r\n") else {
                exchanges[id] = exchange
                return
            }
            let length = exchange.head[..<end.lowerBound].split(separator: " ").last.flatMap { Int($0) } ?? 0
            exchange.left = length
            bytes = ByteBuffer(string: String(exchange.head[end.upperBound...]))
            let head = ResponseHead(status: 200)
            let response = Response(
                head: head, url: URLReference(path: "/"), expectedLength: DeclaredLength(counted: length))
            outputs.append(.tell(exchange.task, .response(response)))
        }
        exchange.left = (exchange.left ?? 0) - bytes.readableBytes
        let isLast = exchange.left == 0
        if exchange.path != nil {
            exchange.body.writeImmutableBuffer(bytes)
        } else {
            tellData(bytes, exchange.task, isLast: isLast, &outputs)
        }
        exchange.isDone = isLast
        exchanges[id] = exchange
        guard isLast else { return }
        if let path = exchange.path {
            outputs.append(.file(exchange.task, .open(path: path, offset: 0)))
        } else {
            complete(exchange.task, nil, &outputs)
        }
        if flaw != .leavesConnection { outputs.append(.close(id)) }
    }

    private func tellData(_ bytes: ByteBuffer, _ task: TaskID, isLast: Bool, _ outputs: inout [ClientOutput]) {
        var bytes = bytes
        if flaw == .corrupts { bytes = ByteBuffer(bytes: bytes.readableBytesView.map { $0 ^ 1 }) }
        if flaw == .dropsLastByte, isLast {
            bytes = bytes.getSlice(at: bytes.readerIndex, length: max(0, bytes.readableBytes - 1)) ?? bytes
        }
        if bytes.readableBytes > 0 { outputs.append(.tell(task, .data(bytes))) }
    }

    private func fail(_ id: ConnectionID, _ kind: Failure.Kind, _ outputs: inout [ClientOutput]) {
        guard let exchange = exchanges[id], !exchange.isDone else { return }
        exchanges[id]?.isDone = true
        complete(exchange.task, Failure(kind, .environment, "the tiny client failed"), &outputs)
    }

    private func complete(_ task: TaskID, _ failure: Failure?, _ outputs: inout [ClientOutput]) {
        if flaw != .leavesTimer { timers[task] = nil }
        if flaw == .forgetsTask { return }
        outputs.append(.tell(task, .complete(failure)))
        if flaw == .completesTwice { outputs.append(.tell(task, .complete(failure))) }
    }

    private func withExchange(_ task: TaskID, _ body: (Exchange) -> Void) {
        if let id = connections[task], let exchange = exchanges[id] { body(exchange) }
    }
}
