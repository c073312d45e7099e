import HTTPBasics

/// One condition that a request fails, and how far off that makes it.
struct Difference: Hashable {
    var text: String
    var weight: Int

    init(_ text: String, weight: Int = 1) {
        self.text = text
        self.weight = weight
    }
}

/// Where in a script's round a request has come.
struct RequestPlace: Hashable {
    /// Both from 1.
    var connection: Int
    var exchange: Int

    static let first = RequestPlace(connection: 1, exchange: 1)
}

extension RequestMatch {
    /// Every condition on the head that this request fails, with what was wanted and what came.
    func differences(
        from head: ReceivedHead, at place: RequestPlace = .first, _ work: PatternWork = PatternWork()
    ) -> [Difference] {
        var found: [Difference] = []
        if let method, method != head.method {
            found.append(Difference("method: wanted \(method), got \(head.method)", weight: 3))
        }
        if let target, !targetRule.matches(head.shownTarget, anyQuery: query != nil) {
            let isQuery = query == nil && targetRule.matches(head.shownTarget, anyQuery: true)
            let remedy = isQuery ? "; 'query: any' takes any query" : ""
            let distance = RequestMatch.distance(target, head.shownTarget)
            found.append(Difference(targetDifference(target, head.shownTarget) + remedy, weight: 20 + distance))
        }
        if let query { found += queryDifferences(query, head.query, work) }
        found += placeDifferences(head, place)
        found += fields.compactMap { rule in
            difference(rule, head.fields.values(rule.name), work).map { Difference($0) }
        }
        for name in absent {
            guard let value = head.fields.first(name) else { continue }
            found.append(Difference("\(name): wanted none, got \(RequestMatch.shown(value, of: name))"))
        }
        let field = head.authorizationField
        if let basic, let text = BasicVerification.difference(head.fields.values(field), basic, field: field) {
            found.append(Difference(text))
        }
        if let digest, let text = DigestVerification(digest, head).difference() { found.append(Difference(text)) }
        if let ntlm, let text = NTLMVerification(ntlm, head).difference() { found.append(Difference(text)) }
        if let negotiate, let text = NegotiateVerification(negotiate, head).difference() {
            found.append(Difference(text))
        }
        return found
    }

    /// What a request must have that `bare` has not, each in words.
    package func demands(of bare: ReceivedHead) -> [String] {
        differences(from: bare).map { difference in
            difference.text.replacing("wanted ", with: "", maxReplacements: 1).replacing(", got none", with: "")
        }
    }

    private func queryDifferences(_ rules: [ItemRule], _ items: FormItems, _ work: PatternWork) -> [Difference] {
        rules.compactMap { rule in rule.difference(from: items, what: "query", work).map { Difference($0) } }
    }

    private func placeDifferences(_ head: ReceivedHead, _ place: RequestPlace) -> [Difference] {
        var found: [Difference] = []
        if let minorVersion, minorVersion != head.minorVersion {
            found.append(Difference("version: wanted HTTP/1.\(minorVersion), got HTTP/1.\(head.minorVersion)"))
        }
        if let connection, connection != place.connection {
            found.append(Difference("connection: wanted number \(connection) of the round, got \(place.connection)"))
        }
        if let exchange, exchange != place.exchange {
            found.append(Difference("exchange: wanted number \(exchange) of its connection, got \(place.exchange)"))
        }
        return found
    }

    private func difference(_ rule: NamedRule, _ values: [String], _ work: PatternWork) -> String? {
        let got = values.joined(separator: ", ")
        if !values.isEmpty, rule.rule.holds(for: got, work) == true { return nil }
        let wanted = rule.rule.wanted(isSecret: Secrets.isSecret(field: rule.name)) {
            RequestMatch.shown($0, of: rule.name)
        }
        guard !values.isEmpty else { return "\(rule.name): wanted \(wanted), got none" }
        let isHidden = Secrets.isSecret(field: rule.name) || Secrets.shown(got) != got
        let shownGot = RequestMatch.shown(got, of: rule.name) + (isHidden ? ", another value" : "")
        return "\(rule.name): wanted \(wanted), got \(shownGot)\(rule.rule.note(on: got, work))"
    }

    /// How much of the longer one is between a common beginning and a common end, in twentieths. Another target counts
    /// more than any other condition: a client means the route whose name it has nearly got right.
    private static func distance(_ wanted: String, _ got: String) -> Int {
        let (wanted, got) = (wanted.utf8, got.utf8)
        let (shorter, longer) = (min(wanted.count, got.count), max(wanted.count, got.count))
        let start = zip(wanted, got).prefix { $0 == $1 }.count
        let end = min(zip(wanted.reversed(), got.reversed()).prefix { $0 == $1 }.count, shorter - start)
        return (longer - start - end) * 20 / max(longer, 1)
    }

    private func targetDifference(_ wanted: String, _ got: String) -> String {
        let (wanted, got) = (Secrets.shown(wanted), Secrets.shown(got))
        return "target: wanted \(wanted), got \(excerpt(got))\(wanted == got ? ", with another value" : "")"
    }

    private static func shown(_ value: String, of name: String) -> String {
        if Secrets.isAuthorization(name) { return "scheme \(Secrets.scheme(of: value))" }
        return quoted(Secrets.shown(value, ofField: name))
    }

    /// `GET /path`, with `any` for what is left open.
    package var summary: String { "\(method ?? "any method") \(target.map(Secrets.shown) ?? "any target")" }
}

/// Quoted, printable, and cut to a length that fits a message.
func quoted(_ text: String) -> String { "\"\(excerpt(text))\"" }

func excerpt(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(120) {
        switch scalar {
        case "\r": result += "\\r"
        case "\n": result += "\\n"
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case _ where scalar.value < 0x20 || scalar.value == 0x7f: result += hexadecimal(UInt8(scalar.value))
        default: result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.dropFirst(120).isEmpty ? result : result + "..."
}
