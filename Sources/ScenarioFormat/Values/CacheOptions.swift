/// `cache:` of a session: where it keeps answers. Sessions of scenarios keep none unless they say so.
package struct CacheOptions: Hashable, Sendable {
    /// Nil: as much as a cache has by default.
    package var memoryCapacity: Int?
    /// Nil: nothing is kept on disk.
    package var diskCapacity: Int?
    /// It is a subclass, which is asked and told, and answers and keeps so much later.
    package var answersAfter: Duration?

    package init(memoryCapacity: Int? = nil, diskCapacity: Int? = nil, answersAfter: Duration? = nil) {
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.answersAfter = answersAfter
    }

    /// `disk`: on disk alone, as much as the shared cache has.
    package static let onDisk = CacheOptions(memoryCapacity: 0, diskCapacity: 20 << 20)
}
