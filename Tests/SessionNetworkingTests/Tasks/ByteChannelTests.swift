import Foundation
import NIOCore
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct ByteChannelTests {
    private final class Taken: Sendable {
        private let total = Lock(0)
        var count: Int { total.withLock { $0 } }
        func add(_ bytes: Int) { total.withLock { $0 += bytes } }
    }

    private let taken = Taken()
    private let channel: ByteChannel

    init() { channel = ByteChannel { [taken] in taken.add($0) } }

    private func text(_ piece: ByteBuffer?) -> String? { piece.map { String(buffer: $0) } }

    @Test func `pieces come in order, then the end, again and again`() async throws {
        channel.put(ByteBuffer(string: "ab"))
        channel.put(ByteBuffer(string: "c"))
        channel.end(.success(()))
        #expect(taken.count == 0, "nothing has been read")
        #expect(text(try await channel.next()) == "ab")
        #expect(taken.count == 2)
        #expect(text(try await channel.next()) == "c")
        #expect(taken.count == 3)
        #expect(try await channel.next() == nil)
        #expect(try await channel.next() == nil)
    }

    @Test func `an error comes after the bytes that came before it`() async throws {
        channel.put(ByteBuffer(string: "ab"))
        channel.end(.failure(URLError(.networkConnectionLost)))
        #expect(text(try await channel.next()) == "ab")
        await #expect(throws: URLError(.networkConnectionLost)) { try await channel.next() }
    }

    @Test func `the first end counts`() async throws {
        channel.end(.success(()))
        channel.end(.failure(URLError(.cancelled)))
        #expect(try await channel.next() == nil)
    }

    @Test func `a waiting reader gets what comes, and its bytes are credited`() async throws {
        async let first = channel.next()
        channel.put(ByteBuffer(string: "abc"))
        #expect(text(try await first) == "abc")
        #expect(taken.count == 3)
    }

    @Test func `a waiting reader learns of the end`() async throws {
        async let end = channel.next()
        channel.end(.success(()))
        #expect(try await end == nil)
        let broken = ByteChannel { _ in }
        let failing = Task { try await broken.next() }
        broken.end(.failure(URLError(.timedOut)))
        await #expect(throws: URLError(.timedOut)) { try await failing.value }
    }

    @Test func `whatever the threads do, the reader sees all bytes in order`() async throws {
        for _ in 0..<50 {
            let channel = ByteChannel { [taken] in taken.add($0) }
            DispatchQueue.global().async {
                for number in 0..<100 { channel.put(ByteBuffer(string: "\(number),")) }
                channel.end(.success(()))
            }
            var all = ""
            while let piece = try await channel.next() { all += String(buffer: piece) }
            #expect(all == (0..<100).map { "\($0)," }.joined())
        }
        #expect(taken.count == 50 * 290)
    }
}
