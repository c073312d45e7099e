import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Which moments and bytes of an exchange are noted, with a whole client machine around the log.
@Suite struct TransferLogTests {
    private static let milli = Duration.milliseconds(1)

    private static func plan(
        _ path: String = "/a", method: String = "GET", body: ByteBuffer? = nil, kind: TaskPlan.Kind = .data,
        asks: QuestionKinds = []
    ) -> TaskPlan {
        var plan = ClientPlay.plan(path, method: method, body: body, kind: kind, asks: asks)
        plan.metrics = .told
        return plan
    }

    private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private static func phase(_ start: Int64, _ end: Int64?) -> Transaction.Phase {
        Transaction.Phase(start: at(start), end: end.map(at))
    }

    /// The metrics among the outputs; they must stand right before the completion.
    private static func metrics(_ book: Playbook<ClientMachine>) throws -> TaskMetrics {
        let outputs = book.take()
        let index = try #require(outputs.firstIndex { if case .tell(_, .metrics) = $0 { true } else { false } })
        guard case .tell(let task, .metrics(let metrics)) = outputs[index] else { throw Missing() }
        let next = outputs.dropFirst(index + 1).first
        guard case .tell(task, .complete) = next else { throw Missing() }
        return metrics
    }

    private struct Missing: Error {}

