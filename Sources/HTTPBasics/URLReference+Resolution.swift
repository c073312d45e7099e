extension URLReference {
    /// The target of this reference seen from `base`, RFC 3986 5.2.2 (strict: a scheme always means absolute).
    package func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if host != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.userInformation = base.userInformation
        target.host = base.host
        target.port = base.port
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.removingDotSegments(path)
        } else {
            target.path = Self.removingDotSegments(mergedPath(with: base))
        }
        return target
    }

    /// RFC 3986 5.2.3.
    private func mergedPath(with base: URLReference) -> String {
        if base.host != nil, base.path.isEmpty { return "/" + path }
        // As bytes: a Character may be the slash together with combining marks behind it.
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return Substring(base.path.utf8[...slash]) + path
    }

    /// RFC 3986 5.2.4, in one walk: each segment is copied, skipped, or takes the last copied one away.
    static func removingDotSegments(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        let slash = UInt8(ascii: "/")
        let input = Array(path.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        var start = 0
        while start < input.count {
            // A segment here is its leading slash, if any, and what follows up to the next slash.
            let hasSlash = input[start] == slash
            let nameStart = hasSlash ? start + 1 : start
            let end = input[nameStart...].firstIndex(of: slash) ?? input.count
            let isLast = end == input.count
            switch dots(input[nameStart..<end]) {
            case 1:
                if hasSlash, isLast { output.append(slash) }
            case 2:
                if hasSlash { output.removeSubrange((output.lastIndex(of: slash) ?? 0)...) }
                if hasSlash, isLast { output.append(slash) }
            default:
                output += input[start..<end]
            }
            // Without a leading slash ("./a", "../a") the slash goes together with the dots (rule A).
            start = !hasSlash && dots(input[nameStart..<end]) > 0 && !isLast ? end + 1 : end
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// 1 for ".", 2 for "..", 0 for every other segment.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
        segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") } ? segment.count : 0
    }
}
