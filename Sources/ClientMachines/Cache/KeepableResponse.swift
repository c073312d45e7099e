import HTTPBasics

/// An answer that may be kept, without its body, which comes behind it.
package struct KeepableResponse: Hashable, Sendable {
    package var response: StoredResponse
    package var key: CacheKey
    /// When its request set out, by the machine's clock; nil if nobody knows.
    package var asked: Instant?
    /// It does not go to disk.
    package var isForMemoryOnly = false

    package init(
        _ response: StoredResponse, for key: CacheKey, asked: Instant? = nil, isForMemoryOnly: Bool = false
    ) {
        (self.response, self.key, self.asked, self.isForMemoryOnly) = (response, key, asked, isForMemoryOnly)
    }
}
