import HTTPBasics
import ServerScript
import Testing

@testable import Control

@Suite struct JournalEntryTests {
    @Test func `members of a JSON body with names of secrets are hidden, at any depth`() {
        var entry = JournalEntry(number: 1, connection: 0, exchange: 1)
        entry.body = Array(#"{"user": {"password": ["a"], "name": "b"}, "list": [{"access_token": "c"}]}"#.utf8)
        entry.bodyCount = entry.body.count
        let shown = entry.json["body"] as? String ?? ""
        #expect(shown.contains(#""password":"***""#) && shown.contains(#""access_token":"***""#))
        #expect(shown.contains(#""name":"b""#))
        entry.body = Array(#"{ "name": "b" }"#.utf8)
        #expect(entry.json["body"] as? String == #"{ "name": "b" }"#)
        entry.body = Array("password=x&a=b".utf8)
        #expect(entry.json["body"] as? String == "password=***&a=b")
        entry.body = Array(#"{"password":"x"}"#.utf8) + Array("\n".utf8) + Array(#"{"b":1}"#.utf8)
        #expect(entry.json["body"] as? String == #"{"password":"***"}"# + "\n" + #"{"b":1}"#)
        entry.body = Array(#"{"password":"x", "pad": "aaaa"#.utf8)
        #expect(entry.json["body"] as? String == "***")
        entry.body = [0xff]
        #expect(entry.json["body"] == nil)
    }

    @Test func `a request that could not be read is an entry, and what is no request is none`() {
        func event(_ kind: ServerEvent.Kind) -> ServerEvent {
            ServerEvent(peer: PeerID(2), exchange: 0, instant: .zero, kind: kind)
        }
        let entries = JournalEntry.list(from: [
            event(.accepted), event(.violation(Violation("malformed", kind: .malformed))),
            event(.answered(status: 400)), event(.closed(byClient: false)),
        ])
        #expect(entries.count == 1 && entries[0].status == 400 && entries[0].method.isEmpty)
    }

    @Test func `an entry says when its head was read and when the answer that counts began`() throws {
        func members(_ kinds: (ServerEvent.Kind, Duration)...) throws -> [String: Any] {
            let events = kinds.map { kind, span in
                ServerEvent(peer: PeerID(2), exchange: 0, instant: .zero + span, kind: kind)
            }
            return try #require(JournalEntry.list(from: events).first).json
        }
        let violation = ServerEvent.Kind.violation(Violation("malformed", kind: .malformed))
        let early = try members((violation, .milliseconds(3)), (.answered(status: 100), .milliseconds(4)))
        #expect(early["began"] as? Int == 3_000 && early["answered"] == nil)
        let late = try members(
            (violation, .milliseconds(3)), (.answered(status: 100), .milliseconds(4)),
            (.answered(status: 400), .milliseconds(5)))
        #expect(late["answered"] as? Int == 5_000)
    }
}
