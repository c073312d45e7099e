import HTTPBasics

/// How a final response's body ends, and what that means for its connection (RFC 9112 6.3).
struct BodyFraming: Equatable {
    enum Extent: Equatable {
        case none
        case length(DeclaredLength)
        case chunked
        case untilClose
    }

    var extent: Extent
    /// What Content-Length says, where that is the size of the representation; also for HEAD and 304.
    var declaredLength: DeclaredLength?
    var closeReason: CloseReason?

    /// What of the request decides.
    struct RequestMethod: Equatable {
        let isHead: Bool
        let isConnect: Bool

        init(_ method: String = "") {
            isHead = method == "HEAD"
            isConnect = method == "CONNECT"
        }
    }

    static func decide(
        for method: RequestMethod, _ statusLine: StatusLine, _ fields: FramingFields
    ) -> Result<BodyFraming, WireFailure> {
        let persistence = fields.persistenceReason(minorVersion: statusLine.minorVersion)
        let length = fields.length.usable
        // A body is impossible here, even if the fields announce one (BEHAVIOUR 2.I32).
        if statusLine.status == 101 {
            return .success(BodyFraming(extent: .none, closeReason: .protocolSwitched))
        }
        if method.isConnect && 200...299 ~= statusLine.status {
            return .success(BodyFraming(extent: .none, closeReason: .tunnelOpened))
        }
        if method.isHead || statusLine.status == 204 || statusLine.status == 304 {
            let declared = fields.isChunked ? nil : length
            return .success(BodyFraming(extent: .none, declaredLength: declared, closeReason: persistence))
        }
        guard fields.codingsAreKnown else { return .failure(.unknownTransferCoding) }
        if fields.isChunked {
            // BEHAVIOUR 2.I23; RFC 9112 6.1 distrusts both combinations.
            let doubt: CloseReason? =
                fields.length != .absent
                ? .lengthBesideChunks : statusLine.minorVersion == 0 ? .chunkedInOldVersion : nil
            return .success(BodyFraming(extent: .chunked, closeReason: doubt ?? persistence))
        }
        if fields.hasTransferCoding {
            return .success(BodyFraming(extent: .untilClose, closeReason: .closeDelimited))
        }
        switch fields.length {
        case .absent:
            return .success(BodyFraming(extent: .untilClose, closeReason: .closeDelimited))
        case .unusable:
            // Even where the head says that the connection ends (BEHAVIOUR 2.I17, 2.I18).
            return .failure(.unusableLength)
        case .conflicting:
            return .failure(.conflictingLengths)
        case .value(let value):
            return .success(
                BodyFraming(extent: .length(value), declaredLength: value, closeReason: persistence))
        }
    }
}

/// What the fields of one head say about framing and reuse, read from the bytes without making strings.
struct FramingFields {
    enum Length: Equatable {
        case absent
        case value(DeclaredLength)
        /// Not a number, negative, or too large.
        case unusable
        /// Two different numbers (BEHAVIOUR 2.I16).
        case conflicting

        var usable: DeclaredLength? {
            guard case .value(let value) = self else { return nil }
            return value
        }
    }

    private(set) var length = Length.absent
    /// `chunked` is the last transfer coding.
    private(set) var isChunked = false
    /// The others are ones that `ContentDecoder` undoes, at most two (BEHAVIOUR 2.I31).
    private(set) var codingsAreKnown = true
    /// Of every Transfer-Encoding, empty ones too.
    private var members = 0
    private var compressions = 0
    private var hasClose = false
    private var hasKeepAlive = false

    var hasTransferCoding: Bool { isChunked || compressions > 0 }

    init(_ lines: [FieldBlock.Line], in bytes: UnsafeRawBufferPointer) {
        for line in lines {
            let name = Int(line.name.lowerBound)..<Int(line.name.upperBound)
            let value = Int(line.value.lowerBound)..<Int(line.value.upperBound)
            switch name.count {
            case 10 where ByteScan.equals(name, "connection", in: bytes): addConnection(value, in: bytes)
            case 14 where ByteScan.equals(name, "content-length", in: bytes): addLength(value, in: bytes)
            // Proxies of old say only this (BEHAVIOUR 2.A39-again).
            case 16 where ByteScan.equals(name, "proxy-connection", in: bytes): addProxyConnection(value, in: bytes)
            case 17 where ByteScan.equals(name, "transfer-encoding", in: bytes): addCodings(value, in: bytes)
            default: continue
            }
        }
    }

    /// RFC 9112 9.3.
    func persistenceReason(minorVersion: UInt8) -> CloseReason? {
        if hasClose { return .connectionClose }
        return minorVersion == 0 && !hasKeepAlive ? .oldVersion : nil
    }

    private mutating func addConnection(_ value: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        ByteScan.forEachMember(of: value, in: bytes) { member in
            if ByteScan.equals(member, "close", in: bytes) { hasClose = true }
            if ByteScan.equals(member, "keep-alive", in: bytes) { hasKeepAlive = true }
        }
    }

    private mutating func addProxyConnection(_ value: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        ByteScan.forEachMember(of: value, in: bytes) { member in
            if ByteScan.equals(member, "close", in: bytes) { hasClose = true }
        }
    }

    /// Equal values are one value (BEHAVIOUR 2.I15), none at all is 0 (BEHAVIOUR 2.I19).
    private mutating func addLength(_ value: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        var isEmpty = true
        ByteScan.forEachMember(of: value, in: bytes) { member in
            isEmpty = false
            combine(Self.number(member, in: bytes))
        }
        if isEmpty { combine(0) }
    }

    private mutating func combine(_ number: DeclaredLength?) {
        switch (length, number) {
        case (_, nil): length = .unusable
        case (.absent, let number?): length = .value(number)
        case (.value(let old), let number?) where old != number: length = .conflicting
        case (.value, _), (.unusable, _), (.conflicting, _): break
        }
    }

    private static func number(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> DeclaredLength? {
        var number = DeclaredLength.zero
        for byte in bytes[range] {
            guard ASCII.isDigit(byte), let digit = ASCII.hexValue(byte), number.append(digit: digit, radix: 10)
            else { return nil }
        }
        return number
    }

    private mutating func addCodings(_ value: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        members += 1 + bytes[value].count { $0 == ASCII.comma }
        // Of a longer list `ContentDecoder` does not see every member (`listMembers`).
        if members > String.mostListCuts { codingsAreKnown = false }
        ByteScan.forEachMember(of: value, in: bytes) { member in
            var end = member.lowerBound
            while end < member.upperBound, bytes[end] != ASCII.semicolon { end += 1 }
            let coding = ByteScan.trimmed(member.lowerBound..<end, in: bytes)
            if ByteScan.equals(coding, "identity", in: bytes) { return }
            // RFC 9112 6.1: chunked comes once, and last.
            if isChunked { codingsAreKnown = false }
            if ByteScan.equals(coding, "chunked", in: bytes) {
                isChunked = true
                // It has no parameters (RFC 9112 7.1).
                if end < member.upperBound { codingsAreKnown = false }
                return
            }
            compressions += 1
            let isKnown =
                ByteScan.equals(coding, "gzip", in: bytes) || ByteScan.equals(coding, "x-gzip", in: bytes)
                || ByteScan.equals(coding, "deflate", in: bytes)
            if !isKnown || compressions > 2 { codingsAreKnown = false }
        }
    }
}
