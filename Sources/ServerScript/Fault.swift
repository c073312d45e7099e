/// Something that goes wrong on purpose: where, and what.
package struct Fault: Hashable, Sendable {
    package var landmark: Landmark
    package var effect: Effect
    package var mark: SourceMark?

    package init(at landmark: Landmark, do effect: Effect, mark: SourceMark? = nil) {
        self.landmark = landmark
        self.effect = effect
        self.mark = mark
    }
}

/// A position in the life of a connection or an exchange (decision 4 of the scenario format).
package enum Landmark: Hashable, Sendable {
    case accept
    /// The request's head has been read, its body not.
    case requestHead
    /// This many bytes of the request's body have been read.
    case requestBody(Int)
    /// The whole request has been read, nothing sent.
    case request
    /// Before the informational answer of this index.
    case interim(Int)
    /// This many bytes of the status line are out.
    case statusLine(Int)
    /// This many bytes of the head are out.
    case head(Int)
    case headEnd
    /// This many bytes of the body are out (framing not counted).
    case body(Int)
    case end
    /// The exchange is over and the connection has been idle this long.
    case idle(Duration)
}

package enum Effect: Hashable, Sendable {
    /// Close in order: the client sees FIN.
    case fin
    /// Close with RST; what the client has not read yet is lost.
    case reset
    /// Nothing more is sent; the connection stays open.
    case stall
    /// FIN, but the server goes on reading.
    case halfClose
    /// Bytes that are not HTTP, then FIN.
    case garbage
    /// A pause, then things go on.
    case delay(Duration)
}
