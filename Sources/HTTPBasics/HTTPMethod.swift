/// What is known about request methods.
package enum HTTPMethod {
    /// RFC 9110 9.2.2: may be sent again when nobody knows whether the first try arrived. Names are case-sensitive.
    package static func isIdempotent(_ name: String) -> Bool {
        switch name {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": return true
        default: return false
        }
    }
}
