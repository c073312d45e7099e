import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// From the name to the open connection, and what can go wrong on the way.
@Suite struct DiallingTests {
    private let both = [ClientPlay.address, ClientPlay.secondAddress]

    // BEHAVIOUR 2.F11-next
    @Test func `addresses are tried in order`() throws {
        try ClientPlay.play { book in
            book.start(1)
            book.resolve(1, both)
            book.feed(.connectFailed(ConnectionID(1), .refused))
            try book.expect(["resolve 1 example.com:80", "connect 1 192.0.2.1:80", "connect 2 192.0.2.2:80"])
            book.feed(.connected(ConnectionID(2)))
            try book.expect(["write 2 GET /a HTTP/1.1"])
        }
    }

    // BEHAVIOUR 1.B12-refused, 1.B12-unreachable
    @Test(arguments: [
        (ConnectFailure.refused, Failure.Kind.cannotConnectToHost), (.timedOut, .timedOut),
        (.hostUnreachable, .cannotConnectToHost), (.networkUnreachable, .notConnectedToInternet),
        (.reset, .networkConnectionLost), (.other(code: 5), .cannotConnectToHost),
    ])
    func `the failure of all addresses is the task's`(failure: ConnectFailure, kind: Failure.Kind) throws {
        try ClientPlay.play { book in
            book.start(1)
            book.resolve(1, both)
            book.feed(.connectFailed(ConnectionID(1), failure), .connectFailed(ConnectionID(2), failure))
            try book.check("end", book.take().last?.summary, is: "task 1: complete \(kind.rawValue)")
            try book.expectDeadline(in: nil)
        }
    }

    // BEHAVIOUR 1.B12-dns
    @Test(arguments: [
        ClientInput.resolveFailed(DialID(1), .v4, detail: "NXDOMAIN"), .resolved(DialID(1), .v4, []),
    ])
    func `a name without an address cannot be found`(_ answer: ClientInput) throws {
        try ClientPlay.play { book in
            book.start(1)
            book.feed(answer)
            try book.expect(["resolve 1 example.com:80"])
            book.feed(.resolveFailed(DialID(1), .v6, detail: ""))
            try book.expect(["task 1: complete cannotFindHost"])
        }
    }

    @Test func `a connection that is lost while it is opened fails its task`() throws {
        try ClientPlay.play { book in
            book.start(1)
            book.resolve(1)
            book.feed(.closed(ConnectionID(1)))
            try book.check("end", book.take().last?.summary, is: "task 1: complete networkConnectionLost")
        }
    }

    // BEHAVIOUR 2.F11-first
    @Test func `of two attempts the one that answers is used, and the other one is closed`() throws {
        try ClientPlay.play { book in
            book.start(1)
            book.resolve(1, both)
            try book.advance(by: .milliseconds(250))
            _ = book.take()
            book.feed(.connected(ConnectionID(2)))
            try book.expect(["close 1", "write 2 GET /a HTTP/1.1"])
            // It answers all the same: an expected race.
            book.feed(.connected(ConnectionID(1)), .closed(ConnectionID(1)))
            try book.expect([])
            book.receive(2, ClientPlay.ok)
            try book.check("it is complete", book.take().last?.summary, is: "task 1: complete")
        }
    }

    // BEHAVIOUR 1.H1-flush
    @Test func `a dial that was begun before the connections were renewed is begun anew`() throws {
        try ClientPlay.play { book in
            book.start(1)
            book.feed(.renewConnections)
            try book.expect(
                ["resolve 1 example.com:80", "forget tickets", "stop resolving 1", "resolve 2 example.com:80"])
            book.resolve(1)
            try book.expect([])
            book.resolve(2)
            book.feed(.connected(ConnectionID(1)))
            book.receive(1, ClientPlay.ok)
            try book.check("it is kept", !book.take().map(\.summary).contains("close 1"))
        }
    }

    // BEHAVIOUR 2.F1, 2.F1-line, 2.F7
    @Test func `at the limit tasks wait, a place that comes free is the next one's`() throws {
        try ClientPlay.play(limit: 2) { book in
            for task in 1...4 { book.start(task, ClientPlay.plan("/\(task)")) }
            try book.expect(["resolve 1 example.com:80", "resolve 2 example.com:80"])
            book.open(1)
            _ = book.take()
            book.receive(1, ClientPlay.ok)
            try book.expect([
                "task 1: response 200, expecting 2", "task 1: data 2", "task 1: complete", "write 1 GET /2 HTTP/1.1",
            ])
            book.resolve(2, [])
            try book.expect(["task 3: complete cannotFindHost", "resolve 3 example.com:80"])
        }
    }

