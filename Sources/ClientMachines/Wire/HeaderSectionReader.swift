import HTTPBasics
import NIOCore

/// Finds the status line and the fields of one head, over bytes that may still be growing.
///
/// Each byte is looked at once, however the head is split. Nothing is copied: what is found are offsets. Only a head
/// with folded lines or bare CRs is written anew, at its end.
struct HeaderSectionReader {
    enum Outcome: Equatable {
        case incomplete
        /// The head ends after this many bytes.
        case complete(length: Int)
        case failed(WireFailure)
    }

    /// What a continuation line would continue.
    private enum Previous { case nothing, field, skippedLine }

    private(set) var statusLine: StatusLine?
    private(set) var lines: [FieldBlock.Line] = []
    /// Some value contains a line end (a fold) or a bare CR.
    private(set) var needsRewriting = false
    private var position = 0
    private var lineStart = 0
    /// Carriage returns seen in the current line.
    private var returns = 0
    private var previous = Previous.nothing

    /// `bytes` begins with the head, and with the same bytes as in the calls before.
    mutating func read(_ bytes: UnsafeRawBufferPointer, limits: WireLimits) -> Outcome {
        if position < 8, let refusal = StatusLine.refusal(ofPrefix: bytes) { return .failed(refusal) }
        // A smaller window than what is there makes the outcome independent of how the head was split.
        let limit = min(max(0, limits.headBytes), Int(Int32.max))
        let window = min(bytes.count, limit)
        while let found = ByteScan.firstControl(in: bytes, from: position, to: window) {
            position = found &+ 1
            switch bytes[found] {
            case 0:
                return .failed(.nulInHead)
            case ASCII.carriageReturn:
                returns &+= 1
            case ASCII.lineFeed:
                let outcome = endLine(at: found, in: bytes, limits: limits)
                if outcome != .incomplete { return outcome }
            default:
                continue
            }
        }
        position = max(position, window)
        return bytes.count >= limit ? .failed(.headTooLarge) : .incomplete
    }

    /// A line ends with CRLF or with a bare LF (BEHAVIOUR 2.I3).
    private mutating func endLine(at lineFeed: Int, in bytes: UnsafeRawBufferPointer, limits: WireLimits) -> Outcome {
        let hasReturn = lineFeed > lineStart && bytes[lineFeed &- 1] == ASCII.carriageReturn
        let line = lineStart..<(hasReturn ? lineFeed &- 1 : lineFeed)
        let hasBareReturn = returns > (hasReturn ? 1 : 0)
        lineStart = lineFeed &+ 1
        returns = 0
        if statusLine == nil {
            statusLine = StatusLine(line, in: bytes)
            if statusLine == nil { return .failed(.badStatusLine) }
            lines.reserveCapacity(12)
            return .incomplete
        }
        if line.isEmpty { return .complete(length: lineStart) }
        if ByteScan.isBlank(bytes[line.lowerBound]) { return fold(line, in: bytes) }
        guard let field = Self.field(line, in: bytes) else {
            previous = .skippedLine
            return .incomplete
        }
        guard lines.count < limits.fieldCount else { return .failed(.tooManyFields) }
        lines.append(field)
        previous = .field
        // RFC 9112 2.2: a bare CR is an error or a space; here a space (BEHAVIOUR 2.I5).
        if hasBareReturn { needsRewriting = true }
        return .incomplete
    }

    /// obs-fold (RFC 9112 5.2): the line goes on with the field before it (BEHAVIOUR 2.I8, 2.I9).
    private mutating func fold(_ line: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Outcome {
        switch previous {
        case .nothing:
            return .failed(.foldWithoutField)
        case .skippedLine:
            return .incomplete
        case .field:
            let content = ByteScan.trimmed(line, in: bytes)
            guard !content.isEmpty, let last = lines.indices.last else { return .incomplete }
            let value = lines[last].value
            if value.isEmpty {
                lines[last].value = Int32(content.lowerBound)..<Int32(content.upperBound)
            } else {
                lines[last].value = value.lowerBound..<Int32(content.upperBound)
            }
            needsRewriting = true
            return .incomplete
        }
    }

    /// Nil for a line that is no field: without colon or with an impossible name (BEHAVIOUR 2.I4, 2.I6). Blanks between
    /// name and colon are dropped (BEHAVIOUR 2.I11), as are those around the value (BEHAVIOUR 2.I10).
    private static func field(_ line: Range<Int>, in bytes: UnsafeRawBufferPointer) -> FieldBlock.Line? {
        var index = line.lowerBound
        while index < line.upperBound, isNameByte(bytes[index]) { index &+= 1 }
        let nameEnd = index
        while index < line.upperBound, ByteScan.isBlank(bytes[index]) { index &+= 1 }
        guard nameEnd > line.lowerBound, index < line.upperBound, bytes[index] == ASCII.colon else { return nil }
        let value = ByteScan.trimmed(index &+ 1..<line.upperBound, in: bytes)
        return FieldBlock.Line(name: line.lowerBound..<nameEnd, value: value)
    }

    /// A token, and any byte beyond US-ASCII (BEHAVIOUR 2.I37).
    @inline(__always)
    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 97 < 26 || byte == 45 || byte >= 128 || ASCII.isTokenCharacter(byte)
    }

    /// The fields in fresh bytes: each fold, with the blanks around it, and each bare CR has become one space.
    func rewritten(_ bytes: UnsafeRawBufferPointer) -> (bytes: ByteBuffer, lines: [FieldBlock.Line]) {
        var fresh = ByteBufferAllocator().buffer(capacity: bytes.count)
        let moved = lines.map { line in
            let start = fresh.writerIndex
            fresh.writeBytes(bytes[Int(line.name.lowerBound)..<Int(line.name.upperBound)])
            let middle = fresh.writerIndex
            Self.writeOneLine(Int(line.value.lowerBound)..<Int(line.value.upperBound), of: bytes, to: &fresh)
            return FieldBlock.Line(name: start..<middle, value: middle..<fresh.writerIndex)
        }
        return (fresh, moved)
    }

    private static func writeOneLine(_ value: Range<Int>, of bytes: UnsafeRawBufferPointer, to fresh: inout ByteBuffer)
    {
        var index = value.lowerBound
        while index < value.upperBound {
            // A run of blanks and line ends: one space when it holds a line end, else as it is, CR as space.
            var end = index
            var hasLineFeed = false
            while end < value.upperBound, ByteScan.isBlank(bytes[end]) || ASCII.isLineEnd(bytes[end]) {
                hasLineFeed = hasLineFeed || bytes[end] == ASCII.lineFeed
                end += 1
            }
            if hasLineFeed {
                fresh.writeInteger(ASCII.space)
            } else {
                for byte in bytes[index..<end] { fresh.writeInteger(byte == ASCII.carriageReturn ? ASCII.space : byte) }
            }
            index = end
            while end < value.upperBound, !ByteScan.isBlank(bytes[end]), !ASCII.isLineEnd(bytes[end]) { end += 1 }
            fresh.writeBytes(bytes[index..<end])
            index = end
        }
    }
}
