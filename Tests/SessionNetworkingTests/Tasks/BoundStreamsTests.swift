import Dispatch
import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct BoundStreamsTests {
    /// Streams are used from one thread at a time, as the tests see to it.
    private struct Ends: @unchecked Sendable {
        let streams: BoundStreams
        var input: InputStream { streams.inputStream }
        var output: OutputStream { streams.outputStream }

        init(_ size: Int) {
            streams = BoundStreams(bufferSize: size)
            input.open()
            output.open()
        }

        func write(_ bytes: [UInt8]) -> Int { output.write(bytes, maxLength: bytes.count) }

        func read(_ most: Int) -> [UInt8]? {
            var space = [UInt8](repeating: 0, count: most)
            let count = input.read(&space, maxLength: most)
            return count < 0 ? nil : Array(space.prefix(count))
        }
    }

    /// Something that waits on another thread; what it returned.
    private func concurrently<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    @Test(arguments: [1, 2, 7, 1000]) func `what is written is what is read, in order, to its end`(size: Int) async {
        let ends = Ends(size)
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        async let written: Void = concurrently {
            var rest = bytes[...]
            while !rest.isEmpty { rest = rest.dropFirst(ends.write(Array(rest))) }
            ends.output.close()
        }
        let read = await concurrently {
            var read: [UInt8] = []
            while let piece = ends.read(333), !piece.isEmpty { read += piece }
            return read
        }
        await written
        #expect(read == bytes)
        #expect(ends.input.streamStatus == .atEnd)
        #expect(ends.output.streamStatus == .closed)
    }

    @Test func `no more is taken than the buffer holds`() {
        let ends = Ends(4)
        #expect(ends.output.hasSpaceAvailable)
        #expect(!ends.input.hasBytesAvailable)
        #expect(ends.write([1, 2, 3, 4, 5, 6]) == 4)
        #expect(!ends.output.hasSpaceAvailable)
        #expect(ends.input.hasBytesAvailable)
        var (start, length) = (UnsafeMutablePointer<UInt8>?.none, 0)
        #expect(!ends.input.getBuffer(&start, length: &length), "the buffer is not given out")
        #expect(ends.read(3) == [1, 2, 3])
        #expect(ends.write([5, 6, 7, 8]) == 3)
        #expect(ends.read(10) == [4, 5, 6, 7])
    }

    @Test func `what was written before the end is read`() {
        let ends = Ends(10)
        #expect(ends.write([1, 2]) == 2)
        ends.output.close()
        #expect(ends.write([3]) == -1)
        #expect(ends.read(1) == [1])
        #expect(ends.read(5) == [2])
        #expect(ends.read(5) == [])
        #expect(ends.read(5) == [])
    }

    @Test func `a reader that closes ends a write that waits`() async {
        let ends = Ends(1)
        #expect(ends.write([1]) == 1)
        async let written = concurrently { ends.write([2]) }
        ends.input.close()
        #expect(await written == -1)
        #expect(ends.output.streamStatus == .error)
        #expect(ends.output.streamError != nil)
        #expect(ends.read(1) == nil)
    }

    @Test func `closing the input ends a read that waits`() async {
        let ends = Ends(1)
        async let read = concurrently { ends.read(1) }
        ends.input.close()
        #expect(await read == nil)
    }

    @Test func `a producer that is gone without closing cuts the body off`() async {
        var streams: BoundStreams? = BoundStreams(bufferSize: 8)
        let input = streams?.inputStream
        streams?.outputStream.open()
        #expect(streams?.outputStream.write([1], maxLength: 1) == 1)
        streams = nil
        input?.open()
        var bytes: [UInt8] = [0, 0]
        #expect(input?.read(&bytes, maxLength: 2) == 1)
        #expect(input?.read(&bytes, maxLength: 2) == -1)
        #expect(input?.streamError != nil)
    }

    @Test func `neither end works before it is opened`() {
        let streams = BoundStreams(bufferSize: 0)
        var byte: UInt8 = 0
        #expect(streams.inputStream.streamStatus == .notOpen)
        #expect(streams.inputStream.read(&byte, maxLength: 1) == -1)
        #expect(streams.outputStream.write([1], maxLength: 1) == -1)
        streams.outputStream.open()
        streams.inputStream.open()
        #expect(streams.outputStream.write([1], maxLength: 1) == 1)
        #expect(streams.inputStream.read(&byte, maxLength: 1) == 1)
    }
}
