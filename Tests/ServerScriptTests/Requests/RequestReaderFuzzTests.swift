import NIOCore
import Testing

@testable import ServerScript

@Suite struct RequestReaderFuzzTests {
    /// Random bytes from a seed, so that a failure can be repeated.
    private struct Dice {
        var content: Content
        var offset = 0

        init(_ seed: UInt64) { content = .random(seed: seed, size: 1 << 20) }

        mutating func roll(_ sides: Int) -> Int {
            offset += 8
            let word = content.bytes(at: offset, count: 4).getInteger(at: 0, as: UInt32.self) ?? 0
            return Int(word) % max(1, sides)
        }
    }

    private func mutated(_ dice: inout Dice) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<2 { bytes += Array(RequestReaderTests.legal[dice.roll(RequestReaderTests.legal.count)].0.utf8) }
        let odd: [UInt8] = [0, 9, 10, 13, 32, 0x3a, 0x2c, 0x41, 0x7f, 0x80, 0xff]
        for _ in 0..<dice.roll(4) {
            let position = dice.roll(bytes.count)
            switch dice.roll(3) {
            case 0: bytes[position] = odd[dice.roll(odd.count)]
            case 1: bytes.insert(odd[dice.roll(odd.count)], at: position)
            default: bytes.remove(at: position)
            }
        }
        return bytes
    }

    private func read(_ bytes: [UInt8], _ length: () -> Int) -> [String] {
        var reader = RequestReader()
        var words: [String] = []
        var body: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, length()))
            rest = rest.dropFirst(piece.count)
            reader.receive(ByteBuffer(bytes: piece))
            while let event = reader.next() {
                switch event {
                case .body(let bytes): body += bytes.readableBytesView
                case .head, .end: words.append("\(event) \(body)")
                case .malformed(let text): return words + [text]
                }
            }
        }
        return words + ["\(body)"]
    }

    @Test("Damaged requests never trap, and read the same however they are split", arguments: 0..<300)
    func damaged(seed: UInt64) {
        var dice = Dice(seed)
        let bytes = mutated(&dice)
        let whole = read(bytes) { bytes.count }
        #expect(read(bytes) { 1 } == whole)
        #expect(read(bytes) { 1 + dice.roll(9) } == whole)
    }

    @Test("A machine survives whatever a client sends, and always has an answer", arguments: 0..<60)
    func machine(seed: UInt64) throws {
        var dice = Dice(seed)
        let bytes = mutated(&dice)
        let multipart = RequestMatch("PUT", multipart: MultipartReaderTests.rule)
        let script = Script(routes: [Route(Exchange(multipart)), route("GET", "/*", Reply(body: .text("ok")))])
        try ServerPlay.run(script) { play in
            play.connect()
            for byte in bytes { play.feed(.received(PeerID(0), ByteBuffer(bytes: [byte]))) }
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("closed in the end", play.actions().last, is: "close 0")
            try play.book.expectDeadline(in: nil)
        }
    }
}
