import HTTPBasics
import NIOCore

/// Undoes the chunked transfer coding (RFC 9112 7.1), one byte at a time outside the data, so that nothing needs to be
/// kept of a size line that arrives in pieces.
struct ChunkedReader {
    enum Event {
        case data(ByteBuffer)
        case needsInput
        case end
        case failed(WireFailure)
    }

    private enum Phase {
        /// Before and within the digits of a size line.
        case size
        /// An empty line stands where a size should: only its line feed may follow.
        case emptyLineFeed
        /// After the digits: blanks, an extension or the line end.
        case afterSize
        case chunkExtension
        case sizeLineFeed
        case data
        case dataReturn, dataLineFeed
        case trailers
        case ended
    }

    private var phase = Phase.size
    private var size = DeclaredLength.zero
    private var digits = 0
    private var lineBytes = 0
    private var trailerBytes = 0
    /// Nothing but CRs so far.
    private var isTrailerLineEmpty = true

    init() {}

    mutating func next(from input: inout ReceivedBytes, limits: WireLimits) -> Event {
        while true {
            if phase == .data {
                guard let slice = input.take(atMost: size.clamped(to: .max)) else { return .needsInput }
                size = size.dropping(DeclaredLength(counted: slice.readableBytes))
                if size == .zero { phase = .dataReturn }
                return .data(slice)
            }
            if phase == .ended { return .end }
            guard input.count > 0 else { return .needsInput }
            let (used, failure) = input.front.withUnsafeReadableBytes { readFraming($0, limits: limits) }
            input.drop(used)
            if let failure { return .failed(failure) }
        }
    }

    /// Everything but data, up to the next data, the end, or the end of `bytes`.
    private mutating func readFraming(
        _ bytes: UnsafeRawBufferPointer, limits: WireLimits
    ) -> (used: Int, failure: WireFailure?) {
        var index = 0
        while index < bytes.count, phase != .data, phase != .ended {
            if phase == .chunkExtension { index += skipExtension(bytes[index...], limits) }
            guard index < bytes.count else { break }
            let failure = phase == .trailers ? trailer(bytes[index], limits) : framing(bytes[index], limits)
            index += 1
            if let failure { return (index, failure) }
        }
        return (index, nil)
    }

    /// An extension's bytes before its line end, at most as many as the line may still have. Skipped whole, also when
    /// empty (BEHAVIOUR 2.I26).
    private mutating func skipExtension(_ rest: Slice<UnsafeRawBufferPointer>, _ limits: WireLimits) -> Int {
        let line = rest.prefix(max(0, limits.chunkLineBytes - lineBytes))
        let length = (line.firstIndex(of: ASCII.lineFeed) ?? line.endIndex) - line.startIndex
        lineBytes += length
        return length
    }

    private mutating func framing(_ byte: UInt8, _ limits: WireLimits) -> WireFailure? {
        lineBytes += 1
        if lineBytes > limits.chunkLineBytes { return .chunkLineTooLong }
        switch phase {
        case .size:
            return sizeByte(byte)
        case .emptyLineFeed:
            guard byte == ASCII.lineFeed else { return .badChunkSize }
            phase = .size
        case .afterSize:
            return afterSizeByte(byte)
        case .chunkExtension:
            if byte == ASCII.lineFeed { endSizeLine() }
        case .sizeLineFeed:
            guard byte == ASCII.lineFeed else { return .badChunkSize }
            endSizeLine()
        case .dataReturn:
            if byte == ASCII.lineFeed {
                beginSizeLine()
            } else if byte == ASCII.carriageReturn {
                phase = .dataLineFeed
            } else {
                return .badChunkEnd
            }
        case .dataLineFeed:
            guard byte == ASCII.lineFeed else { return .badChunkEnd }
            beginSizeLine()
        case .data, .trailers, .ended:
            break
        }
        return nil
    }

    private mutating func sizeByte(_ byte: UInt8) -> WireFailure? {
        if let digit = ASCII.hexValue(byte) {
            digits += 1
            // Sixteen digits hold any size; 2.I28 refuses more, also when they are zeros.
            guard digits <= 16, size.append(digit: digit, radix: 16) else { return .badChunkSize }
            return nil
        }
        guard digits == 0 else {
            phase = .afterSize
            return afterSizeByte(byte)
        }
        // Extra line ends before a size are harmless, anything else is not (BEHAVIOUR 2.I24, 2.I27).
        if byte == ASCII.carriageReturn {
            phase = .emptyLineFeed
        } else if byte != ASCII.lineFeed {
            return .badChunkSize
        }
        return nil
    }

    private mutating func afterSizeByte(_ byte: UInt8) -> WireFailure? {
        switch byte {
        case ASCII.space, ASCII.tab: break
        case ASCII.semicolon: phase = .chunkExtension
        case ASCII.carriageReturn: phase = .sizeLineFeed
        // BEHAVIOUR 2.I25.
        case ASCII.lineFeed: endSizeLine()
        default: return .badChunkSize
        }
        return nil
    }

    /// Behind data, which has used the size before up.
    private mutating func beginSizeLine() {
        phase = .size
        digits = 0
        lineBytes = 0
    }

    private mutating func endSizeLine() {
        phase = size == .zero ? .trailers : .data
        lineBytes = 0
    }

    /// Trailers have nowhere to go: the fields were delivered before the body (BEHAVIOUR 2.I30).
    private mutating func trailer(_ byte: UInt8, _ limits: WireLimits) -> WireFailure? {
        trailerBytes += 1
        if trailerBytes > limits.trailerBytes { return .trailersTooLarge }
        if byte == ASCII.lineFeed {
            if isTrailerLineEmpty { phase = .ended }
            isTrailerLineEmpty = true
        } else if byte != ASCII.carriageReturn {
            isTrailerLineEmpty = false
        }
        return nil
    }
}
