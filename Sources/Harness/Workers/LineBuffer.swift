/// Cuts a stream of bytes into lines; a line that grows beyond the bound is given up.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var scanned = 0
    private let bound: Int

    init(bound: Int = 64 << 20) { self.bound = bound }

    var isOverfull: Bool { bytes.count > bound }

    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// The next whole line without its newline.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[scanned...].firstIndex(of: 10) else {
            scanned = bytes.count
            return nil
        }
        let line = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        scanned = 0
        return line
    }

    /// What is left when the stream is over.
    var rest: [UInt8] { bytes }
}

/// The last lines of a worker's standard error.
struct TextTail {
    private var bytes: [UInt8] = []
    static let bound = 8192

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
        if bytes.count > 2 * TextTail.bound { bytes.removeFirst(bytes.count - TextTail.bound) }
    }

    mutating func clear() { bytes.removeAll() }

    var lines: [String] {
        let text = String(decoding: bytes.suffix(TextTail.bound), as: UTF8.self)
        return text.split(separator: "\n").suffix(20).map(String.init)
    }
}
