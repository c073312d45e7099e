import HTTPBasics
import NIOCore

/// Fields of every request of a session, with the lines that they are in most heads: worked out once.
package struct StandingFields: Equatable, Sendable {
    package let fields: Fields
    /// For requests that have nothing to say to them; without those that a request writes itself.
    let lines: ByteBuffer

    package init(_ fields: Fields = Fields()) {
        self.fields = fields
        lines = RequestWriter.lines(of: fields)
    }
}
