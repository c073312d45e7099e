import HTTPBasics
import NIOCore

/// What a request carries.
package enum RequestBody: Hashable, Sendable {
    case bytes(ByteBuffer)
    /// Read piece by piece on the caller's side, once.
    case stream(BodyStreamID)
    case file(BodyFile)
}

/// A file that is sent as it is, by its world: no byte of it passes through a machine.
package struct BodyFile: Hashable, Sendable {
    package let path: String
    /// So much of it is sent, whatever becomes of the file; nil until it is open.
    package var length: Int64?
    /// Where a continued upload goes on.
    package let start: Int64

    package init(path: String, length: Int64? = nil, start: Int64 = 0) {
        self.path = path
        self.length = length
        self.start = start
    }
}

/// One of a task's body streams, in the order in which they came: the request's own, those that a delegate provided.
package struct BodyStreamID: Hashable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }

    /// Not there yet: the delegate is asked for it before anything is sent (BEHAVIOUR 1.B5).
    package static let awaited = BodyStreamID(0)
    package static let first = BodyStreamID(1)
}

/// What a body stream gave when it was read.
package enum BodyPiece: Hashable, Sendable {
    case bytes(ByteBuffer)
    case end
    indirect case failed(String)
}

extension ClientRequest {
    /// No body, or one without a byte.
    var isBodyEmpty: Bool {
        switch body {
        case .bytes(let bytes): bytes.readableBytes == 0
        case .stream: false
        case .file(let file): file.length == file.start
        case nil: true
        }
    }

    /// How many body bytes there will be; nil for a stream whose length the caller's Content-Length does not tell
    /// (BEHAVIOUR 1.I1-stream), and for a file that is not open yet.
    package var bodyLength: Int64? {
        switch body {
        case .bytes(let bytes): Int64(bytes.readableBytes)
        case .stream: fields.first("Content-Length").flatMap { DecimalNumber.parse($0) }
        case .file(let file): file.length.map { max(0, $0 - file.start) }
        case nil: 0
        }
    }

    /// The body waits until the server has said that it wants it (BEHAVIOUR 1.I2-wait).
    var expectsContinue: Bool {
        !isBodyEmpty && (fields.first("Expect")?.equalsIgnoringCase("100-continue") ?? false)
    }
}
