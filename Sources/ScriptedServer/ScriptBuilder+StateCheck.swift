import HTTPBasics
import ServerScript

/// Mistakes about the script's state and the words of the request.
extension ScriptBuilder {
    static func complaintsAboutState(of exchange: Exchange) -> [String] {
        var complaints: [String] = []
        for name in exchange.request.state.map(\.name) + exchange.changes.map(\.name) where !isName(name.plain) {
            complaints.append(
                "'\(name.text)' cannot be the name of a value or a counter: "
                    + "a letter, then letters, digits, '-' and '_', and words such as $path.id")
        }
        for rule in exchange.request.state {
            var words = rule.name.words
            if case .equals(let value) = rule.demand { words += value.words }
            if case .count(let range) = rule.demand, range.lowerBound < 0 || range.upperBound < 0 {
                complaints.append("'\(rule.name.text)' cannot be counted a negative number of times")
            }
            guard let word = words.first(where: \.isOfBody) else { continue }
            complaints.append("$\(word.text): the state is looked at before the body is read")
        }
        let names = exchange.request.captureNames
        for case .capture(let name) in exchange.templates.flatMap(\.words) where !names.contains(name) {
            complaints.append("$path.\(name): the request has no '{\(name)}'")
        }
        if let number = exchange.request.connection, number < 1 { complaints.append("connections count from 1") }
        if let number = exchange.request.exchange, number < 1 {
            complaints.append("the requests of a connection count from 1")
        }
        return complaints + (exchange.reply.map(complaintsAboutStatus) ?? [])
    }

    static func complaintsAboutWords(of otherwise: Reply) -> [String] {
        let words = otherwise.templates.flatMap(\.words)
        return words.compactMap { word in
            if case .capture(let name) = word { "$path.\(name): there is no request to take it from" } else { nil }
        } + complaintsAboutStatus(otherwise)
    }

    private static func complaintsAboutStatus(_ reply: Reply) -> [String] {
        guard let text = reply.statusText, TextTemplate(text)?.words.isEmpty != false else { return [] }
        return ["'\(text)' is no status: a number, or a word such as $request.query.status"]
    }

    /// A letter, then letters, digits, `-` and `_`, no `-` at the end.
    private static func isName(_ plain: String) -> Bool {
        guard let first = plain.utf8.first, ASCII.isLetter(first), plain.utf8.last != UInt8(ascii: "-") else {
            return false
        }
        return plain.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
}
