import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Stage `receivingBody` of a data task.
@Suite struct ReceivingBodyTests {
    @Test func `bytes are told as they come, then the connection is free, then the task is complete`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.event(.body("abc")), .event(.body("de")), .event(.end))
            try book.expect(
                .tell(.data(ByteBuffer(string: "abc"))), .tell(.data(ByteBuffer(string: "de"))), .release,
                .tell(.complete(nil)), .finished)
        }
    }

    @Test func `an empty body completes without data`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.event(.end))
            try book.expect(.release, .tell(.complete(nil)), .finished)
        }
    }

    @Test func `a full window stops reading and the request timer until the user has caught up`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.event(.body("012345678")))
            try book.check("one byte of the window is left", book.machine.wantsEvents)
            book.feed(.event(.body("9")))
            _ = book.take()
            try book.check("it wants no events", !book.machine.wantsEvents)
            try book.advance(by: .seconds(3600))
            try book.expect()
            book.feed(.delivered(bytes: 1))
            try book.check("it wants events", book.machine.wantsEvents)
            try book.expectDeadline(in: .seconds(60))
        }
    }

    @Test func `the completion waits for a user who is a window behind`() throws {
        try TaskBuilder().play(.heldBackAtEnd) { book in
            try book.expect()
            book.feed(.delivered(bytes: 1))
            try book.expect(.tell(.complete(nil)), .finished)
        }
    }

    @Test func `what was taken in suspension counts when the task is resumed`() throws {
        try TaskBuilder().play(.heldBackAtEnd) { book in
            book.feed(.suspend, .delivered(bytes: 10))
            try book.expect()
            book.feed(.resume)
            try book.expect(.tell(.complete(nil)), .finished)
        }
    }

    @Test func `a decoded body comes in pieces of at most 64 KiB`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.plan.collectsBody = true
        // 250,000 zeros, deflated.
        let start: [UInt8] = [0xed, 0xc1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 0x01]
        let deflated = start + Array(repeating: 0, count: 241) + [0x7c, 0x1b]
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.head(200, [Fields.Field("Content-Encoding", "deflate")])))
            book.feed(.event(.body(ByteBuffer(bytes: deflated))), .event(.end))
            let sizes = book.take().compactMap { output in
                if case .tell(.data(let bytes)) = output { bytes.readableBytes } else { Int?.none }
            }
            try book.check("all arrives", sizes.reduce(0, +), is: 250_000)
            try book.check("full pieces", sizes.suffix(3).dropLast(), is: [65536, 65536])
        }
    }

    @Test func `a body that is collected needs no window`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.plan.collectsBody = true
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.plainHead), .event(.body("0123456789")), .event(.body("0123456789")))
            try book.check("it wants events", book.machine.wantsEvents)
            _ = book.take()
        }
    }

    // BEHAVIOUR 1.B2-pieces
    @Test func `unless a delegate hears of it as well`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        (builder.plan.collectsBody, builder.plan.tellsBody) = (true, true)
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.plainHead), .event(.body("0123456789")))
            _ = book.take()
            try book.check("it wants no events", !book.machine.wantsEvents)
            book.feed(.delivered(bytes: 1))
            try book.check("it wants events", book.machine.wantsEvents)
        }
    }

    @Test func `more credit than was given is no debt`() throws {
        try TaskBuilder().play(.heldBack) { book in
            book.feed(.delivered(bytes: 1000), .event(.body("012345678")))
            try book.check("one byte of the window is left", book.machine.wantsEvents)
            book.feed(.event(.body("9")))
            _ = book.take()
            try book.check("the window is full again", !book.machine.wantsEvents)
        }
    }

    @Test func `what came before a loss was delivered`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.event(.body("abc")), .event(.failed(.connectionLostInBody)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell data 3", "abandon", "tell complete networkConnectionLost", "finished"])
        }
    }

    // BEHAVIOUR 1.B4-early
    @Test func `an early answer to an unfinished upload costs the connection, not the task`() throws {
        var builder = TaskBuilder(.post(bytes: 500_000))
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.head(413, length: 0)), .event(.end))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell response 413, expecting 0", "abandon", "tell complete", "finished"])
        }
    }

    @Test func `a suspended task reads nothing and no timer runs`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.suspend)
            try book.check("it wants no events", !book.machine.wantsEvents)
            try book.expectDeadline(in: nil)
            try book.advance(by: .seconds(3600))
            book.feed(.resume)
            try book.expect()
            try book.check("it wants events", book.machine.wantsEvents)
            try book.expectDeadline(in: .seconds(60))
        }
    }

    // BEHAVIOUR 2.F25, 1.H2-expected
    @Test func `a body that is not in its declared coding fails the task`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.head(200, [Fields.Field("Content-Encoding", "gzip")], length: 9)))
            try book.check("outputs", book.take().map(\.summary), is: ["tell response 200, expecting -1"])
            book.feed(.event(.body("not gzip!")))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["abandon", "tell complete cannotDecodeRawData", "finished"])
        }
    }

    @Test func `a coded body that ends early fails after the connection is free`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.head(200, [Fields.Field("Content-Encoding", "gzip")], length: 3)))
            book.feed(.event(.body(ByteBuffer(bytes: [0x1f, 0x8b, 0x08]))), .event(.end))
            try book.check(
                "outputs", Array(book.take().map(\.summary).dropFirst()),
                is: ["release", "tell complete cannotDecodeRawData", "finished"])
        }
    }

    @Test func `a second head is our bug`() throws {
        try TaskBuilder().play(.receivingBody) { book in
            book.feed(.event(.plainHead))
            try book.expect(.bug("a second head in one exchange"))
        }
    }
}
