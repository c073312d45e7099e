/// `cache:` of a session: where it keeps answers. Sessions of scenarios keep none unless they say so.
package struct CacheOptions: Hashable, Sendable {
    /// Nil: as much as a cache has by default.
    package var memoryCapacity: Int?
    /// It is a subclass, which is asked and told, and answers and keeps so much later.
    package var answersAfter: Duration?

    package init(memoryCapacity: Int? = nil, answersAfter: Duration? = nil) {
        self.memoryCapacity = memoryCapacity
        self.answersAfter = answersAfter
    }
}
