import HTTPBasics

/// A request's fields as they go out, put together only where a kept response says that they matter (RFC 9111 4.1).
package struct SentFields: Hashable, Sendable {
    /// What the request says, and its session for it.
    let own: Fields
    /// What every request says that does not say something else.
    let defaults: Fields
    var cookies: String?
    var authorization: String?

    var all: Fields {
        var fields = own
        fields.fill(from: defaults)
        if let cookies { fields.set("Cookie", cookies) }
        if let authorization { fields.set("Authorization", authorization) }
        return fields
    }
}
