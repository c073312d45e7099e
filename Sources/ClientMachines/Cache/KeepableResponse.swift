/// An answer that may be kept, without its body, which comes behind it.
package struct KeepableResponse: Hashable, Sendable {
    package var response: StoredResponse
    package var key: CacheKey
    /// It does not go to disk.
    package var isForMemoryOnly = false

    package init(_ response: StoredResponse, for key: CacheKey, isForMemoryOnly: Bool = false) {
        (self.response, self.key, self.isForMemoryOnly) = (response, key, isForMemoryOnly)
    }
}
