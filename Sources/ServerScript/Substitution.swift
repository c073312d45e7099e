import HTTPBasics

/// Puts the URLs of the listeners into a script: `$origin` for the first host, `$origin.b.test` for another.
///
/// Replaced in the values of reply fields, in bodies given as bytes, in raw steps of a timeline, and in the field
/// values that a request is compared with.
struct Substitution {
    private static let word = Array("$origin".utf8)

    private let first: [UInt8]?
    /// Longest host first, so that `a.test` does not hide `a.test.example`.
    private let named: [(host: [UInt8], origin: [UInt8])]

    init(hosts: [String], origins: [String: String]) {
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
        for index in exchange.request.fields.indices {
            guard case .equals(let value) = exchange.request.fields[index].rule else { continue }
            exchange.request.fields[index].rule = .equals(apply(to: value))
        }
        return exchange
    }

    private func apply(to reply: Reply) -> Reply {
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

    private func apply(to content: Content) -> Content {
        switch content {
        case .bytes(let bytes): .bytes(apply(to: bytes))
        case .compressed(let inner, let coding, let damage): .compressed(apply(to: inner), coding, damage)
        case .counter, .random, .fill: content
        }
    }

    private func apply(to step: SendStep) -> SendStep {
        switch step {
        case .raw(let bytes): .raw(apply(to: bytes))
        case .repeat(let times, let steps): .repeat(times, steps.map(apply))
        case .bytes, .rest, .wait, .chunk, .split, .trailers, .stall, .signal, .await: step
        }
    }

    private func apply(to text: String) -> String {
        guard text.utf8.contains(Substitution.word[0]) else { return text }
        return String(decoding: apply(to: Array(text.utf8)), as: UTF8.self)
    }

    private func apply(to bytes: [UInt8]) -> [UInt8] {
        guard let first, bytes.contains(Substitution.word[0]) else { return bytes }
        var result: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: Substitution.word[0]) {
            result += rest[..<start]
            rest = rest[start...]
            let after = rest.dropFirst(Substitution.word.count)
            guard rest.starts(with: Substitution.word), !continuesName(after.first) else {
                result.append(rest.removeFirst())
                continue
            }
            let tail = after.dropFirst()
            let isNamed = after.first == 0x2e
            if isNamed, let entry = named.first(where: { tail.starts(with: $0.host) }) {
                result += entry.origin
                rest = tail.dropFirst(entry.host.count)
            } else {
                result += first
                rest = after
            }
        }
        return result + rest
    }

    /// `$original` is another word.
    private func continuesName(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte == 0x5f || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
