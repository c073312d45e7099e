import Foundation
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct DataSharingTests {
    @Test(arguments: [0, 1, 16_383, 16_384, 300_000])
    func `the bytes are those of the buffer, and stay so when either changes`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var buffer = ByteBuffer(bytes: [9, 9] + bytes)
        buffer.moveReaderIndex(forwardBy: 2)
        let first = Data(sharing: buffer)
        var second = Data(sharing: buffer)
        second.append(7)
        buffer.setInteger(UInt8(255), at: buffer.readerIndex)
        #expect(first == Data(bytes))
        #expect(second == Data(bytes + [7]))
    }
}
