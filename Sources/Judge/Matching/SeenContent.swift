import HTTPBasics
import NIOCore
import ServerScript

/// Bytes that were seen: whole up to a bound, beyond it their count and a checksum.
package struct SeenContent: Hashable, Sendable {
    /// Larger bodies are told apart by checksum; only the message about the first difference gets poorer.
    package static let bound = 8 << 20

    package private(set) var prefix: [UInt8] = []
    package private(set) var count = 0
    /// Of all bytes, once there are more than `prefix` keeps.
    private var sum: Checksum?
    /// A recorded body comes with its checksum already computed.
    private var recordedSum: UInt64?

    package init() {}

    package var checksum: UInt64 { recordedSum ?? (sum ?? SeenContent.sum(of: prefix)).value }

    package init(_ bytes: some Sequence<UInt8>) {
        self.init()
        append(bytes)
    }

    /// A body as the server recorded it; none at all counts as empty.
    package init(_ recorded: RecordedBody?) {
        guard let recorded else { return }
        prefix = recorded.prefix
        count = recorded.count
        recordedSum = recorded.checksum
    }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ take($0) }) == nil {
            Array(bytes).withUnsafeBufferPointer { take($0) }
        }
    }

    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let room = SeenContent.bound - prefix.count
        if bytes.count > room {
            sum = sum ?? SeenContent.sum(of: prefix)
            sum?.update(ByteBuffer(bytes: bytes))
        }
        count += bytes.count
        prefix.append(contentsOf: bytes.prefix(room))
    }

    private static func sum(of bytes: [UInt8]) -> Checksum {
        var sum = Checksum()
        sum.update(ByteBuffer(bytes: bytes))
        return sum
    }

    /// Why these are not exactly the bytes that the script names; nil when they are.
    package func difference(from content: Content) -> String? {
        let wanted = ContentBytes(content)
        if let difference = prefixDifference(wanted) { return difference }
        if count != wanted.count { return "expected \(wanted.count.counting("byte")), got \(count)" }
        if prefix.count < count && checksum != wanted.checksum(first: count) {
            return "\(count.counting("byte")), as expected, but others, after byte \(prefix.count)"
        }
        return nil
    }

    /// Why these are not the beginning of the bytes that the script names.
    package func difference(fromPrefixOf content: Content) -> String? {
        let wanted = ContentBytes(content)
        if let difference = prefixDifference(wanted) { return difference }
        if count > wanted.count { return "expected at most \(wanted.count.counting("byte")), got \(count)" }
        if prefix.count < count && checksum != wanted.checksum(first: count) {
            return "\(count.counting("byte")), but others, after byte \(prefix.count)"
        }
        return nil
    }

    private func prefixDifference(_ wanted: ContentBytes) -> String? {
        guard let offset = wanted.firstDifference(from: prefix) else { return nil }
        let got = ContentBytes.printable(prefix[offset..<min(prefix.count, offset + 16)])
        let expected = ContentBytes.printable(wanted.bytes(offset..<min(wanted.count, offset + 16))[...])
        return "differs at byte \(offset): expected \(expected), got \(got) (\(count.counting("byte")) in all)"
    }
}
