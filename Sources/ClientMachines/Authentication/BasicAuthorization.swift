import HTTPBasics

/// RFC 7617.
package enum BasicAuthorization {
    /// The value of an Authorization field, in UTF-8 whether or not the challenge asks for it: ASCII is the same in
    /// every charset that a server could expect. A colon in the user name cannot be expressed; it is sent as it is.
    package static func fieldValue(_ credential: Credential) -> String {
        "Basic " + Base64.encode(Array("\(credential.user):\(credential.password)".utf8))
    }
}
