import Foundation
import NIOCore
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct AsyncLineSequenceTests {
    /// Bytes that come one at a time, some of them late.
    private struct Bytes: AsyncSequence, Sendable {
        let bytes: [UInt8]
        var failsAtEnd = false

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<UInt8>
            let failsAtEnd: Bool

            mutating func next() async throws -> UInt8? {
                if rest.count.isMultiple(of: 3) { await Task.yield() }
                guard let byte = rest.popFirst() else {
                    if failsAtEnd { throw URLError(.networkConnectionLost) }
                    return nil
                }
                return byte
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...], failsAtEnd: failsAtEnd) }
    }

    private static func lines(_ bytes: [UInt8]) async throws -> [String] {
        var lines: [String] = []
        for try await line in Bytes(bytes: bytes).lines { lines.append(line) }
        return lines
    }

    // BEHAVIOUR 1.A1-bytes
    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("a\r\nb", ["a", "b"]),
        ("a\u{0B}b", ["a", "b"]), ("a\u{0C}b", ["a", "b"]), ("a\u{85}b", ["a", "b"]), ("a\u{2028}b", ["a", "b"]),
        ("a\u{2029}b", ["a", "b"]),
        // Empty lines are left out.
        ("\n\n\r\n\r\r", []), ("\na\n\nb\n\n", ["a", "b"]), ("a\u{2028}\u{2029}\u{85}b", ["a", "b"]),
        // Spaces are text.
        (" \n\ta ", [" ", "\ta "]),
        // Characters that only share bytes with a line end.
        ("a\u{A8}b", ["a\u{A8}b"]), ("\u{2027}\u{202A}", ["\u{2027}\u{202A}"]), ("\u{C5}\u{2005}", ["\u{C5}\u{2005}"]),
        ("data: é\n\nid: 日本", ["data: é", "id: 日本"]),
    ])
    func `lines end where Unicode says, and empty ones are left out`(text: String, wanted: [String]) async throws {
        #expect(try await Self.lines(Array(text.utf8)) == wanted)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62, 0x0A, 0x63], ["a\u{FFFD}b", "c"]), ([0xC2, 0x0A, 0x61], ["\u{FFFD}", "a"]),
            ([0x85], ["\u{FFFD}"]), ([0xE2, 0x80], ["\u{FFFD}"]), ([0xA8, 0x0A], ["\u{FFFD}"]),
            ([0x61, 0xC2], ["a\u{FFFD}"]),
        ] as [([UInt8], [String])])
    func `what is not UTF-8 is replaced, and is no line end`(bytes: [UInt8], wanted: [String]) async throws {
        #expect(try await Self.lines(bytes) == wanted)
    }

    @Test func `an error comes after the lines that came before it`() async {
        var lines: [String] = []
        do {
            for try await line in Bytes(bytes: Array("a\nb".utf8), failsAtEnd: true).lines { lines.append(line) }
            Issue.record("no error came")
        } catch {
            #expect(error as? URLError == URLError(.networkConnectionLost))
        }
        #expect(lines == ["a"])
    }

    @Test func `pieces of a body may be cut anywhere`() async throws {
        let text = Array("a\r\nb\u{2028}c\u{85}d".utf8)
        for cut in 0...text.count {
            let task = URLSessionDataTask()
            let channel = ByteChannel { _ in }
            for part in [text[..<cut], text[cut...]] { channel.put(ByteBuffer(bytes: part)) }
            channel.end(.success(()))
            let bytes = URLSession.AsyncBytes(source: ByteSource(task: task, channel: channel))
            var lines: [String] = []
            for try await line in bytes.lines { lines.append(line) }
            #expect(lines == ["a", "b", "c", "d"], "cut at \(cut)")
        }
    }
}
