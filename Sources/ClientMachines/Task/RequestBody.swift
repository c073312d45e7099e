import HTTPBasics
import NIOCore

/// What a request carries.
package enum RequestBody: Hashable, Sendable {
    case bytes(ByteBuffer)
    /// Read piece by piece on the caller's side, once.
    case stream(BodyStreamID)
    /// What follows this offset of a file that is not open yet. When it is, it becomes `composed`.
    case file(BodyFile, from: Int64 = 0)
    case composed(ComposedBody)

    /// It is open before a connection is asked for.
    var firstFile: BodyFile? {
        switch self {
        case .bytes, .stream: nil
        case .file(let file, _): file
        case .composed(let body): body.firstFile
        }
    }

    /// Those of a body whose files are known to be there.
    var files: [BodyFile] { if case .composed(let body) = self { body.files } else { [] } }
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
        case .stream, .file: false
        case .composed(let body): body.length == 0
        case nil: true
        }
    }

    /// How many body bytes there will be; nil for a stream whose length the caller's Content-Length does not tell
    /// (BEHAVIOUR 1.I1-stream), and for a file that is not open yet, unless its version is fixed.
    package var bodyLength: DeclaredLength? {
        switch body {
        case .bytes(let bytes): DeclaredLength(counted: bytes.readableBytes)
        case .stream: fields.first("Content-Length").flatMap { DeclaredLength(parsing: $0) }
        case .file(let file, let start): file.version.flatMap { DeclaredLength($0.size - start) }
        case .composed(let body): DeclaredLength(body.length)
        case nil: .zero
        }
    }

    /// The whole body, if it lies in memory.
    var bytesAtHand: ByteBufferView? {
        switch body {
        case .bytes(let bytes): bytes.readableBytesView
        case nil: []
        case .stream, .file, .composed: nil
        }
    }

    /// The body waits until the server has said that it wants it (BEHAVIOUR 1.I2-wait).
    var expectsContinue: Bool {
        !isBodyEmpty && (fields.first("Expect")?.equalsIgnoringCase("100-continue") ?? false)
    }
}
