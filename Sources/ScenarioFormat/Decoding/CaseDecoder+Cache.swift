/// The cache of a session.
extension CaseDecoder {
    func cacheOptions(_ node: SourceNode) -> CacheOptions? {
        if node.plain == "memory" { return CacheOptions() }
        guard let map = session.map(node, .sessionCache) else { return nil }
        return CacheOptions(memoryCapacity: map.bytes("memory"), answersAfter: map.duration("answers-after"))
    }
}
