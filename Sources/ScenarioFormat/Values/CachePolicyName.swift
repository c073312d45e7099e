/// A `URLRequest.CachePolicy`, by its name.
package enum CachePolicyName: String, Hashable, Sendable, CaseIterable {
    case useProtocolCachePolicy, reloadIgnoringLocalCacheData, returnCacheDataElseLoad, returnCacheDataDontLoad,
        reloadIgnoringLocalAndRemoteCacheData, reloadRevalidatingCacheData
}
