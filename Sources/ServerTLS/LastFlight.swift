import NIOCore
import TLSBasics

/// What a server says when the client is through, as records.
struct LastFlight {
    private struct Record {
        /// How many bytes of the flight are out when it is.
        let end: Int
        let isProtected: Bool
    }

    let bytes: ByteBuffer
    private var records: [Record] = []
    /// Whether all is protected from the beginning: in TLS 1.3, and where the server's part was the first of the two,
    /// so that nothing is left to say.
    private let isProtected: Bool

    /// In TLS 1.2 a record of the type 20 says that what follows is protected (RFC 5246 7.1).
    private static let changeOfKeys: UInt8 = 20

    init(_ bytes: ByteBuffer, _ version: TLSVersion) {
        self.bytes = bytes
        isProtected = version == .tls13 || bytes.readableBytes == 0
        var rest = bytes
        var isProtected = isProtected
        while let type = rest.readInteger(as: UInt8.self), rest.readSlice(length: 2) != nil,
            let length = rest.readInteger(as: UInt16.self), rest.readSlice(length: Int(length)) != nil
        {
            records.append(Record(end: bytes.readableBytes - rest.readableBytes, isProtected: isProtected))
            isProtected = isProtected || type == Self.changeOfKeys
        }
    }

    var count: Int { bytes.readableBytes }

    /// Where a record of another kind may stand that comes behind so many bytes: a record is not to be divided.
    func border(from offset: Int) -> Int {
        offset == 0 ? 0 : records.first { $0.end >= offset }?.end ?? count
    }

    /// How many protected records are not out there; nil where what comes next is in clear.
    func unsent(behind border: Int) -> UInt64? {
        guard isProtected(behind: border) else { return nil }
        return UInt64(records.count { $0.isProtected && $0.end > border })
    }

    private func isProtected(behind border: Int) -> Bool {
        guard !isProtected else { return true }
        guard border > 0 else { return false }
        return records.first { $0.end > border }?.isProtected ?? true
    }
}
