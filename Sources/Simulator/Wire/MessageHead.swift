import HTTPBasics

/// What the wire's observer needs of a head, line by line. An own parser: the judge shares none with the judged.
///
/// Anything out of the ordinary is refused: then it is unknown what lies where, and nothing is judged.
struct MessageHead: Equatable {
    enum Start: Equatable {
        case request(method: String, target: String)
        case status(Int)
    }

    /// Nil until the first line has been seen, and for anything that is neither.
    private(set) var start: Start?
    /// A content coding other than identity: what the user gets differs from the wire.
    private(set) var isCoded = false
    private(set) var isEmpty = true
    private var isOdd = false
    /// What the fields say of the body; nil while they say nothing.
    private var announced: MessageFraming?
    private var isAmbiguous = false

    /// The next line, without its CRLF, and not the empty one at the end.
    mutating func take(_ line: UnsafeRawBufferPointer) {
        if isEmpty {
            isEmpty = false
            start = Self.start(line)
        } else if let colon = line.firstIndex(of: ASCII.colon), colon > 0,
            line[..<colon].allSatisfy(ASCII.isTokenCharacter)
        {
            note(name: line[..<colon], value: Self.trimmed(line[(colon + 1)...]))
        } else {
            isOdd = true
        }
    }

    private mutating func note(name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>) {
        // Most fields are none of our business, and their length says so at once.
        switch name.count {
        case 14 where Self.isEqual(name, "content-length"): announce(Self.number(value).map(MessageFraming.length))
        case 17 where Self.isEqual(name, "transfer-encoding"): announce(Self.isEqual(value, "chunked") ? .chunked : nil)
        case 16 where Self.isEqual(name, "content-encoding"): isCoded = isCoded || !Self.isEqual(value, "identity")
        default: break
        }
    }

    private mutating func announce(_ framing: MessageFraming?) {
        if announced != nil || framing == nil { isAmbiguous = true }
        announced = framing
    }

    /// Whether every line was a start line or a field.
    var isSound: Bool { start != nil && !isOdd }

    /// RFC 9112 6, as far as it is beyond doubt; nil otherwise. `fallback` is what no length at all means.
    func framing(fallback: MessageFraming) -> MessageFraming? { isAmbiguous ? nil : announced ?? fallback }
}

/// How the end of a body is found.
enum MessageFraming: Equatable {
    case length(Int)
    case chunked
    case untilClose
}

// MARK: - Reading a line

extension MessageHead {
    private static func start(_ line: UnsafeRawBufferPointer) -> Start? {
        guard !line.contains(ASCII.carriageReturn) else { return nil }
        return hasVersion(line[...]) ? status(line) : request(line)
    }

    /// `HTTP/1.x CODE`, with or without a phrase.
    private static func status(_ line: UnsafeRawBufferPointer) -> Start? {
        guard line.count >= 12, line[8] == ASCII.space, line.count == 12 || line[12] == ASCII.space else { return nil }
        return number(line[9..<12]).map(Start.status)
    }

    /// `METHOD TARGET HTTP/1.x`.
    private static func request(_ line: UnsafeRawBufferPointer) -> Start? {
        guard let first = line.firstIndex(of: ASCII.space), first > 0,
            let second = line[(first + 1)...].firstIndex(of: ASCII.space), second > first + 1,
            hasVersion(line[(second + 1)...]), !line[(second + 1)...].contains(ASCII.space)
        else { return nil }
        return .request(
            method: String(decoding: line[..<first], as: UTF8.self),
            target: String(decoding: line[(first + 1)..<second], as: UTF8.self))
    }

    private static func hasVersion(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.prefix(7).elementsEqual("HTTP/1.".utf8)
    }

    /// Without regard to case; `text` is in lower case.
    private static func isEqual(_ bytes: Slice<UnsafeRawBufferPointer>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return zip(bytes, UnsafeBufferPointer(start: text.utf8Start, count: bytes.count)).allSatisfy {
            ASCII.lowercased($0) == $1
        }
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isBlank = { (byte: UInt8) in byte == ASCII.space || byte == ASCII.tab }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) } ?? start
        return start == bytes.endIndex ? bytes[start...] : bytes[start...end]
    }

    /// Digits only; nil when there are none, or too many.
    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard !bytes.isEmpty else { return nil }
        var number = 0
        for byte in bytes {
            let (tens, isLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(Int(byte) - 48)
            guard ASCII.isDigit(byte), !isLarge, !isLarger else { return nil }
            number = sum
        }
        return number
    }
}
