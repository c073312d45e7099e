/// The cache of a session.
extension CaseDecoder {
    func cacheOptions(_ node: SourceNode) -> CacheOptions? {
        if node.plain == "memory" { return CacheOptions() }
        if node.plain == "disk" { return .onDisk }
        guard let map = session.map(node, .sessionCache) else { return nil }
        return CacheOptions(
            memoryCapacity: map.bytes("memory"), diskCapacity: map.bytes("disk"),
            answersAfter: map.duration("answers-after"))
    }
}
