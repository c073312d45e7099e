import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// What one turn does at most, and in what pieces a body is handed out.
@Suite struct ClientMachinePiecesTests {
    private static let mebibyte = 1024 * 1024

    /// The beginning of a stream in bare deflate: each further zero stands for 1032 zeros of the body.
    private static func bomb(_ count: Int) -> ByteBuffer {
        let head: [UInt8] = [0xed, 0xc1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 0x01]
        return ByteBuffer(bytes: head + Array(repeating: 0, count: count / 1032))
    }

    private static func plan(collectsBody: Bool = true) -> TaskPlan {
        var plan = ClientPlay.plan()
        plan.collectsBody = collectsBody
        return plan
    }

    private static func told(_ outputs: [ClientOutput]) -> [Int] {
        outputs.compactMap { if case .tell(_, .data(let bytes)) = $0 { bytes.readableBytes } else { nil } }
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `one turn decodes no more than a mebibyte and a piece`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, Self.plan(), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 1000000\r\n\r\n")
            _ = book.take()
            book.feed(.received(ConnectionID(1), Self.bomb(8 * Self.mebibyte)))
            var turns: [Int] = []
            while true {
                let outputs = book.take()
                turns.append(Self.told(outputs).reduce(0, +))
                guard outputs.contains(.yield(TaskID(1))) else { break }
                book.feed(.goOn(TaskID(1)))
            }
            try book.check("in turns of \(turns)", turns.allSatisfy { $0 <= 17 * Self.mebibyte / 16 })
            try book.check("all of it is told", turns.reduce(0, +) >= 8 * Self.mebibyte)
        }
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `a cancel between two turns ends the work, and a late turn finds nobody`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, Self.plan(), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 1000000\r\n\r\n")
            book.feed(.received(ConnectionID(1), Self.bomb(8 * Self.mebibyte)))
            try book.check("it asks for a turn", book.take().contains(.yield(TaskID(1))))
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            try book.expect(["close 1", "task 1: complete cancelled"])
            book.feed(.goOn(TaskID(1)))
            try book.expect([])
        }
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `the request timer stands still between two turns, and runs again behind the last`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, Self.plan(), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 1000000\r\n\r\n")
            book.feed(.received(ConnectionID(1), Self.bomb(Self.mebibyte)))
            _ = book.take()
            try book.advance(by: .seconds(3600))
            try book.expect([])
            book.feed(.goOn(TaskID(1)))
            _ = book.take()
            try book.advance(by: .seconds(60))
            try book.expect(["close 1", "task 1: complete timedOut"])
        }
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `chunks of one byte are read by turns as well`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, Self.plan(), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            _ = book.take()
            book.receive(1, String(repeating: "1\r\nx\r\n", count: 10_000))
            // What comes from outside begins a short turn.
            try book.check("told", Self.told(book.take()), is: [512])
            for _ in 1...4 {
                book.feed(.goOn(TaskID(1)))
                try book.check("told", Self.told(book.take()), is: [2048])
            }
            book.feed(.goOn(TaskID(1)))
            try book.expect(["task 1: data 1296", "reading 1 on"])
        }
    }

    // BEHAVIOUR 1.B2-pieces
    @Test func `small pieces of one turn are told as one`() throws {
        try ClientPlay.play(window: 2 * Self.mebibyte) { book in
            try book.startOpen(1, Self.plan(collectsBody: false), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            _ = book.take()
            book.receive(1, String(repeating: "1\r\nx\r\n", count: 500))
            try book.check("told", Self.told(book.take()), is: [500])
        }
    }

    // BEHAVIOUR 1.B2-pieces
    @Test func `no more than 512 pieces wait for a slow user, however small they are`() throws {
        try ClientPlay.play(window: 2 * Self.mebibyte) { book in
            try book.startOpen(1, Self.plan(collectsBody: false), connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            _ = book.take()
            for _ in 1...600 { book.receive(1, "x") }
            try book.check("pieces", Self.told(book.take()).count, is: 512)
        }
    }
}