    // BEHAVIOUR 2.F1-line
    @Test func `the first in line takes the connection that opens first`() throws {
        try ClientPlay.play { book in
            for task in 1...2 { book.start(task, ClientPlay.plan("/\(task)")) }
            for dial in 1...2 { book.resolve(dial) }
            _ = book.take()
            book.feed(.connected(ConnectionID(2)))
            try book.expect(["write 2 GET /1 HTTP/1.1"])
            book.feed(.connected(ConnectionID(1)))
            try book.expect(["write 1 GET /2 HTTP/1.1"])
        }
    }

    /// Two tasks, the second of which is served by the first one's connection while its own is dialled.
    private func playWithSpare(_ body: (Playbook<ClientMachine>) throws -> Void) throws {
        try ClientPlay.play { book in
            for task in 1...2 { book.start(task, ClientPlay.plan("/\(task)")) }
            book.open(1)
            book.resolve(2)
            book.receive(1, ClientPlay.ok)
            try book.check("it is served", book.take().map(\.summary).contains("write 1 GET /2 HTTP/1.1"))
            try body(book)
        }
    }

    // BEHAVIOUR 2.F1-spare, 1.E1
    @Test func `a connection that opens when no task waits is kept, and may have gone stale`() throws {
        try playWithSpare { book in
            book.feed(.connected(ConnectionID(2)))
            book.start(3, ClientPlay.plan("/3"))
            try book.expect(["write 2 GET /3 HTTP/1.1"])
            book.feed(.closed(ConnectionID(2)))
            try book.expect(["resolve 3 example.com:80"])
        }
    }

    // BEHAVIOUR 2.F1-spare
    @Test func `a dial that no task waits for is the next task's, and ends after ten seconds`() throws {
        try playWithSpare { book in
            try book.advance(by: .seconds(5))
            book.start(3, ClientPlay.plan("/3"))
            try book.expect([])
            try book.advance(by: .seconds(5))
            // The task does not inherit what may be silent for ever.
            try book.expect(["close 2", "resolve 3 example.com:80"])
            book.receive(1, ClientPlay.ok)
            try book.check("it is served", book.take().last?.summary, is: "write 1 GET /3 HTTP/1.1")
            try book.advance(by: .seconds(10))
            try book.expect(["stop resolving 3"])
        }
    }

    // BEHAVIOUR 2.F1-spare
    @Test func `a spare dial goes on to its next address`() throws {
        try ClientPlay.play { book in
            for task in 1...2 { book.start(task, ClientPlay.plan("/\(task)")) }
            book.open(1)
            book.resolve(2, both)
            book.receive(1, ClientPlay.ok)
            _ = book.take()
            try book.advance(by: .milliseconds(250))
            try book.expect(["connect 3 192.0.2.2:80"])
        }
    }

    // BEHAVIOUR 2.F11-end
    @Test func `a task whose dial is silent takes it along, the others keep theirs`() throws {
        try ClientPlay.play(limit: 2) { book in
            book.start(1)
            book.resolve(1)
            try book.advance(by: .milliseconds(59_900))
            book.start(2)
            book.resolve(2)
            _ = book.take()
            try book.advance(by: .milliseconds(100))
            try book.expect(["close 1", "task 1: complete timedOut"])
            book.feed(.connected(ConnectionID(2)))
            try book.expect(["write 2 GET /a HTTP/1.1"])
        }
    }

    // BEHAVIOUR 2.F1-spare
    @Test func `a task that waits behind a silent dial gets one of its own in the end`() throws {
        try ClientPlay.play(limit: 1) { book in
            book.start(1)
            book.resolve(1)
            try book.advance(by: .seconds(50))
            book.start(2)
            _ = book.take()
            try book.advance(by: .seconds(20))
            try book.expect(["task 1: complete timedOut", "close 1", "resolve 2 example.com:80"])
        }
    }

    // BEHAVIOUR 2.F4-last, 1.E1-young
    @Test func `a connection that has just opened is newer than one that was used`() throws {
        try playWithSpare { book in
            book.feed(.connected(ConnectionID(2)))
            try book.advance(by: .milliseconds(200))
            book.receive(1, ClientPlay.ok)
            try book.advance(by: .seconds(3))
            _ = book.take()
            book.start(3, ClientPlay.plan("/3"))
            try book.expect(["write 1 GET /3 HTTP/1.1"])
        }
        try playWithSpare { book in
            book.receive(1, ClientPlay.ok)
            book.feed(.connected(ConnectionID(2)))
            _ = book.take()
            book.start(3, ClientPlay.plan("/3"))
            try book.expect(["write 2 GET /3 HTTP/1.1"])
        }
    }

