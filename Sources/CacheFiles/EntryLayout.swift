import HTTPBasics

/// Where things lie in the file of one entry; all numbers are little-endian.
///
///     8  "usCache2"
///     4  the key's length
///     4  checksum over everything else up to the end of the key
///     8  the body's length
///     8  seconds, when it was stored
///     8  the tag
///        key
///        body
///     4  checksum of each block of 64 KiB; the last one may be shorter
///        heads, each behind its number (4), its length (4) and its checksum (4): the last whole one counts
///
/// The opening is written last of all, before the file gets its name. A new head goes behind the old one, which counts
/// until the new one is whole.
struct EntryLayout: Hashable, Sendable {
    static let blockBytes = 64 * 1024
    static let checksumBytes = 4
    static let openingBytes = 40
    static let recordBytes = 12
    /// Of a key, of one head, and of all heads that one file may have.
    static let maximumKey = 64 * 1024
    static let maximumHead = 1 << 20
    static let maximumHeads = 4 << 20
    /// No file is larger: sums of places in it do not overflow, and the checksums of its blocks take 64 MiB at most.
    static let maximumFile: Int64 = 1 << 40
    private static let magic = Array("usCache2".utf8)
    /// Places for checksums that are no number of a block.
    private static let openingPlace = UInt64.max
    private static let firstRecordPlace: UInt64 = 1 << 62

    var key: [UInt8]
    var bodyLength: Int64
    var stored: UnixTime
    var tag: UInt64

    var bodyStart: Int64 { Int64(Self.openingBytes + key.count) }

    var blocks: Int64 { (bodyLength + Int64(Self.blockBytes) - 1) / Int64(Self.blockBytes) }

    var checksumsStart: Int64 { bodyStart + bodyLength }

    /// Where the first head is.
    var recordsStart: Int64 { checksumsStart + blocks * Int64(Self.checksumBytes) }

    func start(ofBlock block: Int64) -> Int64 { bodyStart + block * Int64(Self.blockBytes) }

    func end(ofBlock block: Int64) -> Int64 { min(start(ofBlock: block + 1), checksumsStart) }

    func length(ofBlock block: Int64) -> Int { Int(end(ofBlock: block) - start(ofBlock: block)) }

    // MARK: - Opening

    var opening: [UInt8] {
        var bytes = Self.magic
        bytes.append(number: UInt32(truncatingIfNeeded: key.count))
        bytes.append(number: UInt32(0))
        bytes.append(number: UInt64(bitPattern: bodyLength))
        bytes.append(number: UInt64(bitPattern: stored.seconds))
        bytes.append(number: tag)
        bytes += key
        let checksum = Self.checksum(ofOpening: bytes, tag: tag)
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(12..<16, with: $0) }
        return bytes
    }

    /// The opening of a file, and its key, among its first bytes.
    enum OpeningRead: Equatable {
        case whole(EntryLayout)
        /// So many bytes are needed to tell.
        case needs(Int)
        case damaged
    }

    static func read(_ start: [UInt8], fileLength: Int64) -> OpeningRead {
        guard fileLength >= Int64(openingBytes + recordBytes), fileLength <= maximumFile else { return .damaged }
        guard start.count >= openingBytes else { return .needs(openingBytes) }
        let keyLength = Int(start.number(at: 8, as: UInt32.self))
        let bodyLength = Int64(bitPattern: start.number(at: 16, as: UInt64.self))
        guard start[..<8].elementsEqual(magic), keyLength <= maximumKey, (0...fileLength).contains(bodyLength) else {
            return .damaged
        }
        let end = openingBytes + keyLength
        guard Int64(end) <= fileLength else { return .damaged }
        guard start.count >= end else { return .needs(end) }
        let layout = EntryLayout(
            key: Array(start[openingBytes..<end]), bodyLength: bodyLength,
            stored: UnixTime(seconds: Int64(bitPattern: start.number(at: 24, as: UInt64.self))),
            tag: start.number(at: 32, as: UInt64.self))
        var bytes = Array(start[..<end])
        bytes.replaceSubrange(12..<16, with: [0, 0, 0, 0])
        guard checksum(ofOpening: bytes, tag: layout.tag) == start.number(at: 12, as: UInt32.self) else {
            return .damaged
        }
        let heads = fileLength - layout.recordsStart
        return (Int64(recordBytes)...Int64(maximumHeads)).contains(heads) ? .whole(layout) : .damaged
    }

    private static func checksum(ofOpening bytes: [UInt8], tag: UInt64) -> UInt32 {
        bytes.withUnsafeBytes { BlockChecksum.of($0, tag: tag, place: openingPlace) }
    }

    // MARK: - Body

    func checksum(ofBlock block: Int64, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        BlockChecksum.of(bytes, tag: tag, place: UInt64(bitPattern: block))
    }

    /// Whether bytes are those that were written.
    ///
    /// - Parameter checksums: Of all blocks, as they lie in the file.
    func isWhole(_ block: Int64, _ bytes: UnsafeRawBufferPointer, _ checksums: [UInt8]) -> Bool {
        checksum(ofBlock: block, bytes) == checksums.number(at: Int(block) * Self.checksumBytes, as: UInt32.self)
    }

    // MARK: - Heads

    /// The head that counts, and where the next one goes.
    struct LastHead: Hashable, Sendable {
        var head: [UInt8]
        var number: UInt32
        /// From the start of the first one.
        var end: Int
    }

    func record(_ head: [UInt8], number: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.recordBytes + head.count)
        bytes.append(number: number)
        bytes.append(number: UInt32(truncatingIfNeeded: head.count))
        bytes.append(number: head.withUnsafeBytes { checksum(ofRecord: number, $0) })
        return bytes + head
    }

    /// - Parameter bytes: From the first head to the end of the file. What a writer left unfinished there is none.
    func lastHead(in bytes: ArraySlice<UInt8>) -> LastHead? {
        var last: LastHead?
        var rest = bytes
        while rest.count >= Self.recordBytes {
            let number = rest.number(at: 0, as: UInt32.self)
            let length = Int(rest.number(at: 4, as: UInt32.self))
            guard number == (last.map { $0.number &+ 1 } ?? 0), length <= rest.count - Self.recordBytes else { break }
            let head = rest.dropFirst(Self.recordBytes).prefix(length)
            let found = head.withUnsafeBytes { checksum(ofRecord: number, $0) }
            guard found == rest.number(at: 8, as: UInt32.self) else { break }
            rest = rest.dropFirst(Self.recordBytes + length)
            last = LastHead(head: Array(head), number: number, end: rest.startIndex - bytes.startIndex)
        }
        return last
    }

    private func checksum(ofRecord number: UInt32, _ head: UnsafeRawBufferPointer) -> UInt32 {
        BlockChecksum.of(head, tag: tag, place: Self.firstRecordPlace + UInt64(number))
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// - Parameter offset: From the first byte; the number must lie within.
    func number<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int, as kind: Number.Type) -> Number {
        var number: Number = 0
        for place in 0..<MemoryLayout<Number>.size {
            number |= Number(truncatingIfNeeded: self[startIndex + offset + place]) << (8 * place)
        }
        return number
    }
}
