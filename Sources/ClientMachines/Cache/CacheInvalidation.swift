import HTTPBasics

/// Which kept responses an answer makes wrong (RFC 9111 4.4).
package enum CacheInvalidation {
    /// What is of another origin is left out: nobody may empty another's cache.
    package static func keys(_ method: String, _ url: URLReference, status: Int, fields: Fields) -> [CacheKey] {
        guard !HTTPMethod.isSafe(method), 200...399 ~= status else { return [] }
        var urls = [url]
        for name in ["Location", "Content-Location"] {
            guard let text = fields.first(name)?.trimmingWhitespace, !text.isEmpty,
                let reference = URLReference(String(text))
            else { continue }
            let target = reference.resolved(against: url)
            if target.origin == url.origin { urls.append(target) }
        }
        return urls.compactMap { CacheKey($0) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
