import HTTPBasics

/// A kept response, and its number among those that the cache has offered.
package struct KeptCandidate: Hashable, Sendable {
    var index: Int
    var response: StoredResponse
}

/// How far a request has come with its cache.
enum CachePhase: Equatable {
    /// Nobody was asked yet.
    case unasked
    /// The server is asked, and not whether anything kept is still right.
    case loads
    /// The server is asked whether it is, with these fields.
    indirect case validates(KeptCandidate, Fields)
    /// It answers the request, confirmed by the server or not.
    indirect case answers(KeptCandidate, isConfirmed: Bool)

    var isAnswered: Bool { if case .answers = self { true } else { false } }

    var condition: Fields? {
        if case .validates(_, let fields) = self { return fields }
        return nil
    }
}

/// What a cache is told about a task.
package enum CacheAction: Hashable, Sendable {
    /// The answer that comes now may be kept: what is told of its body from here on belongs to it.
    ///
    /// - isAsked: Whether the delegate has a word before it is.
    indirect case collect(KeepableResponse, isAsked: Bool)
    /// It is whole: keep it.
    case keep
    /// It is not to be kept after all.
    case drop
    /// What was offered under this number was confirmed, and reads so from now on.
    indirect case freshen(index: Int, StoredResponse, for: CacheKey)
    /// What was kept before this answer is out of date.
    indirect case outdate(OutdatingAnswer)
    /// These are out of date.
    case forget([CacheKey])
}
