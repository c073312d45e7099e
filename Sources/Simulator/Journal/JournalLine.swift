import HTTPBasics
import NIOCore

/// Writes one line of the journal: plain, stable text without addresses, reflection or anything per process.
final class JournalLine {
    private static let excerptBytes = 48

    /// What one end of a connection sends, as its actor knows it.
    private struct Stream: Hashable {
        var actor: SimulatedActor
        var number: UInt64
    }

    /// How far the logins are of clients that may speak SOCKS.
    private var logins: [Stream: SocksLogin] = [:]
    private var author = SimulatedActor.caller

    var bytes: [UInt8] = []
    /// The case's directory, which differs from run to run and is written as `$directory`.
    var directory = ""

    @discardableResult
    func text(_ text: String) -> JournalLine {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
        return self
    }

    @discardableResult
    func text(_ text: StaticString) -> JournalLine {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        return self
    }

    @discardableResult
    func number(_ number: some BinaryInteger) -> JournalLine {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(UInt64(number.magnitude), atLeast: 1)
        return self
    }

    /// Seconds with nine decimals.
    @discardableResult
    func time(_ instant: Instant) -> JournalLine {
        let nanoseconds = UInt64(clamping: instant.nanoseconds)
        digits(nanoseconds / 1_000_000_000, atLeast: 1)
        bytes.append(UInt8(ascii: "."))
        digits(nanoseconds % 1_000_000_000, atLeast: 9)
        return self
    }

    @discardableResult
    func actor(_ actor: SimulatedActor) -> JournalLine {
        author = actor
        switch actor {
        case .caller: text("caller")
        case .server: text("server")
        case .network: text("network")
        case .clientLoop(let session): text("client").number(session)
        case .delegateQueue(let session): text("delegate").number(session)
        case .bodyReader(let session): text("body").number(session)
        }
        return self
    }

    /// Text from outside without its secrets, quoted, on one line and bounded.
    @discardableResult
    func quoted(_ text: String) -> JournalLine {
        var text = Secrets.shown(text)
        if !directory.isEmpty, text.contains(directory) { text = text.replacing(directory, with: "$directory") }
        text.withUTF8 { escaped(UnsafeRawBufferPointer($0), limit: 256) }
        return self
    }

    /// What a client has sent on a connection: without the password of a SOCKS login, too.
    @discardableResult
    func excerpt(_ buffer: ByteBuffer, ofClientOn connection: some BinaryInteger) -> JournalLine {
        let stream = Stream(actor: author, number: UInt64(clamping: connection))
        let login = logins[stream] ?? SocksLogin()
        if !login.isOver {
            var next = login
            _ = next.secrets(in: buffer.readableBytesView)
            logins[stream] = next
        }
        return excerpt(buffer, login)
    }

    /// The number of bytes and how they begin, without what fields with secrets hold.
    @discardableResult
    func excerpt(_ buffer: ByteBuffer, _ login: SocksLogin = .over) -> JournalLine {
        let beginning = buffer.readableBytesView.prefix(Self.excerptBytes)
        var wire = WireText(login: login)
        number(buffer.readableBytes).text("B \"").text(wire.text(beginning, limit: Self.excerptBytes))
        text(beginning.count < buffer.readableBytes ? "\"..." : "\"")
        return self
    }

    func end() { bytes.append(ASCII.lineFeed) }

    private func escaped(_ raw: UnsafeRawBufferPointer, limit: Int) {
        bytes.append(ASCII.quote)
        for byte in raw.prefix(limit) {
            switch byte {
            case ASCII.quote, UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 32...126: bytes.append(byte)
            case ASCII.carriageReturn: text("\\r")
            case ASCII.lineFeed: text("\\n")
            default:
                text("\\x")
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            }
        }
        bytes.append(ASCII.quote)
        if raw.count > limit { text("...") }
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 48 + nibble : 87 + nibble }

    private func digits(_ number: UInt64, atLeast width: Int) {
        var divisor: UInt64 = 1
        var length = 1
        while length < 20, number / divisor >= 10 {
            divisor *= 10
            length += 1
        }
        for _ in stride(from: length, to: width, by: 1) { bytes.append(48) }
        while divisor > 0 {
            bytes.append(48 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
