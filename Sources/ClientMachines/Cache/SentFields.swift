import HTTPBasics

/// A request's fields as they go out, put together only where they are compared (RFC 9111 4.1).
package struct SentFields: Hashable, Sendable {
    /// Its own, and those that its session adds.
    let own: Fields
    /// What goes out where none of these has that name.
    let defaults: Fields
    var cookies: SecretText?
    var authorization: SecretText?

    var all: Fields {
        var fields = own
        fields.fill(from: defaults)
        if let cookies { fields.set("Cookie", cookies.text) }
        if let authorization { fields.set("Authorization", authorization.text) }
        return fields
    }
}
