import NIOCore

/// A body that is put together from memory and from ranges of files. It can be sent as often as need be, and no byte
/// of its files passes through a machine.
package struct ComposedBody: Hashable, Sendable {
    package private(set) var stretches: [BodyStretch] = []
    /// Bytes of all stretches together.
    package private(set) var length: Int64 = 0

    package init(_ stretches: [BodyStretch] = []) {
        for stretch in stretches { append(stretch) }
    }

    /// Short stretches of memory that follow one another become one: each costs a write.
    private static let mergedBytes = 16 * 1024

    package mutating func append(_ stretch: BodyStretch) {
        length += stretch.count
        guard case .bytes(let bytes) = stretch else { return stretches.append(stretch) }
        guard case .bytes(var last)? = stretches.last, last.readableBytes + bytes.readableBytes <= Self.mergedBytes
        else { return stretches.append(stretch) }
        // Taken out, so that it has one owner and grows in place.
        stretches.removeLast()
        last.writeImmutableBuffer(bytes)
        stretches.append(.bytes(last))
    }

    var firstFile: BodyFile? {
        for case .file(let file, _) in stretches { return file }
        return nil
    }

    var files: [BodyFile] {
        stretches.compactMap { if case .file(let file, _) = $0 { file } else { nil } }
    }

    /// What is left without so many bytes at the beginning. No file is forgotten: it still has to be as it was.
    package func dropFirst(_ count: Int64) -> ComposedBody {
        var rest = ComposedBody()
        var dropped = max(0, count)
        for stretch in stretches {
            let left = stretch.dropFirst(min(dropped, stretch.count))
            dropped -= stretch.count - left.count
            switch left {
            case .bytes, .memory: if left.count == 0 { continue }
            case .file: break
            }
            rest.append(left)
        }
        return rest
    }
}

package enum BodyStretch: Hashable, Sendable {
    case bytes(ByteBuffer)
    /// These bytes of the caller's memory, copied when they are sent.
    case memory(BodyMemory, Range<Int64>)
    /// These bytes of a file. An empty range still asks for the file to be as it was.
    case file(BodyFile, Range<Int64>)

    package var count: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.readableBytes)
        case .memory(_, let range), .file(_, let range): range.upperBound - range.lowerBound
        }
    }

    /// - Parameter count: At most that of its bytes.
    func dropFirst(_ count: Int64) -> BodyStretch {
        switch self {
        case .bytes(var bytes):
            bytes.moveReaderIndex(forwardBy: Int(count))
            return .bytes(bytes)
        case .memory(let memory, let range): return .memory(memory, range.lowerBound + count..<range.upperBound)
        case .file(let file, let range): return .file(file, range.lowerBound + count..<range.upperBound)
        }
    }
}

/// A place in a composed body, between what was sent or read of it and what was not.
package struct BodyCursor: Equatable, Sendable {
    private let stretches: [BodyStretch]
    private var index = 0
    /// Bytes of the present stretch that are behind this place.
    private var offset: Int64 = 0

    package init(_ body: ComposedBody) { stretches = body.stretches }

    /// What is left of the present stretch; nil at the end of the body.
    package var stretch: BodyStretch? { index < stretches.count ? stretches[index].dropFirst(offset) : nil }

    /// Goes on by bytes of the present stretch, and behind its last one to the next stretch.
    package mutating func advance(by count: Int) {
        offset += Int64(count)
        guard index < stretches.count, offset >= stretches[index].count else { return }
        index += 1
        offset = 0
    }
}
