import HTTPBasics

/// Puts the URLs of the listeners into a script: `$origin` for the first host, `$origin.b.test` for another.
///
/// Replaced in the values of reply fields, in bodies and raw steps of a timeline that are written as text, in the place
/// where an upload can be continued, and in the field values that a request is compared with. `$$origin` is the word
/// itself.
package struct Substitution {
    private static let dollar = UInt8(ascii: "$")
    private static let word = Array("origin".utf8)

    private let first: [UInt8]?
    /// Longest host first, so that `a.test` does not hide `a.test.example`.
    private let named: [(host: [UInt8], origin: [UInt8])]

    /// For texts in which no URL stands: `$$origin` still becomes the word.
    static let withoutURLs = Substitution(hosts: [""], origins: ["": ""])

    package init(hosts: [String], origins: [String: String]) {
        first = hosts.first.flatMap { origins[$0] }.map { Array($0.utf8) }
        named = hosts.compactMap { host in origins[host].map { (Array(host.utf8), Array($0.utf8)) } }
            .sorted { $0.host.count > $1.host.count }
    }

    func apply(to script: Script) -> Script {
        var script = script
        for index in script.steps.indices {
            guard case .exchange(let exchange) = script.steps[index].action else { continue }
            script.steps[index].action = .exchange(apply(to: exchange))
        }
        for index in script.routes.indices { script.routes[index].exchange = apply(to: script.routes[index].exchange) }
        script.otherwise = script.otherwise.map(apply)
        return script
    }

    private func apply(to exchange: Exchange) -> Exchange {
        var exchange = exchange
        exchange.reply = exchange.reply.map(apply)
        if case .announced(let place) = exchange.resumable { exchange.resumable = .announced(at: apply(to: place)) }
        for index in exchange.request.fields.indices {
            exchange.request.fields[index].rule = exchange.request.fields[index].rule.replaced(apply)
        }
        return exchange
    }

    func apply(to reply: Reply) -> Reply {
        var reply = reply
        reply.fields = apply(to: reply.fields)
        reply.trailers = apply(to: reply.trailers)
        reply.body = apply(to: reply.body)
        reply.timeline = reply.timeline.map(apply)
        for index in reply.interim.indices {
            reply.interim[index].fields = apply(to: reply.interim[index].fields)
            reply.interim[index].raw = reply.interim[index].raw.map(apply)
        }
        return reply
    }

    private func apply(to fields: Fields) -> Fields {
        Fields(fields.list.map { Fields.Field($0.name, apply(to: $0.value)) })
    }

    package func apply(to content: Content) -> Content {
        switch content {
        case .text(let text): .text(apply(to: text))
        case .compressed(let inner, let coding, let damage): .compressed(apply(to: inner), coding, damage)
        case .bytes, .counter, .random, .fill: content
        }
    }

    private func apply(to step: SendStep) -> SendStep {
        switch step {
        case .raw(let content): .raw(apply(to: content))
        case .repeat(let times, let steps): .repeat(times, steps.map(apply))
        case .bytes, .rest, .wait, .chunk, .split, .trailers, .stall, .signal, .await: step
        }
    }

    package func apply(to text: String) -> String {
        guard text.utf8.contains(Substitution.dollar) else { return text }
        return String(decoding: replaced(Array(text.utf8)), as: UTF8.self)
    }

    private func replaced(_ bytes: [UInt8]) -> [UInt8] {
        guard let first else { return bytes }
        let texts = Substitution.texts(in: bytes)
        return texts.dropFirst().reduce(texts[0]) { result, text in
            let name = text.dropFirst()
            guard text.first == 0x2e, let entry = named.first(where: { name.starts(with: $0.host) }) else {
                return result + first + text
            }
            return result + entry.origin + name.dropFirst(entry.host.count)
        }
    }

    /// How many bytes a text is when it is sent; nil when that depends on a URL.
    package static func size(of text: String) -> Int? {
        let texts = texts(in: Array(text.utf8))
        guard texts.count == 1 else { return nil }
        // `$$path.id` is shorter when it is sent, and `$path.id` of no length that could be known.
        guard let template = TextTemplate(text) else { return texts[0].count }
        return template.plain?.utf8.count
    }

    /// What stands before, between and behind the URLs: at least one text.
    private static func texts(in bytes: [UInt8]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var result: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: Substitution.dollar) {
            result += rest[..<start]
            let dollars = rest[start...].prefix { $0 == Substitution.dollar }
            rest = rest[dollars.endIndex...]
            guard Substitution.isWord(rest) else {
                result += dollars
                continue
            }
            // Two stand for one, and only the odd one asks for a URL.
            result += dollars.prefix(dollars.count / 2)
            guard !dollars.count.isMultiple(of: 2) else { continue }
            rest = rest.dropFirst(Substitution.word.count)
            texts.append(result)
            result = []
        }
        return texts + [result + rest]
    }

    /// `$original` and `$origin-b` are other words; a dash at the very end belongs to the text that follows.
    private static func isWord(_ bytes: ArraySlice<UInt8>) -> Bool {
        var name = bytes.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5f || $0 == 0x2d }
        while name.last == 0x2d { name.removeLast() }
        return name.elementsEqual(word)
    }
}

extension RequestMatch.FieldRule {
    /// The same with other texts to compare with.
    package func replaced(_ change: (String) -> String) -> RequestMatch.FieldRule {
        switch self {
        case .equals(let text): .equals(change(text))
        case .contains(let text): .contains(change(text))
        case .present, .matches: self
        }
    }
}
