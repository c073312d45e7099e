/// A URI reference, RFC 3986: absolute, or relative to a base.
///
/// Components are kept exactly as written (no decoding, no case change), so that a URL survives a round trip.
package struct URLReference: Hashable, Sendable, CustomStringConvertible {
    package var scheme: String?
    /// `user:password`, still percent-encoded; never sent on the wire (BEHAVIOUR A20).
    package var userInformation: String?
    /// Without brackets for an IPv6 literal; nil when there is no authority at all.
    package var host: String?
    package var port: Int?
    package var path: String
    package var query: String?
    package var fragment: String?

    package init(
        scheme: String? = nil, userInformation: String? = nil, host: String? = nil, port: Int? = nil,
        path: String = "", query: String? = nil, fragment: String? = nil
    ) {
        self.scheme = scheme
        self.userInformation = userInformation
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    package var description: String { "" }
}
