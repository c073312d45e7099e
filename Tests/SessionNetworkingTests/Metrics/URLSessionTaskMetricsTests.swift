import ClientMachines
import Foundation
import HTTPBasics
import NIOCore
import Testing

@testable import SessionNetworking

/// What the public objects say of what the machines have noted.
@Suite struct URLSessionTaskMetricsTests {
    private let world = FakeWorld()

    private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    /// At instant 5 ms it is the year 2001, one second after its beginning.
    private static let clock = ClockReading(instant: at(5), date: Date(timeIntervalSinceReferenceDate: 1))

    private func metrics(
        _ transactions: [Transaction], redirects: Int = 0, end: Int64 = 9, method: String = "POST"
    ) -> URLSessionTaskMetrics {
        var request = URLRequest(url: Sample.url, timeoutInterval: 7)
        request.httpMethod = method
        let task = world.makeSession().dataTask(with: request)
        let metrics = TaskMetrics(transactions: transactions, redirectCount: redirects, end: Self.at(end))
        return URLSessionTaskMetrics(metrics, of: task, clock: Self.clock)
    }

    private static var whole: Transaction {
        var transaction = Transaction(
            ClientRequest(method: "POST", url: Sample.reference, body: ByteBuffer(string: "hello")), fetchStart: at(1))
        transaction.lookup = Transaction.Phase(start: at(1), end: at(2))
        transaction.connect = Transaction.Phase(start: at(2), end: at(3))
        transaction.sending = Transaction.Phase(start: at(3), end: at(4))
        transaction.receiving = Transaction.Phase(start: at(6), end: at(8))
        transaction.carrier = Transaction.Carrier(
            isReused: false, local: NetworkAddress(text: "::1", port: 50_000),
            remote: NetworkAddress(text: "192.0.2.1", port: 80))
        transaction.response = Sample.ok
        transaction.sent = Transaction.Bytes(head: 10, body: 15, plainBody: 5)
        transaction.received = Transaction.Bytes(head: 20, body: 40, plainBody: 100)
        return transaction
    }

    /// Milliseconds of the year 2001.
    private func millisecond(_ date: Date?) -> Int? {
        date.map { Int(($0.timeIntervalSinceReferenceDate * 1000).rounded()) }
    }

    // BEHAVIOUR 2.G3-clock
    @Test func `dates are as far apart as the moments were`() throws {
        let only = try #require(metrics([Self.whole]).transactionMetrics.first)
        let dates = [
            only.fetchStartDate, only.domainLookupStartDate, only.domainLookupEndDate, only.connectStartDate,
            only.connectEndDate, only.requestStartDate, only.requestEndDate, only.responseStartDate,
            only.responseEndDate,
        ]
        #expect(dates.map(millisecond) == [996, 996, 997, 997, 998, 998, 999, 1001, 1003])
        #expect(only.secureConnectionStartDate == nil && only.secureConnectionEndDate == nil)
    }

    // BEHAVIOUR 2.G2-interval
    @Test func `the interval begins when the task was made, and redirects are counted`() throws {
        let task = world.makeSession().dataTask(with: Sample.url)
        let noted = TaskMetrics(
            transactions: [Self.whole], redirectCount: 3,
            end: Instant(nanoseconds: task.created.nanoseconds + 250_000_000)
        )
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let metrics = URLSessionTaskMetrics(noted, of: task, clock: ClockReading(instant: task.created, date: date))
        #expect(metrics.taskInterval.start == date)
        #expect(abs(metrics.taskInterval.duration - 0.25) < 1e-6)
        #expect(metrics.redirectCount == 3)
    }

    // BEHAVIOUR 2.G5, 2.G5-type, 2.G6, 2.G6-body, 2.G7
    @Test func `connection, protocol and bytes are told as they were noted`() throws {
        let only = try #require(metrics([Self.whole]).transactionMetrics.first)
        #expect(only.networkProtocolName == "http/1.1")
        #expect(only.resourceFetchType == .networkLoad)
        #expect(!only.isReusedConnection)
        #expect(only.localAddress == "::1" && only.localPort == 50_000)
        #expect(only.remoteAddress == "192.0.2.1" && only.remotePort == 80)
        #expect(only.countOfRequestHeaderBytesSent == 10)
        #expect(only.countOfRequestBodyBytesSent == 15)
        #expect(only.countOfRequestBodyBytesBeforeEncoding == 5)
        #expect(only.countOfResponseHeaderBytesReceived == 20)
        #expect(only.countOfResponseBodyBytesReceived == 40)
        #expect(only.countOfResponseBodyBytesAfterDecoding == 100)
    }

