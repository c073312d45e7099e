import HTTPBasics
import ServerScript
import Testing

@testable import ScriptedServer

@Suite struct ServerRecordTests {
    private func event(_ number: Int, _ kind: ServerEvent.Kind = .accepted) -> ServerEvent {
        ServerEvent(peer: PeerID(number), exchange: 0, instant: .zero, kind: kind)
    }

    @Test func `the journal keeps its newest entries and the first violations`() {
        let record = ServerRecord(mostEvents: 8, mostViolations: 2)
        for number in 0..<4 { record.append(event(number, .violation(Violation("\(number)")))) }
        for number in 4..<20 { record.append(event(number)) }
        let numbers = record.snapshot.events.map(\.peer.value)
        #expect(numbers.last == 19)
        #expect((6...8).contains(numbers.count))
        #expect(numbers == Array((20 - numbers.count)..<20))
        #expect(record.snapshot.violations.map(\.summary) == ["0", "1"])
    }

    @Test func `counts go on when the journal forgets, and a verdict says what it leaves out`() {
        let record = ServerRecord(mostEvents: 8, mostViolations: 2)
        let request = RecordedRequest(method: "GET", target: "/", fields: Fields(), lane: nil, host: "a.test")
        for number in 0..<100 {
            record.append(event(number, .request(request)))
            record.append(event(number, .violation(Violation("\(number)"))))
        }
        let verdict = Verdict(record.snapshot)
        #expect(record.requestCount == 100 && verdict.requestCount == 100 && verdict.requests.count < 8)
        #expect(verdict.violationCount == 100 && verdict.violations == ["0", "1"] && !verdict.isFulfilled)
        #expect(verdict.description == "0\n1\nand 98 violations more, not remembered")
        record.clear()
        #expect(record.requestCount == 0 && Verdict(record.snapshot).isFulfilled)
    }

    @Test func `so many requests are kept, however many lines they have`() {
        let request = RecordedRequest(method: "GET", target: "/", fields: Fields(), lane: nil, host: "a.test")
        let record = ServerRecord(mostRequests: 10)
        for number in 0..<50 {
            record.append(event(number))
            record.append(event(number, .request(request)))
            record.append(event(number, .answered(status: 200)))
            record.append(event(number, .closed(byClient: true)))
        }
        let kept = ReceivedRequest.list(from: record.snapshot.events)
        #expect(kept.map(\.connection) == Array(40..<50) && record.snapshot.forgottenRequests == 40)
        for _ in 0..<100 { record.append(event(50)) }
        #expect(record.snapshot.events.count == 80 && record.snapshot.forgottenRequests == 50)
    }

    @Test func `large bodies push older entries out`() {
        let record = ServerRecord(mostWeight: 1000)
        let body = RecordedBody(prefix: [UInt8](repeating: 0, count: 400), count: 400, checksum: 0)
        for number in 0..<50 { record.append(event(number, .requestBody(body))) }
        #expect(record.snapshot.events.map(\.peer.value) == [47, 48, 49])
    }

    @Test func `requests are put together from their entries`() {
        let fields = Fields([Fields.Field("X", "1"), Fields.Field("x", "2")])
        let request = RecordedRequest(method: "POST", target: "/a?b", fields: fields, lane: nil, host: "a.test")
        let body = RecordedBody(prefix: Array("hi".utf8), count: 2, checksum: 0)
        let requests = ReceivedRequest.list(from: [
            event(3), event(3, .request(request)), event(3, .requestBody(body)), event(3, .answered(status: 200)),
            event(4, .requestBody(body)),
        ])
        #expect(requests.count == 1)
        #expect(requests.first?.description == "POST /a?b")
        #expect(requests.first?.header("x") == "1, 2")
        #expect(requests.first?.text == "hi")
        #expect(requests.first?.connection == 3)
    }

    @Test func `exchanges are numbered through the round, whatever the journal forgets`() {
        let record = ServerRecord(mostEvents: 8)
        let request = RecordedRequest(method: "GET", target: "/", fields: Fields(), lane: nil, host: "a.test")
        for exchange in 0..<20 {
            for kind in [ServerEvent.Kind.request(request), .violation(Violation("no")), .answered(status: 404)] {
                record.append(ServerEvent(peer: PeerID(1), exchange: exchange, instant: .zero, kind: kind))
            }
        }
        let entries = record.snapshot
        #expect(entries.numbers.count == entries.events.count && entries.numbers.suffix(4) == [19, 20, 20, 20])
        #expect(zip(entries.events, entries.numbers).allSatisfy { $0.exchange + 1 == $1 })
        let kept = entries.events.count { if case .request = $0.kind { true } else { false } }
        #expect(entries.forgottenRequests == 20 - kept)
        #expect(entries.numbers.contains(18) && entries.retained.numbers == [19, 19, 19, 20, 20, 20])
        #expect(entries.retained.events == entries.events.suffix(6))
        record.append(event(1, .closed(byClient: true)))
        record.append(event(1, .violation(Violation("malformed"))))
        #expect(record.snapshot.numbers.last == 21)
        record.clear()
        record.append(event(1, .request(request)))
        #expect(record.snapshot.numbers == [1] && record.snapshot.forgottenRequests == 0)
    }
}
