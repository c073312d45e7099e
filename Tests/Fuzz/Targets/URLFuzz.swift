import HTTPBasics
import NIOCore

/// URL references: the first line is the base, the rest the reference.
enum URLFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let parsed = [input.firstLine, String(buffer: input.rest)].compactMap(URLReference.init)
        for reference in parsed {
            try checkText(of: reference)
            try checkData(in: reference)
        }
        guard parsed.count == 2 else { return }
        let (base, reference) = (parsed[0], parsed[1])
        let target = reference.resolved(against: base)
        try demand(target, equals: Reference.resolve(reference, against: base), "not what RFC 3986 5.2 says")
        // A base that is not absolute leads nowhere, so its target need not be written down.
        guard target.scheme != nil else { return }
        // An empty path takes over the base's as it is, dots and all.
        guard reference.scheme != nil || reference.host != nil || !reference.path.isEmpty else { return }
        try demand(target.resolved(against: base), equals: target, "resolved again, a target moves")
        guard let again = URLReference(target.string) else { throw Violation(description: "no URL: \(target.string)") }
        try demand(again.string, equals: target.string, "a target's text is not stable")
        try demand(again.resolved(against: base), equals: target, "a target's text means another target")
    }

    /// What a `data:` URL holds, written down in the plainest way.
    private static func checkData(in reference: URLReference) throws {
        guard let data = DataURL(reference) else { return }
        try demand(data.bytes.count <= reference.string.utf8.count, "more bytes than the URL has")
        let text = "data:;base64,\(Base64.encode(data.bytes))"
        try demand(URLReference(text).flatMap(DataURL.init)?.bytes, equals: data.bytes, "other bytes in \(text)")
    }

    private static func checkText(of reference: URLReference) throws {
        try demand(URLReference(reference.string), equals: reference, "read again, a reference differs")
        let description = reference.description
        try demand(
            URLReference(description), equals: reference.withoutUserInformation, "the description is another URL")
        let target = reference.requestTarget
        let isSafe = target.utf8.allSatisfy { 33...126 ~= $0 && $0 != UInt8(ascii: "#") }
        try demand(target.hasPrefix("/") && isSafe, "breaks the request line: \(target)")
        let forbidden = "/?#@\\ \t\r\n\0\"<>^`{|}"
        try demand(!(reference.host ?? "").utf8.contains { forbidden.utf8.contains($0) }, "a host that is none")
        try demand(reference.port.map { 0...65535 ~= $0 } ?? true, "a port that is none")
        _ = reference.credentials
        guard let origin = reference.origin else { return }
        try demand(!origin.host.isEmpty && 0...65535 ~= origin.port, "an origin that nobody can reach")
    }
}

/// RFC 3986 5.2 as it is written there, slowly.
private enum Reference {
    static func resolve(_ reference: URLReference, against base: URLReference) -> URLReference {
        var target = reference
        if reference.scheme != nil {
            target.path = removeDotSegments(reference.path)
            return target
        }
        target.scheme = base.scheme
        if reference.host != nil {
            target.path = removeDotSegments(reference.path)
            return target
        }
        (target.userInformation, target.host, target.port) = (base.userInformation, base.host, base.port)
        if reference.path.isEmpty {
            target.path = base.path
            target.query = reference.query ?? base.query
        } else if reference.path.utf8.first == UInt8(ascii: "/") {
            target.path = removeDotSegments(reference.path)
        } else {
            target.path = removeDotSegments(merge(base, reference.path))
        }
        return target
    }

    private static func merge(_ base: URLReference, _ path: String) -> String {
        if base.host != nil, base.path.isEmpty { return "/" + path }
        let kept = base.path.utf8.reversed().drop { $0 != UInt8(ascii: "/") }.reversed()
        return String(decoding: Array(kept) + Array(path.utf8), as: UTF8.self)
    }

    private static func removeDotSegments(_ path: String) -> String {
        var input = Array(path.utf8)[...], output: [UInt8] = []
        func take(_ prefix: String, leaving rest: String = "") -> Bool {
            guard input.starts(with: prefix.utf8) else { return false }
            input = (Array(rest.utf8) + input.dropFirst(prefix.utf8.count))[...]
            return true
        }
        func takeAll(_ text: String, leaving rest: String = "") -> Bool {
            input.count == text.utf8.count && take(text, leaving: rest)
        }
        while !input.isEmpty {
            if take("../") || take("./") { continue }
            if take("/./", leaving: "/") || takeAll("/.", leaving: "/") { continue }
            if take("/../", leaving: "/") || takeAll("/..", leaving: "/") {
                output.removeSubrange((output.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
                continue
            }
            if takeAll(".") || takeAll("..") { continue }
            let end = input.dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? input.endIndex
            output += input[..<end]
            input = input[end...]
        }
        return String(decoding: output, as: UTF8.self)
    }
}
