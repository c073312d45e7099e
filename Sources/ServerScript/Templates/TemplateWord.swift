import HTTPBasics

/// A word of a script that stands for what is known only when a request is there, such as `$request.query.page`.
///
/// A name follows each dot: `$path.id.` is the word `$path.id` and a full stop.
package enum TemplateWord: Hashable, Sendable {
    case method
    case path
    case target
    case query(String)
    case field(String)
    case body
    case form(String)
    case json([String])
    case capture(String)
    case state(String)
    case count(String)
    /// The date as RFC 3339 writes it, as HTTP does, in seconds since 1970.
    case now, httpDate, seconds
    case uuid
    /// Nine digits at most.
    case number

    /// The word that the text behind a dollar sign begins with, and how many characters it has.
    package static func read(_ text: Substring.UnicodeScalarView) -> (word: TemplateWord, count: Int)? {
        var names: [String] = []
        var counts: [Int] = []
        var rest = text
        var count = 0
        while names.count < 16 {
            let name = self.name(rest, isFirst: names.isEmpty)
            guard !name.isEmpty else { break }
            count += name.unicodeScalars.count
            names.append(name)
            counts.append(count)
            rest = rest.dropFirst(name.unicodeScalars.count)
            guard rest.first == "." else { break }
            rest = rest.dropFirst()
            count += 1
        }
        guard let first = names.first else { return nil }
        func word(_ word: TemplateWord, _ length: Int) -> (TemplateWord, Int) { (word, counts[length - 1]) }
        let second = names.count > 1 ? names[1] : nil
        switch (first, second) {
        case ("now", "http"): return word(.httpDate, 2)
        case ("now", "seconds"): return word(.seconds, 2)
        case ("now", _): return word(.now, 1)
        case ("random", "uuid"): return word(.uuid, 2)
        case ("random", "number"): return word(.number, 2)
        case ("path", let name?): return word(.capture(name), 2)
        case ("state", let name?): return word(.state(name), 2)
        case ("count", let name?): return word(.count(name), 2)
        case ("request", "method"): return word(.method, 2)
        case ("request", "path"): return word(.path, 2)
        case ("request", "target"): return word(.target, 2)
        case ("request", "body"): return word(.body, 2)
        case ("request", "query") where names.count > 2: return word(.query(names[2]), 3)
        case ("request", "headers") where names.count > 2: return word(.field(names[2]), 3)
        case ("request", "form") where names.count > 2: return word(.form(names[2]), 3)
        case ("request", "json") where names.count > 2:
            return (.json(Array(names.dropFirst(2))), counts[names.count - 1])
        default: return nil
        }
    }

    /// What may follow a name that is no word by itself; nil for one that the server does not know.
    package static func completions(of name: String) -> [String]? {
        switch name {
        case "request":
            ["method", "path", "target", "body", "query.NAME", "headers.NAME", "form.NAME", "json.NAME"]
        case "path", "state", "count": ["NAME"]
        case "random": ["uuid", "number"]
        default: nil
        }
    }

    /// A letter or a digit, then also `_` and `-`; a `-` at the end belongs to the text that follows.
    private static func name(_ text: Substring.UnicodeScalarView, isFirst: Bool) -> String {
        guard let first = text.first, first.isASCII, isLetter(first) || !isFirst && isDigit(first) else { return "" }
        var name = text.prefix { $0.isASCII && (isLetter($0) || isDigit($0) || $0 == "_" || $0 == "-") }
        while name.last == "-" { name.removeLast() }
        return String(name)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ASCII.isLetter(UInt8(truncatingIfNeeded: scalar.value))
    }
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ASCII.isDigit(UInt8(truncatingIfNeeded: scalar.value))
    }

    /// It is not known before the request's body is read.
    package var isOfBody: Bool {
        switch self {
        case .body, .form, .json: true
        default: false
        }
    }

    /// As it is written behind the dollar sign.
    package var text: String {
        switch self {
        case .method: "request.method"
        case .path: "request.path"
        case .target: "request.target"
        case .query(let name): "request.query.\(name)"
        case .field(let name): "request.headers.\(name)"
        case .body: "request.body"
        case .form(let name): "request.form.\(name)"
        case .json(let names): "request.json.\(names.joined(separator: "."))"
        case .capture(let name): "path.\(name)"
        case .state(let name): "state.\(name)"
        case .count(let name): "count.\(name)"
        case .now: "now"
        case .httpDate: "now.http"
        case .seconds: "now.seconds"
        case .uuid: "random.uuid"
        case .number: "random.number"
        }
    }
}