    // BEHAVIOUR 2.F1-line
    @Test func `a task that starts after a cancel does not overtake those that wait`() throws {
        try ClientPlay.play(limit: 1) { book in
            try book.startOpen(1, connection: 1)
            book.start(2, ClientPlay.plan("/2"))
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            book.start(3, ClientPlay.plan("/3"))
            book.open(2)
            try book.check("the second is served", book.take().last?.summary, is: "write 2 GET /2 HTTP/1.1")
        }
    }

    // BEHAVIOUR 2.F1-spare
    @Test func `a dial that no task waits for ends with its session`() throws {
        try playWithSpare { book in
            book.feed(.invalidate(cancelling: false))
            book.receive(1, ClientPlay.ok)
            try book.expect([
                "task 2: response 200, expecting 2", "task 2: data 2", "task 2: complete", "close 2", "close 1",
                "invalidated",
            ])
            book.feed(.connected(ConnectionID(2)))
            try book.expect([])
        }
    }

    @Test func `time in the queue counts as silence`() throws {
        try ClientPlay.play(limit: 1) { book in
            try book.startOpen(1, connection: 1)
            book.start(2)
            try book.advance(by: .seconds(30))
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
            _ = book.take()
            try book.advance(by: .seconds(30))
            try book.expect(["task 2: complete timedOut"])
            try book.expectDeadline(in: .seconds(30))
        }
    }

    // BEHAVIOUR 1.D2-start
    @Test(arguments: [ClientInput.cancel(TaskID(2), keepingResumeData: false), .suspend(TaskID(2))])
    func `a place that a cancelled task leaves waits for the next cancel`(second: ClientInput) throws {
        try ClientPlay.play(limit: 1) { book in
            try book.startOpen(1, connection: 1)
            for task in 2...4 { book.start(task) }
            book.feed(.cancel(TaskID(1), keepingResumeData: false), second)
            book.feed(.cancel(TaskID(3), keepingResumeData: false))
            let ends = book.take().map(\.summary).filter { !$0.hasPrefix("task") }
            try book.check("no name is asked meanwhile", ends, is: ["close 1"])
            try book.expectDeadline(in: .zero)
            book.feed(.timePassed)
            try book.expect(["resolve 2 example.com:80"])
        }
    }

    @Test func `the request timer runs while a name is looked up, and while addresses are tried`() throws {
        try ClientPlay.play { book in
            book.start(1)
            try book.expect(["resolve 1 example.com:80"])
            try book.advance(by: .seconds(60))
            try book.expect(["stop resolving 1", "task 1: complete timedOut"])
            book.start(2)
            try book.advance(by: .seconds(30))
            book.resolve(2, both)
            try book.advance(by: .seconds(20))
            try book.expect([
                "resolve 2 example.com:80", "connect 1 192.0.2.1:80", "connect 2 192.0.2.2:80", "close 1",
            ])
            // Only a connection is progress.
            try book.advance(by: .seconds(10))
            try book.expect(["close 2", "task 2: complete timedOut"])
        }
    }

    @Test func `a task that is cancelled in the queue leaves it`() throws {
        try ClientPlay.play(limit: 1) { book in
            try book.startOpen(1, connection: 1)
            book.start(2)
            book.start(3)
            book.feed(.cancel(TaskID(2), keepingResumeData: false))
            try book.expect(["task 2: complete cancelled"])
            book.receive(1, ClientPlay.ok)
            try book.check(
                "the third is served", book.take().map(\.summary).contains("write 1 GET /a HTTP/1.1"))
        }
    }

    // BEHAVIOUR 2.F11-end
    @Test(arguments: [
        ClientInput.cancel(TaskID(1), keepingResumeData: false), .suspend(TaskID(1)),
    ])
    func `a task that leaves the line leaves its dial to the next, the last one ends it`(_ input: ClientInput) throws {
        try ClientPlay.play(limit: 1) { book in
            book.start(1)
            book.start(2)
            book.resolve(1)
            _ = book.take()
            book.feed(input, .timePassed)
            try book.check("outputs", book.take().map(\.summary).filter { !$0.contains("complete") }, is: [])
            book.feed(.cancel(TaskID(2), keepingResumeData: false))
            try book.expect(["close 1", "task 2: complete cancelled"])
            // What was under way is an expected race.
            book.feed(.connected(ConnectionID(1)), .closed(ConnectionID(1)))
            try book.expect([])
            book.start(3)
            try book.expect(["resolve 2 example.com:80"])
        }
    }

    @Test func `hosts that never answer use up no places`() throws {
        try ClientPlay.play(limit: 2) { book in
            for task in 1...6 {
                book.start(task)
                _ = book.take()
                book.resolve(task)
                try book.expect(["connect \(task) 192.0.2.1:80"])
                try book.advance(by: .seconds(60))
                try book.expect(["close \(task)", "task \(task): complete timedOut"])
            }
        }
    }
}
