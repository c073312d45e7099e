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

extension RequestMatch {
    /// Every condition on the head that this request fails, with what was wanted and what came.
    func differences(from head: ReceivedHead) -> [Difference] {
        var found: [Difference] = []
        if let method, method != head.method {
            found.append(Difference("method: wanted \(method), got \(head.method)", weight: 3))
        }
        if let target, !RequestMatch.matches(head.shownTarget, pattern: target) {
            found.append(Difference(targetDifference(target, head.shownTarget), weight: 4))
        }
        for rule in fields { found += difference(rule, head.fields.values(rule.name)).map { [Difference($0)] } ?? [] }
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

    /// Whether the head fits: the same without words.
    func matches(_ head: ReceivedHead) -> Bool {
        if let method, method != head.method { return false }
        if let target, !RequestMatch.matches(head.shownTarget, pattern: target) { return false }
        guard
            !fields.isEmpty || !absent.isEmpty || basic != nil || digest != nil || ntlm != nil
                || negotiate != nil
        else { return true }
        return differences(from: head).isEmpty
    }

    private func difference(_ rule: NamedRule, _ values: [String]) -> String? {
        switch rule.rule {
        case .present: return values.isEmpty ? "\(rule.name): wanted any value, got none" : nil
        case .equals(let wanted):
            let got = values.joined(separator: ", ")
            if !values.isEmpty, got == wanted { return nil }
            let shownWanted = RequestMatch.shown(wanted, of: rule.name)
            guard !values.isEmpty else { return "\(rule.name): wanted \(shownWanted), got none" }
            let isHidden = Secrets.isSecret(field: rule.name) || Secrets.shown(got) != got
            let shownGot = RequestMatch.shown(got, of: rule.name) + (isHidden ? ", another value" : "")
            return "\(rule.name): wanted \(shownWanted), got \(shownGot)"
        }
    }

    private func targetDifference(_ wanted: String, _ got: String) -> String {
        let (wanted, got) = (Secrets.shown(wanted), Secrets.shown(got))
        return "target: wanted \(wanted), got \(excerpt(got))\(wanted == got ? ", with another value" : "")"
    }

    private static func shown(_ value: String, of name: String) -> String {
        if Secrets.isAuthorization(name) { return "scheme \(Secrets.scheme(of: value))" }
        return quoted(Secrets.shown(value, ofField: name))
    }

    /// Compared as sent; a final `*` matches any rest.
    static func matches(_ target: String, pattern: String) -> Bool {
        pattern.utf8.last == UInt8(ascii: "*") ? target.utf8.starts(with: pattern.utf8.dropLast()) : target == pattern
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
