import NIOCore
import Testing

@testable import Simulator

@Suite struct ExchangeReaderTests {
    private struct Reading: Equatable {
        var events: [WireEvent] = []
        var spans: [String] = []
    }

    /// Reads one request and one answer, the answer in pieces of `size`; adjacent bodies are joined.
    private func read(_ response: String, method: String = "GET", size: Int, closes: Bool = false) -> Reading {
        var reader = ExchangeReader(), record = WireRecord.empty
        var events: [WireEvent] = []
        let note: (WireEvent) -> Void = { event in
            if case .responseBody(let exchange, var bytes) = event,
                case .responseBody(_, let before)? = events.last
            {
                var joined = before
                joined.writeBuffer(&bytes)
                events[events.count - 1] = .responseBody(exchange: exchange, joined)
            } else {
                events.append(event)
            }
        }
        reader.readFromClient(ByteBuffer(string: "\(method) /x HTTP/1.1\r\nHost: a\r\n\r\n"), note)
        events.removeAll()
        var rest = Array(response.utf8)[...]
        while !rest.isEmpty {
            reader.readFromServer(ByteBuffer(bytes: rest.prefix(size)), { record.append($0) }, note)
            rest = rest.dropFirst(size)
        }
        if closes { reader.serverFinished(note) }
        return Reading(
            events: events, spans: record.spans.map { "\($0.kind) \($0.range.lowerBound)..<\($0.range.upperBound)" })
    }

    private static func body(_ text: String) -> WireEvent {
        .responseBody(exchange: 0, ByteBuffer(string: text))
    }

    private static let okay = WireEvent.responseBegan(exchange: 0, status: 200, isCoded: false)

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `a body by length`(size: Int) {
        let reading = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", size: size)
        #expect(reading.events == [Self.okay, Self.body("hello"), .responseEnded(exchange: 0)])
        #expect(reading.spans == ["head 0..<38", "body 38..<43"])
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `a body in chunks, with extension and trailer`(size: Int) {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=1\r\nhello\r\n1\r\n!\r\n0\r\nA: b\r\n\r\n"
        let reading = read(text, size: size)
        #expect(
            reading.events == [Self.okay, Self.body("hello"), Self.body("!"), .responseEnded(exchange: 0)]
                || reading.events == [Self.okay, Self.body("hello!"), .responseEnded(exchange: 0)])
        #expect(
            reading.spans == [
                "head 0..<47", "framing 47..<54", "body 54..<59", "framing 59..<64", "body 64..<65", "framing 65..<78",
            ])
    }

    @Test(arguments: [1, 1_000])
    func `a body that ends with the connection`(size: Int) {
        let text = "HTTP/1.0 200 OK\r\n\r\nhello"
        #expect(read(text, size: size).events == [Self.okay, Self.body("hello")])
        #expect(
            read(text, size: size, closes: true).events == [Self.okay, Self.body("hello"), .responseEnded(exchange: 0)])
    }

    @Test func `informational answers belong to the exchange and do not end it`() {
        let text = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        let reading = read(text, size: 9)
        #expect(reading.events == [Self.okay, Self.body("x"), .responseEnded(exchange: 0)])
        #expect(reading.spans == ["head 0..<66", "body 66..<67"])
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD", 200),
        ("HTTP/1.1 204 No Content\r\n\r\n", "GET", 204),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "GET", 304),
    ])
    func `answers without a body end with their head`(text: String, method: String, status: Int) {
        let began = WireEvent.responseBegan(exchange: 0, status: status, isCoded: false)
        #expect(read(text, method: method, size: 5).events == [began, .responseEnded(exchange: 0)])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\n folded: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nA: b\nC\r\n d\r\n\r\nhello",
        "HTTP/1.1 2000 OK\r\n\r\nhello",
        "HTTP/2 200\r\n\r\nhello",
        "HTTP/1.1 101 Switching\r\n\r\nhello",
        "\r\n\r\nhello",
    ])
    func `what is unusual is not judged`(text: String) {
        let reading = read(text, size: 1_000)
        #expect(reading.events.allSatisfy { $0 == .unsure(exchange: 0) })
        #expect(!reading.events.isEmpty)
    }

    @Test(arguments: ["zz\r\n", "-1\r\n", "5\r\nhelloX\r\n", "FFFFFFFFFFFFFFFFFF\r\n"])
    func `chunks that are no chunks end the reading`(chunk: String) {
        let reading = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n", size: 1)
        #expect(reading.events.last == .unsure(exchange: 0))
    }

    @Test func `an answer without a request, and bytes behind the answer, are not judged`() {
        var reader = ExchangeReader()
        var events: [WireEvent] = []
        reader.readFromServer(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), { _ in }, { events.append($0) })
        #expect(events == [.unsure(exchange: 0)])
        let reading = read("HTTP/1.1 204 N\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", size: 1_000)
        #expect(reading.events.suffix(2) == [.responseEnded(exchange: 0), .unsure(exchange: 1)])
    }

    @Test func `requests with bodies are told apart`() {
        var reader = ExchangeReader()
        var events: [WireEvent] = []
        let text = "POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nGET GET /b HTTP/1.1\r\n\r\n"
        for byte in text.utf8 { reader.readFromClient(ByteBuffer(bytes: [byte])) { events.append($0) } }
        #expect(
            events == [
                .requestBegan(exchange: 0, method: "POST", target: "/a"), .requestEnded(exchange: 0),
                .requestBegan(exchange: 1, method: "GET", target: "/b"), .requestEnded(exchange: 1),
            ])
    }
}

extension WireRecord {
    fileprivate static var empty: WireRecord {
        WireRecord(connection: 0, session: 0, client: .init(0), host: "a.test", opened: .zero)
    }
}
