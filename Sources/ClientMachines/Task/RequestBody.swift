import HTTPBasics
import NIOCore

/// What a request carries.
package enum RequestBody: Hashable, Sendable {
    case bytes(ByteBuffer)
    /// Read piece by piece on the caller's side, once.
    case stream(BodyStreamID)
}

/// One of a task's body streams: the request's own is the first, each that a delegate provides gets the next number.
package struct BodyStreamID: Hashable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }

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
        case nil: true
        }
    }

    /// How many body bytes there will be; nil for a stream whose length the caller's Content-Length does not tell
    /// (BEHAVIOUR 1.I1-stream).
    package var bodyLength: Int64? {
        switch body {
        case .bytes(let bytes): Int64(bytes.readableBytes)
        case .stream: fields.first("Content-Length").flatMap { DecimalNumber.parse($0) }
        case nil: 0
        }
    }
}
