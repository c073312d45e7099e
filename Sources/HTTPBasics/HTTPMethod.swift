/// What is known about request methods.
package enum HTTPMethod {
    /// RFC 9110 9.2.2: may be sent again when it is unknown whether the first try arrived. Names are case-sensitive.
    package static func isIdempotent(_ name: String) -> Bool {
        switch name {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": return true
        default: return false
        }
    }

    /// RFC 9110 9.2.1: asks for something and changes nothing.
    package static func isSafe(_ name: String) -> Bool {
        switch name {
        case "GET", "HEAD", "OPTIONS", "TRACE": return true
        default: return false
        }
    }

    /// A name as a request keeps it: GET, HEAD, POST, PUT, DELETE and CONNECT get their capitals, because callers write
    /// `get` and servers answer it with 501. Any other name stays (BEHAVIOUR 2.F19).
    package static func inUsualCase(_ name: String) -> String {
        usual.first { $0.equalsIgnoringCase(name) } ?? name
    }

    private static let usual = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]
}
