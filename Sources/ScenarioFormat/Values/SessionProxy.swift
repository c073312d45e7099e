import ServerScript

/// `proxy:` of a session: which hosts of the script are its proxies, and how it is told of them.
package struct SessionProxy: Hashable, Sendable {
    package enum Telling: String, Hashable, Sendable, CaseIterable {
        case dictionary
        /// The older keys, which have no switch.
        case legacy
        /// Variables in small letters.
        case environment
        /// The same in capitals.
        case capitals
        /// The same as `environment`, and a dictionary without anything.
        case emptyDictionary = "empty-dictionary"
        /// A dictionary in which each is switched off.
        case disabled
    }

    package var http: String?
    package var https: String?
    package var socks: String?
    /// 4 or 5.
    package var socksVersion: Int?
    package var credentials: BasicCredentials?
    /// In place of those for `https`.
    package var secureCredentials: BasicCredentials?
    package var exceptions: [String]
    package var excludesSimpleNames: Bool
    package var form: Telling

    /// Not by a dictionary.
    package var isNamedByVariables: Bool { [.environment, .capitals, .emptyDictionary].contains(form) }

    package init(
        http: String? = nil, https: String? = nil, socks: String? = nil, socksVersion: Int? = nil,
        credentials: BasicCredentials? = nil, secureCredentials: BasicCredentials? = nil, exceptions: [String] = [],
        excludesSimpleNames: Bool = false,
        form: Telling = .dictionary
    ) {
        self.http = http
        self.https = https
        self.socks = socks
        self.socksVersion = socksVersion
        self.credentials = credentials
        self.secureCredentials = secureCredentials
        self.exceptions = exceptions
        self.excludesSimpleNames = excludesSimpleNames
        self.form = form
    }
}
