import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import Testing

@testable import Simulator

@Suite struct JournalTests {
    @Test func `the latest lines are kept, and the dropped ones counted`() {
        let journal = Journal(limit: 200)
        for number in 0..<1_001 { journal.write(.zero, .server) { $0.number(number) } }
        let lines = journal.text.split(separator: "\n")
        #expect(journal.count == 1_001)
        #expect(lines.count - 1 + journal.dropped == 1_001)
        #expect(lines.count - 1 <= 200)
        #expect(lines.count - 1 > 190)
        #expect(lines.first == "(\(journal.dropped) earlier lines dropped)")
        #expect(lines.last == "0.000000000 server 1000")
    }

    @Test func `times have nine decimals`() {
        let journal = Journal()
        journal.write(Instant(nanoseconds: 61_000_000_042), .clientLoop(2)) { $0.number(Int64.min) }
        #expect(journal.text == "61.000000042 client2 -9223372036854775808\n")
    }

    @Test func `foreign text stays on its line, is bounded, and names no directory`() {
        let line = JournalLine()
        line.directory = "/tmp/case"
        line.quoted("a\"b\\\n\u{7f} in /tmp/case/1")
        #expect(String(decoding: line.bytes, as: UTF8.self) == "\"a\\\"b\\\\\\n\\x7f in $directory/1\"")
        line.bytes = []
        line.excerpt(ByteBuffer(repeating: 65, count: 1_000))
        #expect(line.bytes.count < 70)
    }

    @Test func `credentials are never written`() {
        let line = JournalLine()
        let secret = Credential(user: "user", password: "password")
        line.excerpt(ByteBuffer(string: "GET / HTTP/1.1\r\nCookie: crumbs\r\nA: b"))
        #expect(String(decoding: line.bytes, as: UTF8.self) == #"36B "GET / HTTP/1.1\r\nCookie:***\r\nA: b""#)
        line.bytes = []
        line.input(.answer(QuestionID(4), .challenge(.use(secret))))
        #expect(String(decoding: line.bytes, as: UTF8.self) == "< answer q4 challenge use")
    }
}
