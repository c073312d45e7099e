import HTTPBasics
import NIOCore

/// One request as the machines see it: no Foundation, absolute URL, only the caller's own fields.
package struct ClientRequest: Hashable, Sendable {
    package var method: String
    package var url: URLReference
    /// The caller's fields; session-wide and default fields are added when the head is written.
    package var fields: Fields
    package var body: RequestBody?
    /// `httpShouldHandleCookies`: whether those of the session go along, and those of its answer are kept.
    package var handlesCookies = true

    /// A request with a body in memory, or none.
    package init(method: String = "GET", url: URLReference, fields: Fields = Fields(), body: ByteBuffer? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body.map { .bytes($0) }
    }
}
