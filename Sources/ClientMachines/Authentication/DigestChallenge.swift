import Digests
import HTTPBasics

/// What a server wants to be answered in the Digest scheme (RFC 7616 3.3).
package struct DigestChallenge: Hashable, Sendable {
    /// What the response protects besides the credential (`qop`).
    package enum QualityOfProtection: String, Hashable, Sendable {
        case request = "auth"
        case requestWithBody = "auth-int"
    }

    package let realm: String
    package let nonce: String
    package let opaque: String?
    package let function: HashFunction
    /// As the server writes it; nil if it names none, which means MD5.
    package let algorithm: String?
    /// The first response's nonces go into the key (`-sess`).
    package let isSession: Bool
    /// Nil for a server that knows the older form alone, without a count (RFC 2069).
    package let protection: QualityOfProtection?
    /// The credential was right, its nonce was not.
    package let isStale: Bool
    /// The user's name is sent as a hash.
    package let hidesUser: Bool
    /// Where the server can read names in UTF-8 (`charset`).
    package let isUTF8: Bool
    /// The paths that the credential is good for, of this origin; nil for all.
    package let paths: [String]?

    /// Nil where we cannot answer: an algorithm that we do not know, a protection that we do not know, no nonce. Such
    /// a challenge is passed over like one of an unknown scheme (BEHAVIOUR 2.A23).
    package init?(_ entry: AuthenticateHeader.Entry, at url: URLReference) {
        guard let nonce = entry["nonce"] else { return nil }
        algorithm = entry["algorithm"]
        var name = algorithm?.lowercased() ?? "md5"
        isSession = name.hasSuffix("-sess")
        if isSession { name.removeLast("-sess".count) }
        switch name {
        case "md5": function = .md5
        case "sha-256": function = .sha256
        case "sha-512-256": function = .sha512t256
        default: return nil
        }
        guard function.isAvailable else { return nil }
        let offered = entry["qop"]?.listMembers.map { $0.trimmingWhitespace.lowercased() } ?? []
        protection = [.request, .requestWithBody].first { offered.contains($0.rawValue) }
        if protection == nil, !offered.isEmpty { return nil }
        realm = entry["realm"] ?? ""
        self.nonce = nonce
        opaque = entry["opaque"]
        isStale = entry["stale"]?.equalsIgnoringCase("true") ?? false
        hidesUser = entry["userhash"]?.equalsIgnoringCase("true") ?? false
        isUTF8 = entry["charset"]?.equalsIgnoringCase("UTF-8") ?? false
        paths = entry["domain"].flatMap { Self.paths($0, at: url) }
    }

    /// What a `domain` names outside of this origin does not count: what lets a caller in goes nowhere else
    /// (BEHAVIOUR 1.C3-credential).
    private static func paths(_ domain: String, at url: URLReference) -> [String]? {
        let places = domain.split(separator: " ").prefix(AuthenticateHeader.limit)
        let found = places.compactMap { place -> String? in
            guard let target = URLReference(String(place))?.resolved(against: url), target.origin == url.origin
            else { return nil }
            return target.path.isEmpty ? "/" : target.path
        }
        return places.isEmpty ? nil : found
    }
}
