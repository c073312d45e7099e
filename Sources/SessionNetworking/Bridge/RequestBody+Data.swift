#if !canImport(Darwin)
import ClientMachines
import Foundation
import NIOCore

extension RequestBody {
    /// From here on a body is not copied when its task is made, but piece by piece while it is sent.
    private static let largeBytes = 16 * 1024 * 1024

    /// A body in memory, of any size.
    init(_ data: Data) {
        guard data.count >= Self.largeBytes else {
            self = .bytes(ByteBuffer(bytes: data))
            return
        }
        let large = LargeBody(data)
        self = .composed(ComposedBody([.memory(BodyMemory(large), 0..<large.count)]))
    }
}

extension ComposedBody {
    /// The caller's own data, where the body is nothing but that.
    var largeData: Data? {
        guard stretches.count == 1, case .memory(let memory, let range)? = stretches.first,
            range == 0..<memory.bytes.count
        else { return nil }
        return (memory.bytes as? LargeBody)?.data
    }
}

private final class LargeBody: BodyBytes {
    let data: Data

    init(_ data: Data) { self.data = data }

    var count: Int64 { Int64(data.count) }

    func copy(_ range: Range<Int64>) -> ByteBuffer {
        data.withUnsafeBytes { bytes in
            let part = range.clamped(to: 0..<Int64(bytes.count))
            return ByteBuffer(bytes: bytes[Int(part.lowerBound)..<Int(part.upperBound)])
        }
    }
}
#endif
