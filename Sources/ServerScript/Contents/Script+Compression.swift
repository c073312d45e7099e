extension Script {
    /// What the compressed bodies of one script may come to, all different ones together.
    package static let compressedLimit = 256 << 20
    /// The same before they are compressed, which is what the compression takes time for.
    package static let compressibleLimit = 1 << 30

    package var hasCompressedBodies: Bool { !compressedBodies.isEmpty }

    /// The same with each compressed body as the bytes that it comes to, so that no loop of a server has to compress
    /// while its clients wait; nil when one of them, or all together, are over the limits.
    ///
    /// One whose text has places for what is not known yet, and one whose library is missing, stay as they are.
    package func compressingBodies(
        plainLimit: Int = Script.compressibleLimit, limit: Int = Script.compressedLimit
    ) -> Script? {
        let bodies = compressedBodies.filter { $0.knownSize != nil && $0.missingLibrary == nil }
        var plainRoom = plainLimit, room = limit
        for case let size? in bodies.map(\.knownSize) {
            guard size <= plainRoom else { return nil }
            plainRoom -= size
        }
        var known: [Content: Content] = [:]
        for body in bodies {
            guard let plain = body.plain(), plain.count <= room else { return nil }
            room -= plain.count
            known[body] = plain
        }
        return changingContents { known[$0] ?? $0 }
    }

    /// Each once.
    private var compressedBodies: Set<Content> {
        var found: Set<Content> = []
        _ = changingContents { content in
            if case .compressed = content { found.insert(content) }
            return content
        }
        return found
    }

    /// The same with another content in the place of each that a server sends or compares with.
    private func changingContents(_ change: (Content) -> Content) -> Script {
        var script = self
        for index in script.steps.indices {
            guard case .exchange(var exchange) = script.steps[index].action else { continue }
            exchange.changeContents(change)
            script.steps[index].action = .exchange(exchange)
        }
        for index in script.routes.indices { script.routes[index].exchange.changeContents(change) }
        script.otherwise?.changeContents(change)
        return script
    }
}

extension Content {
    /// Nil for a text in which a URL or a template may stand.
    fileprivate var knownSize: Int? {
        switch self {
        case .text(let text): text.utf8.contains(UInt8(ascii: "$")) ? nil : text.utf8.count
        case .bytes, .counter, .random, .fill: count
        case .compressed(let inner, _, _): inner.knownSize
        }
    }
}

extension Exchange {
    fileprivate mutating func changeContents(_ change: (Content) -> Content) {
        reply?.changeContents(change)
        request.changeContents(change)
        guard case .kept(var rule) = resumable else { return }
        rule.content = rule.content.map(change)
        resumable = .kept(rule)
    }
}

extension Reply {
    fileprivate mutating func changeContents(_ change: (Content) -> Content) {
        body = change(body)
        timeline = timeline.map { $0.changingContents(change) }
        for index in interim.indices { interim[index].raw = interim[index].raw.map(change) }
    }
}

extension SendStep {
    fileprivate func changingContents(_ change: (Content) -> Content) -> SendStep {
        switch self {
        case .raw(let content): .raw(change(content))
        case .repeat(let times, let steps): .repeat(times, steps.map { $0.changingContents(change) })
        case .bytes, .rest, .wait, .chunk, .split, .trailers, .stall, .signal, .await: self
        }
    }
}

extension RequestMatch {
    fileprivate mutating func changeContents(_ change: (Content) -> Content) {
        switch body {
        case .equals(let content): body = .equals(change(content))
        case .prefix(let content): body = .prefix(of: change(content))
        default: break
        }
        sliceOf = sliceOf.map(change)
        guard var rule = multipart else { return }
        for index in rule.parts.indices { rule.parts[index].content = rule.parts[index].content.map(change) }
        multipart = rule
    }
}
