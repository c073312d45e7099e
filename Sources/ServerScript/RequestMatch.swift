import HTTPBasics

/// Conditions on a request; each that fails appears in the near-miss diff.
package struct RequestMatch: Hashable, Sendable {
    package enum FieldRule: Hashable, Sendable {
        case equals(String)
        case present
        case contains(String)
        case matches(TextPattern)
    }

    package struct NamedRule: Hashable, Sendable {
        package var name: String
        package var rule: FieldRule

        package init(_ name: String, _ rule: FieldRule) {
            self.name = name
            self.rule = rule
        }
    }

    package enum BodyRule: Hashable, Sendable {
        case none
        case equals(Content)
        case prefix(of: Content)
        case contains(String)
        case matches(TextPattern)
        /// The same value, however it is written.
        case json(JSONValue)
        /// The same value, with more members in its objects perhaps.
        case jsonSubset(JSONValue)
        /// A form of `application/x-www-form-urlencoded` in which these items are.
        case form([ItemRule])
        /// In lower-case hexadecimal digits.
        case sha256(String)
    }

    /// What is demanded of the items of one name, in a query or a form.
    package struct ItemRule: Hashable, Sendable {
        package enum ItemDemand: Hashable, Sendable {
            /// These, in order, and no others.
            case values([String])
            case none
            /// One of them is like this.
            case some(FieldRule)
        }

        package var name: String
        package var demand: ItemDemand

        package init(_ name: String, _ demand: ItemDemand) {
            self.name = name
            self.demand = demand
        }
    }

    /// Nil matches any method.
    package var method: String?
    /// Path with query, compared as sent; nil matches any target. A final `*` matches any rest, and the path may have
    /// captures (`PathPattern`).
    package var target: String?
    /// The items of the query, in any order and with others between them; then `target` is without one.
    package var query: [ItemRule]?
    /// Of HTTP/1.
    package var minorVersion: Int?
    /// The connections of a round count from 1, in the order of their first requests.
    package var connection: Int?
    /// The requests of a connection count from 1.
    package var exchange: Int?
    /// Of the script's named values and counters.
    package var state: [StateRule] = []
    package var fields: [NamedRule]
    package var absent: [String]
    /// The Authorization field must carry exactly these Basic credentials.
    package var basic: BasicCredentials?
    /// The Authorization field must prove this in the Digest scheme.
    package var digest: DigestRule?
    /// The Authorization field must carry this message of NTLM.
    package var ntlm: NTLMRule?
    /// The Authorization field must carry this token of Negotiate.
    package var negotiate: NegotiateRule?
    package var body: BodyRule?
    package var multipart: MultipartRule?
    /// The body must be the part of this that Content-Range names; then it counts as stored under the target.
    package var sliceOf: Content?
    /// Every byte of the target has come in slices before.
    package var isWhole: Bool

    package init(
        _ method: String? = nil, _ target: String? = nil, fields: [NamedRule] = [], absent: [String] = [],
        basic: BasicCredentials? = nil, digest: DigestRule? = nil, ntlm: NTLMRule? = nil, body: BodyRule? = nil,
        multipart: MultipartRule? = nil,
        sliceOf: Content? = nil, isWhole: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.absent = absent
        self.basic = basic
        self.digest = digest
        self.ntlm = ntlm
        self.body = body
        self.multipart = multipart
        self.sliceOf = sliceOf
        self.isWhole = isWhole
    }
}

/// A user name and a password as a script writes them.
package struct BasicCredentials: Hashable, Sendable {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// The parts that a `multipart/form-data` body must have, in order and none besides (RFC 7578).
package struct MultipartRule: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var name: String
        package var filename: String?
        package var type: String?
        package var content: Content?
        /// In bytes.
        package var size: Int?
        /// Of its content, in lower-case hexadecimal digits.
        package var sha256: String?

        package init(
            name: String, filename: String? = nil, type: String? = nil, content: Content? = nil, size: Int? = nil,
            sha256: String? = nil
        ) {
            self.name = name
            self.filename = filename
            self.type = type
            self.content = content
            self.size = size
            self.sha256 = sha256
        }
    }

    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }
}