    // BEHAVIOUR 2.G1, 2.G2, 2.G3-request, 2.G3-end, 2.G6, 2.G7
    @Test func `each phase has its moments, each direction its bytes`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            book.sleep(Self.milli)
            book.resolve(1)
            book.sleep(Self.milli)
            let local = NetworkAddress(text: "192.0.2.9", port: 50_000)
            book.feed(.connected(ConnectionID(1), local: local))
            let head = book.take().compactMap { if case .writeHead(_, let bytes) = $0 { bytes } else { nil } }.first
            book.sleep(Self.milli)
            book.receive(1, "HTTP/1.1 103 Hi\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            book.sleep(Self.milli)
            book.receive(1, "cd")
            let metrics = try Self.metrics(book)
            let only = try #require(metrics.transactions.first)
            try book.check("transactions", metrics.transactions.count, is: 1)
            try book.check("end", metrics.end, is: Self.at(4))
            try book.check("fetch", only.fetchStart, is: Self.at(0))
            try book.check("lookup", only.lookup, is: Self.phase(0, 1))
            try book.check("connect", only.connect, is: Self.phase(1, 2))
            try book.check("sending", only.sending, is: Self.phase(2, 2))
            try book.check("receiving", only.receiving, is: Self.phase(3, 4))
            let carrier = Transaction.Carrier(isReused: false, local: local, remote: ClientPlay.address)
            try book.check("carrier", only.carrier, is: carrier)
            try book.check("sent", [only.sent.head, only.sent.body], is: [Int64(head?.readableBytes ?? 0), 0])
            let received = [only.received.head, only.received.body, only.received.plainBody]
            try book.check("received", received, is: [19 + 38, 4, 4])
            try book.check("status", only.response?.head.status, is: 200)
        }
    }

    // BEHAVIOUR 2.G3
    @Test func `a used connection is not opened again, and bytes behind its answer are not counted`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.start(2, Self.plan())
            book.receive(1, ClientPlay.ok + "surplus")
            let only = try #require(try Self.metrics(book).transactions.first)
            try book.check("nothing was opened", only.lookup == nil && only.connect == nil)
            try book.check("reused", only.carrier, is: .init(isReused: true, remote: ClientPlay.address))
            try book.check("received", [only.received.head, only.received.body], is: [38, 2])
        }
    }

    // BEHAVIOUR 2.G2, 2.G2-interval, 2.G6-body
    @Test func `a redirect begins another transaction, and its body is nobody's`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            book.open(1)
            book.receive(1, "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 3\r\n\r\nabc" + "")
            book.receive(1, ClientPlay.ok)
            let metrics = try Self.metrics(book)
            try book.check("redirects", metrics.redirectCount, is: 1)
            try book.check("paths", metrics.transactions.map(\.request.url.path), is: ["/a", "/b"])
            try book.check("statuses", metrics.transactions.map { $0.response?.head.status }, is: [302, 200])
            try book.check("bodies", metrics.transactions.map(\.received.body), is: [3, 2])
            try book.check("given", metrics.transactions.map(\.received.plainBody), is: [0, 2])
            try book.check("ends", metrics.transactions.map { $0.receiving?.end != nil }, is: [true, true])
        }
    }

    // BEHAVIOUR 2.G3-request, 2.G6-body
    @Test func `the request ends when the network has its last byte`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan(method: "POST", body: ByteBuffer(string: "hello")))
            book.open(1)
            let first = book.take().compactMap { if case .write(_, let bytes) = $0 { bytes } else { nil } }.first
            let size = try #require(first?.readableBytes)
            book.sleep(Self.milli)
            book.feed(.wrote(ConnectionID(1), bytes: size - 2))
            book.sleep(Self.milli)
            book.feed(.wrote(ConnectionID(1), bytes: 2))
            book.receive(1, ClientPlay.ok)
            let only = try #require(try Self.metrics(book).transactions.first)
            try book.check("sending", only.sending, is: Self.phase(0, 2))
            let sent = [only.sent.head, only.sent.body, only.sent.plainBody]
            try book.check("sent", sent, is: [Int64(size - 5), 5, 5])
        }
    }

    // BEHAVIOUR 2.G3-end
    @Test func `an answer ends with its last byte, however long the user thinks`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan(asks: .response))
            book.open(1)
            book.receive(1, ClientPlay.ok)
            try book.check("nothing is foreseen that metrics must follow", try book.foreseen() == nil)
            book.sleep(Self.milli)
            book.feed(.answer(QuestionID(1), .response(allow: true)))
            let metrics = try Self.metrics(book)
            try book.check("receiving", metrics.transactions.first?.receiving, is: Self.phase(0, 0))
            try book.check("end", metrics.end, is: Self.at(1))
        }
    }

    // BEHAVIOUR 2.G3-unfinished
    @Test(
        arguments: [
            (0, [true, false, false, false]), (1, [false, true, false, false]), (2, [false, false, false, false]),
            (3, [false, false, false, true]),
        ])
    func `what is cut off has begun and does not end`(steps: Int, open: [Bool]) throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            if steps > 0 { book.resolve(1) }
            if steps > 1 { book.feed(.connected(ConnectionID(1))) }
            if steps > 2 { book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab") }
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            let only = try #require(try Self.metrics(book).transactions.first)
            let phases = [only.lookup, only.connect, only.sending, only.receiving]
            try book.check("open", phases.map { $0 != nil && $0?.end == nil }, is: open)
        }
    }

    // BEHAVIOUR 2.G1-never
    @Test func `a task that never ran has no metrics, one whose request cannot be sent has`() throws {
        try ClientPlay.play { book in
            book.feed(.start(TaskID(1), Self.plan(), suspended: true), .cancel(TaskID(1), keepingResumeData: false))
            try book.expect(["task 1: complete cancelled"])
            var plan = Self.plan()
            plan.refusal = .badURL
            book.feed(.start(TaskID(2), plan, suspended: false))
            try book.check("phases", try Self.metrics(book).transactions.map { $0.lookup == nil }, is: [true])
        }
    }

    @Test func `a task that waits through a pause has one transaction`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            book.feed(.suspend(TaskID(1)), .closed(ConnectionID(1)))
            book.sleep(Self.milli)
            book.feed(.resume(TaskID(1)))
            book.resolve(2)
            book.feed(.connected(ConnectionID(1)))
            book.receive(1, ClientPlay.ok)
            let metrics = try Self.metrics(book)
            try book.check("fetch", metrics.transactions.map(\.fetchStart), is: [Self.at(0)])
            try book.check("lookup", metrics.transactions.map(\.lookup), is: [Self.phase(1, 1)])
        }
    }

    // BEHAVIOUR 2.G3-line
    @Test func `a task shows of a dial what it waited for`() throws {
        try ClientPlay.play { book in
            for task in 1...2 { book.start(task, Self.plan()) }
            book.resolve(1)
            book.sleep(Self.milli)
            book.feed(.connected(ConnectionID(1)))
            book.sleep(Self.milli)
            book.resolve(2)
            book.sleep(Self.milli)
            // The second is served by the first one's connection, and the third takes over what was dialled for it.
            book.receive(1, ClientPlay.ok)
            _ = book.take()
            book.start(3, Self.plan())
            book.sleep(Self.milli)
            book.feed(.cancel(TaskID(3), keepingResumeData: false))
            let third = try #require(try Self.metrics(book).transactions.first)
            try book.check("fetch", third.fetchStart, is: Self.at(3))
            try book.check("third", [third.lookup, third.connect], is: [nil, Self.phase(3, nil)])
            book.receive(1, ClientPlay.ok)
            let second = try #require(try Self.metrics(book).transactions.first)
            try book.check("second", [second.lookup, second.connect], is: [nil, nil])
            try book.check("reused", second.carrier?.isReused, is: true)
        }
    }

    private static func loaded(_ load: Int, _ event: LoadEvent) -> ClientInput {
        .loaded(TaskID(1), LoadID(load), event)
    }

    private static func supplied(_ status: Int) -> Response {
        let url = URLReference(scheme: "http", host: "example.com", path: "/a")
        return Response(head: ResponseHead(status: status), url: url, expectedLength: 2, supplied: 0)
    }

    private static var loadedPlan: TaskPlan {
        var plan = plan()
        plan.hasProtocols = true
        return plan
    }

    // BEHAVIOUR 2.G1-loaded, 2.G6-body
    @Test func `a loader's answer has its moments and its bytes, and no connection`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.loadedPlan)
            for event in [.response(Self.supplied(200)), .data(ByteBuffer(string: "ok")), .end] as [LoadEvent] {
                book.sleep(Self.milli)
                book.feed(Self.loaded(1, event))
            }
            let metrics = try Self.metrics(book)
            let only = try #require(metrics.transactions.first)
            try book.check("transactions", metrics.transactions.count, is: 1)
            try book.check("fetch", only.fetchStart, is: Self.at(0))
            try book.check("way", [only.lookup, only.connect, only.sending], is: [nil, nil, nil])
            try book.check("receiving", only.receiving, is: Self.phase(1, 3))
            try book.check("carrier", only.carrier, is: nil)
            try book.check("sent", only.sent, is: Transaction.Bytes())
            try book.check("received", only.received, is: Transaction.Bytes(plainBody: 2))
            try book.check("status", only.response?.head.status, is: 200)
        }
    }

    // BEHAVIOUR 2.G1-loaded
    @Test(arguments: [LoadEvent.declined, .challenged(LoadChallengeID(0))])
    func `what a loader says before it answers is no answer`(event: LoadEvent) throws {
        try ClientPlay.play { book in
            book.start(1, Self.loadedPlan)
            book.feed(Self.loaded(1, event))
            book.sleep(Self.milli)
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            try book.check("receiving", try Self.metrics(book).transactions.map(\.receiving), is: [nil])
        }
    }

    // BEHAVIOUR 2.G1-loaded, 2.G2
    @Test func `a loader's redirect is a transaction, whoever loads the next`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.loadedPlan)
            book.sleep(Self.milli)
            let next = ClientRequest(url: URLReference(scheme: "http", host: "example.com", path: "/b"))
            book.feed(Self.loaded(1, .redirected(Self.supplied(302), next: next)))
            book.sleep(Self.milli)
            book.feed(Self.loaded(2, .declined))
            book.open(1)
            book.receive(1, ClientPlay.ok)
            let metrics = try Self.metrics(book)
            try book.check("redirects", metrics.redirectCount, is: 1)
            try book.check("statuses", metrics.transactions.map { $0.response?.head.status }, is: [302, 200])
            try book.check("fetches", metrics.transactions.map(\.fetchStart), is: [Self.at(0), Self.at(1)])
            try book.check("lookups", metrics.transactions.map(\.lookup), is: [nil, Self.phase(2, 2)])
            let receiving = metrics.transactions.map(\.receiving)
            try book.check("receiving", receiving, is: [Self.phase(1, 1), Self.phase(2, 2)])
        }
    }

    // BEHAVIOUR 2.G1-delayed
    @Test func `a task that waits for its date fetches from then on, and nothing if it ends before`() throws {
        try ClientPlay.play { book in
            var plan = Self.plan()
            plan.delay = Self.milli * 5
            book.start(1, plan)
            try book.advance(by: Self.milli * 5)
            book.open(1)
            book.receive(1, ClientPlay.ok)
            try book.check("fetch", try Self.metrics(book).transactions.map(\.fetchStart), is: [Self.at(5)])
            book.feed(.start(TaskID(2), plan, suspended: false), .cancel(TaskID(2), keepingResumeData: false))
            try book.check("nothing", try Self.metrics(book).transactions, is: [])
            book.feed(.start(TaskID(3), plan, suspended: true), .cancel(TaskID(3), keepingResumeData: false))
            try book.expect(["task 3: complete cancelled"])
        }
    }

    // BEHAVIOUR 2.G2-bound
    @Test func `a delegate that answers for ever does not fill the memory`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan(asks: .challenge))
            book.open(1)
            for question in 1...(TransferLog.mostTransactions + 5) {
                book.receive(1, "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n")
                let credential = Credential(user: "u\(question)", password: "p")
                book.feed(.answer(QuestionID(question), .challenge(.use(credential))))
            }
            book.receive(1, ClientPlay.ok)
            let statuses = try Self.metrics(book).transactions.map { $0.response?.head.status }
            try book.check("count", statuses.count, is: TransferLog.mostTransactions)
            try book.check("the last is the last", statuses.last == 200 && statuses.dropLast().last == 401)
        }
    }

    @Test func `nobody's metrics are not told, an onlooker's are, and keep nothing from looking ahead`() throws {
        for use in [TaskPlan.Metrics.none, .observed] {
            try ClientPlay.play { book in
                var plan = Self.plan(asks: .response)
                plan.metrics = use
                book.start(1, plan)
                book.open(1)
                book.receive(1, ClientPlay.ok)
                try book.check("rest", try book.foreseen(), is: ByteBuffer(string: "ok"))
                book.feed(.answer(QuestionID(1), .response(allow: true)))
                let told = book.take().contains { if case .tell(_, .metrics) = $0 { true } else { false } }
                try book.check("told", told, is: use == .observed)
            }
        }
    }
}
