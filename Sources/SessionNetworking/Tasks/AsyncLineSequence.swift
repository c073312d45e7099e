#if !canImport(Darwin)
/// The lines of a sequence of UTF-8 bytes, without their ends.
///
/// A line ends at LF, CR, CR LF, VT, FF, NEL, or the Unicode line or paragraph separator; as on Apple's platforms,
/// empty lines are left out. Bytes that are not UTF-8 become U+FFFD. A line may be as long as the body: bound the
/// body, or read bytes, where the server is not trusted.
public struct AsyncLineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
    /// One line without its end.
    public typealias Element = String
    let base: Base

    init(_ base: Base) { self.base = base }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// Iterates over the lines.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private var line: [UInt8] = []
        private var isAtEnd = false

        init(base: Base.AsyncIterator) { self.base = base }

        /// The next line that is not empty, nil at the end.
        public mutating func next() async throws -> String? {
            while !isAtEnd {
                guard let byte = try await base.next() else {
                    isAtEnd = true
                    break
                }
                line.append(byte)
                guard let end = lineEndLength else { continue }
                line.removeLast(end)
                if let text = takeLine() { return text }
            }
            return takeLine()
        }

        /// How many bytes at the end of `line` form a line end; CR LF yields an empty line in between, left out.
        private var lineEndLength: Int? {
            switch line.last {
            case 0x0A, 0x0B, 0x0C, 0x0D: return 1
            case 0x85 where line.count > 1 && line[line.count - 2] == 0xC2: return 2
            case 0xA8 where line.suffix(3).elementsEqual([0xE2, 0x80, 0xA8]): return 3
            case 0xA9 where line.suffix(3).elementsEqual([0xE2, 0x80, 0xA9]): return 3
            default: return nil
            }
        }

        private mutating func takeLine() -> String? {
            guard !line.isEmpty else { return nil }
            defer { line.removeAll(keepingCapacity: true) }
            return String(decoding: line, as: UTF8.self)
        }
    }
}

extension AsyncLineSequence: Sendable where Base: Sendable {}

extension AsyncSequence where Self.Element == UInt8 {
    /// The lines of these bytes, decoded as UTF-8; empty lines are left out.
    public var lines: AsyncLineSequence<Self> { AsyncLineSequence(self) }
}
#endif
