import NIOCore
import Testing

@testable import ClientMachines

@Suite struct ReceivedBytesTests {
    @Test func `an empty buffer takes no place`() {
        var bytes = ReceivedBytes()
        for text in ["", "a", "", "b", ""] { bytes.append(ByteBuffer(string: text)) }
        #expect(bytes.count == 2)
        let taken = (0..<3).map { _ in bytes.take(atMost: 9).map { String(buffer: $0) } }
        #expect(taken == ["a", "b", nil])
    }

    @Test func `nothing is taken where nothing is asked for`() {
        var bytes = ReceivedBytes()
        bytes.append(ByteBuffer(string: "abc"))
        let taken = [0, -1, 2].map { bytes.take(atMost: $0).map { String(buffer: $0) } }
        #expect(taken == [nil, nil, "ab"])
        #expect(bytes.count == 1)
    }
}
