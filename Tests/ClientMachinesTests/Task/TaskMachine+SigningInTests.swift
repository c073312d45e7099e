import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.A32, 2.A34
@Suite struct SigningInTests {
    private static let offer = ResponseEvent.head(401, [Fields.Field("WWW-Authenticate", "NTLM")], length: 0)
    private static let second = ResponseEvent.head(
        401,
        [
            Fields.Field(
                "WWW-Authenticate",
                "NTLM "
                    + Base64.encode(
                        Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + Array(repeating: 0, count: 8) + [1, 0, 0, 0]
                            + Array(repeating: 7, count: 8)))
        ], length: 0)

    /// Up to where message 1 has gone out.
    private func begin(_ body: (Playbook<TaskMachine>) throws -> Void) throws {
        try TaskBuilder().play(.awaitingHead) { book in
            book.feed(.event(Self.offer))
            _ = book.take()
            book.feed(.answer(.challenge(.use(Credential(user: "ann", password: "s3cret")))), .event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["keep http://example.com"])
            try body(book)
        }
    }

    private func isMessage(_ number: UInt8, _ text: String) -> Bool {
        let line = text.split(separator: "\r\n").first { $0.hasPrefix("Authorization: NTLM ") }
        return line.flatMap { Base64.decode($0.dropFirst("Authorization: NTLM ".utf8.count)) }?[8] == number
    }

    @Test func `three messages sign a connection in`() throws {
        try begin { book in
            book.feed(.connected(isReused: true, .begun))
            _ = book.take()
            try book.check("message 1", isMessage(1, book.machine.headText))
            book.feed(.event(Self.second), .event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["keep http://example.com"])
            book.feed(.connected(isReused: true, .begun))
            _ = book.take()
            try book.check("message 3", isMessage(3, book.machine.headText))
            book.feed(.event(.plainHead))
            try book.check("outputs", book.take().map(\.summary).contains("signed in"))
        }
    }

    @Test func `another connection begins anew`() throws {
        try begin { book in
            book.feed(.connected(isReused: true, .begun), .event(Self.second), .event(.end))
            _ = book.take()
            book.feed(.connected(isReused: false))
            _ = book.take()
            try book.check("message 1", isMessage(1, book.machine.headText))
        }
    }

    @Test func `a connection that is signed in says nothing`() throws {
        try begin { book in
            book.feed(.connected(isReused: true, .done))
            _ = book.take()
            try book.check("no field", !book.machine.headText.contains("Authorization"))
        }
    }

    @Test func `a task that is suspended between two messages lets its connection go`() throws {
        try begin { book in
            book.feed(.connected(isReused: true, .begun), .event(Self.second), .suspend, .resume, .event(.end))
            try book.check("outputs", book.take().map(\.summary).contains("keep http://example.com"))
        }
    }
}
