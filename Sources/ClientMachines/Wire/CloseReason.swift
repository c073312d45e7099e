/// Why a connection is not used again although its response was complete.
package enum CloseReason: String, Hashable, Sendable, CaseIterable {
    case connectionClose, oldVersion
    case closeDelimited, lengthBesideChunks, chunkedInOldVersion
    case surplusBytes, peerClosed
    case protocolSwitched, tunnelOpened

    /// One sentence for people.
    package var detail: String {
        switch self {
        case .connectionClose: return "The server asked for it with Connection: close."
        case .oldVersion: return "The server speaks HTTP/1.0 and did not offer keep-alive."
        case .closeDelimited: return "Only the end of the connection marked the end of the body."
        case .lengthBesideChunks: return "Content-Length stood beside a chunked body, so its end is in doubt."
        case .chunkedInOldVersion: return "An HTTP/1.0 response was chunked, which that version does not know."
        case .surplusBytes: return "Bytes that were not asked for followed the end of the response."
        case .peerClosed: return "The server has closed its side."
        case .protocolSwitched: return "The connection went over to another protocol (status 101)."
        case .tunnelOpened: return "The connection became a tunnel (answer to CONNECT)."
        }
    }
}
