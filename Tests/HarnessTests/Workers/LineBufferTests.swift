import Testing

@testable import Harness

@Suite("Lines out of a stream")
struct LineBufferTests {
    @Test("Lines come out whole, however they went in")
    func splits() {
        for size in 1...7 {
            var buffer = LineBuffer()
            var lines: [String] = []
            let bytes = Array("one\n\nthree\nrest".utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                buffer.append(bytes[start..<min(bytes.count, start + size)])
                while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == ["one", "", "three"])
            #expect(buffer.rest == Array("rest".utf8))
        }
    }

    @Test("A line without end is noticed")
    func overfull() {
        var buffer = LineBuffer(bound: 10)
        buffer.append(Array(repeating: 1, count: 11))
        #expect(buffer.next() == nil)
        #expect(buffer.isOverfull)
    }

    @Test("Only the last lines of standard error are kept")
    func tail() {
        var tail = TextTail()
        for number in 0..<10_000 { tail.append("line \(number)\n".utf8) }
        #expect(tail.lines.last == "line 9999")
        #expect(tail.lines.count == 20)
    }
}
