#if !canImport(Darwin)
extension URLCache {
    /// Where an answer may be stored.
    public enum StoragePolicy: UInt, Sendable {
        /// On disk and in memory.
        case allowed = 0
        /// In memory only.
        case allowedInMemoryOnly = 1
        /// Nowhere.
        case notAllowed = 2
    }
}
#endif
