import HTTPBasics
import NIOCore
import Testing

@testable import Simulator

/// How much may be on its way in one direction.
@Suite struct PipeTests {
    private let pipe = Pipe()

    private func enter(_ count: Int) { pipe.enter(ByteBuffer(repeating: 7, count: count), due: .zero) }

    @Test func `a full pipe takes nothing until its reader has made room worth speaking of`() {
        enter(60_000)
        enter(10)
        enter(Pipe.capacity - 60_010)
        #expect(pipe.free == 0)
        _ = pipe.take(now: .zero)
        #expect(pipe.free == 60_000)
        enter(60_000)
        _ = pipe.take(now: .zero)
        #expect(pipe.free == 0, "ten bytes are not worth a window")
        _ = pipe.take(now: .zero)
        #expect(pipe.free == 0)
        _ = pipe.take(now: .zero)
        #expect(pipe.free == Pipe.capacity, "an empty pipe has room for everything")
    }

    @Test func `what was offered before stays offered`() {
        enter(60_000)
        #expect(pipe.free == Pipe.capacity - 60_000)
        enter(1000)
        #expect(pipe.free == Pipe.capacity - 61_000)
    }
}
