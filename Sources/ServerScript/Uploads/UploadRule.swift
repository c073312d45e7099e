/// How the server deals with uploads that may be continued (draft-ietf-httpbis-resumable-upload).
package enum Resumption: Hashable, Sendable {
    /// A 104 right behind the head of a request that offers it says where; what follows there is scripted like
    /// anything else.
    case announced(at: String)
    /// The server answers by itself, and keeps what it has got.
    case kept(UploadRule)

    /// The same on a server that has the script's paths below another one.
    func moved(below prefix: String) -> Resumption {
        switch self {
        case .announced(let location): return .announced(at: location.hasPrefix("/") ? prefix + location : location)
        case .kept(var rule):
            rule.prefix = prefix
            return .kept(rule)
        }
    }
}

/// Where a server keeps uploads, and which it takes.
package struct UploadRule: Hashable, Sendable {
    /// What the paths of its upload resources begin with. Requests for all other targets create uploads.
    package var below: String
    /// What stands before `below` in the paths that clients are told, and is gone when they ask.
    package var prefix = ""
    /// What every upload must come to; nil takes anything.
    package var content: Content?
    package var limits: UploadLimits

    package init(below: String, content: Content? = nil, limits: UploadLimits = UploadLimits()) {
        self.below = below
        self.content = content
        self.limits = limits
    }
}

/// What `Upload-Limit` tells (draft-ietf-httpbis-resumable-upload-05, 8.2), each in bytes; nil does not limit.
package struct UploadLimits: Hashable, Sendable {
    /// Of an upload: more is refused.
    package var maxSize: Int?
    /// Of an upload: one that is known to be smaller is taken, but cannot be continued.
    package var minSize: Int?
    /// Of a request that appends and says how long it is.
    package var maxAppendSize: Int?
    /// The same; the last one may be smaller.
    package var minAppendSize: Int?

    package init(maxSize: Int? = nil, minSize: Int? = nil, maxAppendSize: Int? = nil, minAppendSize: Int? = nil) {
        self.maxSize = maxSize
        self.minSize = minSize
        self.maxAppendSize = maxAppendSize
        self.minAppendSize = minAppendSize
    }

    /// The field's value; nil without any limit.
    var text: String? {
        let members = [
            ("max-size", maxSize), ("min-size", minSize), ("max-append-size", maxAppendSize),
            ("min-append-size", minAppendSize),
        ]
        let set = members.compactMap { name, size in size.map { "\(name)=\($0)" } }
        return set.isEmpty ? nil : set.joined(separator: ", ")
    }
}
