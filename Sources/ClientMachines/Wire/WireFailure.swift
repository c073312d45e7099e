import MachineContract

/// One case for each way in which a response can fail on the wire.
package enum WireFailure: String, Error, Hashable, Sendable, CaseIterable {
    // Bytes that cannot be HTTP/1.x
    case notHTTP, unsupportedVersion, badStatusLine
    case nulInHead, foldWithoutField, headTooLarge, tooManyFields, tooManyInformationalResponses
    case conflictingLengths, unusableLength, unknownTransferCoding
    case badChunkSize, badChunkEnd, chunkLineTooLong, trailersTooLarge
    // A connection that ends too early
    case emptyReply, connectionLostInHead, connectionLostInBody
    // Bytes before any question
    case unsolicitedBytes

    /// By the general rule under table I: impossible bytes, an early end and an undecodable coding differ.
    package var kind: Failure.Kind {
        switch self {
        case .notHTTP, .unsupportedVersion, .badStatusLine, .nulInHead, .foldWithoutField, .headTooLarge,
            .tooManyFields, .tooManyInformationalResponses, .conflictingLengths, .unusableLength, .badChunkSize,
            .badChunkEnd, .chunkLineTooLong, .trailersTooLarge:
            return .cannotParseResponse
        case .unknownTransferCoding:
            return .cannotDecodeRawData
        case .emptyReply, .connectionLostInHead, .connectionLostInBody, .unsolicitedBytes:
            return .networkConnectionLost
        }
    }

    /// Nothing of an answer came, and perhaps only because the connection had gone stale (BEHAVIOUR 1.E1).
    package var isUnanswered: Bool { self == .emptyReply || self == .unsolicitedBytes }

    package var blame: Blame {
        switch self {
        case .emptyReply, .connectionLostInHead, .connectionLostInBody: return .environment
        default: return .peer
        }
    }

    /// One sentence for people.
    package var detail: String {
        switch self {
        case .notHTTP: return "The response does not begin with an HTTP status line."
        case .unsupportedVersion: return "The response is not in HTTP/1.x."
        case .badStatusLine: return "The status line has no three-digit status from 100 to 999."
        case .nulInHead: return "The response's head contains a NUL byte."
        case .foldWithoutField: return "The first line after the status line continues a field that does not exist."
        case .headTooLarge: return "The response's head is larger than the limit."
        case .tooManyFields: return "The response has more fields than the limit."
        case .tooManyInformationalResponses: return "There are more informational responses than the limit."
        case .conflictingLengths: return "The response states two different values of Content-Length."
        case .unusableLength: return "Content-Length is no number that fits, and the connection stays open."
        case .unknownTransferCoding: return "The response uses a Transfer-Encoding that cannot be undone."
        case .badChunkSize: return "A chunk's size is not a hexadecimal number that fits."
        case .badChunkEnd: return "A chunk's data is not followed by a line end."
        case .chunkLineTooLong: return "A chunk-size line is longer than the limit."
        case .trailersTooLarge: return "The trailers are larger than the limit."
        case .emptyReply: return "The connection ended before any byte of the response."
        case .connectionLostInHead: return "The connection ended inside the response's head."
        case .connectionLostInBody: return "The connection ended before the response's body was complete."
        case .unsolicitedBytes: return "The server had sent bytes on the idle connection before the request."
        }
    }
}