    // BEHAVIOUR 1.A2-multipath, 2.G8
    @Test func `a connection of multipath TCP says so`() throws {
        var transaction = Self.whole
        transaction.carrier?.isMultipath = true
        let only = try #require(metrics([transaction]).transactionMetrics.first)
        #expect(only.isMultipath)
    }

    // BEHAVIOUR 2.G8
    @Test func `what Linux does not tell is not claimed`() throws {
        let only = try #require(metrics([Self.whole]).transactionMetrics.first)
        #expect(!only.isCellular && !only.isExpensive && !only.isConstrained && !only.isMultipath)
        #expect(!only.isProxyConnection)
        #expect(only.domainResolutionProtocol == .unknown)
    }

    @Test func `request and response are the ones that were tried`() throws {
        var second = Transaction(Sample.next, fetchStart: Self.at(2))
        second.response = Sample.response(404)
        let all = metrics([Self.whole, second]).transactionMetrics
        #expect(all.map(\.request.httpMethod) == ["POST", "GET"])
        #expect(all.map { $0.request.url?.path } == ["/a", "/b"])
        #expect(all.map { $0.request.httpBody?.count } == [5, nil])
        #expect(all.map(\.request.timeoutInterval) == [7, 7], "what a redirect cannot change stays")
        #expect(all.map { ($0.response as? HTTPURLResponse)?.statusCode } == [200, 404])
    }

    // BEHAVIOUR 2.G1-loaded, 2.G5-type
    @Test func `a loader's response is its own object, over no network`() throws {
        let task = world.makeSession().dataTask(with: Sample.url)
        var loaded = Transaction(ClientRequest(url: Sample.reference), fetchStart: Self.at(1))
        loaded.response = task.supply(Sample.publicResponse)
        loaded.received.plainBody = 5
        let noted = TaskMetrics(transactions: [loaded], redirectCount: 0, end: Self.at(2))
        let metrics = URLSessionTaskMetrics(noted, of: task, clock: Self.clock)
        let only = try #require(metrics.transactionMetrics.first)
        #expect(only.response === Sample.publicResponse)
        #expect(only.resourceFetchType == .unknown && only.networkProtocolName == nil)
        #expect(only.countOfResponseBodyBytesReceived == 0 && only.countOfResponseBodyBytesAfterDecoding == 5)
    }

    // BEHAVIOUR 2.G3, 2.G3-unfinished, 2.G5, 2.G7
    @Test func `without a connection nothing is said about one`() throws {
        let begun = Transaction(ClientRequest(url: Sample.reference), fetchStart: Self.at(1))
        let only = try #require(metrics([begun]).transactionMetrics.first)
        #expect(only.fetchStartDate != nil)
        #expect(only.domainLookupStartDate == nil && only.connectStartDate == nil && only.requestStartDate == nil)
        #expect(only.responseStartDate == nil && only.responseEndDate == nil && only.response == nil)
        #expect(only.networkProtocolName == nil && only.localAddress == nil && only.localPort == nil)
        #expect(only.remoteAddress == nil && only.remotePort == nil && !only.isReusedConnection)
        #expect(only.resourceFetchType == .unknown)
    }

    // BEHAVIOUR 2.G5
    @Test func `an answer in HTTP/1.0 says so`() throws {
        var old = Self.whole
        old.response = Response(
            head: ResponseHead(minorVersion: 0, status: 200, fields: FieldBlock(Fields())), url: Sample.reference,
            expectedLength: 0)
        #expect(metrics([old]).transactionMetrics.map(\.networkProtocolName) == ["http/1.0"])
    }

    @Test func `raw values are Apple's`() {
        let types: [URLSessionTaskMetrics.ResourceFetchType] = [.unknown, .networkLoad, .serverPush, .localCache]
        #expect(types.map(\.rawValue) == [0, 1, 2, 3])
        let protocols: [URLSessionTaskMetrics.DomainResolutionProtocol] = [.unknown, .udp, .tcp, .tls, .https]
        #expect(protocols.map(\.rawValue) == [0, 1, 2, 3, 4])
    }
}
