#if !canImport(Darwin)
import Foundation
import Locks
import NIOCore

/// A body that grows on the loop and is taken once at the end. Its bound is the machine's (BEHAVIOUR 1.B3-limit).
final class BodyCollector: Sendable {
    private struct State {
        /// Full, in order; none of a body that fits into one.
        var former: [ByteBuffer] = []
        /// Grows in place, as far as a buffer can.
        var last = ByteBuffer()
    }

    private let state = Lock(State())
    private let keeps: Bool
    private let segmentBytes: Int

    /// - Parameters:
    ///   - keeps: False if the body will not be read.
    ///   - segmentBytes: What one buffer holds, unless it came larger; less than 4 GiB.
    init(keeps: Bool = true, segmentBytes: Int = 1 << 30) {
        self.keeps = keeps
        self.segmentBytes = segmentBytes
    }

    func append(_ more: ByteBuffer) {
        guard keeps else { return }
        state.withLock { state in
            if state.last.readableBytes == 0 {
                state.last = more
            } else if state.last.readableBytes + more.readableBytes > segmentBytes {
                state.former.append(state.last)
                state.last = more
            } else {
                state.last.writeImmutableBuffer(more)
            }
        }
    }

    /// The body so far, empty but never nil. One that takes several buffers is joined here, once; each goes as soon as
    /// its bytes are in the whole.
    func take() -> Data {
        var all = state.withLock { state in
            let all = state
            state = State()
            return all
        }
        guard !all.former.isEmpty else { return Data(sharing: all.last) }
        var whole = Data()
        whole.reserveCapacity(all.former.reduce(all.last.readableBytes) { $0 + $1.readableBytes })
        for index in all.former.indices {
            all.former[index].withUnsafeReadableBytes { whole.append(contentsOf: $0) }
            all.former[index] = ByteBuffer()
        }
        all.last.withUnsafeReadableBytes { whole.append(contentsOf: $0) }
        return whole
    }
}
#endif
