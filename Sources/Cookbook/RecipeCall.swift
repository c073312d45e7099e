import HTTPBasics
import ServerScript

/// One request to one recipe: all that its answer may depend on.
struct RecipeCall {
    let request: ImprovisedRequest
    let target: CookbookTarget
    /// What stands in the place of each `{name}` of the recipe's pattern.
    let captures: [String: String]
    let body: RecordedBody
    /// What the recipe says that it looks at.
    var parameters: [String] = []

    var head: ReceivedHead { request.head }
    var fields: Fields { request.head.fields }

    /// The scheme and the authority that the client has used.
    var base: String { "\(request.scheme)://\(fields.first("Host") ?? "localhost")" }

    subscript(name: String) -> String { captures[name] ?? "" }

    func whole(_ name: String, _ range: ClosedRange<Int>) throws(CookbookMistake) -> Int {
        try CookbookNumber.whole(self[name], name, range)
    }

    func size(_ name: String, _ range: ClosedRange<Int>) throws(CookbookMistake) -> Int {
        try CookbookNumber.size(self[name], name, range)
    }

    func span(_ name: String) throws(CookbookMistake) -> Duration { try CookbookNumber.span(self[name], name) }

    // MARK: - The query

    func query(_ name: String) -> String? {
        assert(parameters.contains(name), "the recipe has no parameter '\(name)'")
        return target.value(name)
    }

    func whole(query name: String, _ range: ClosedRange<Int>, else other: Int) throws(CookbookMistake) -> Int {
        guard let text = query(name) else { return other }
        return try CookbookNumber.whole(text, "?\(name)", range)
    }

    func size(query name: String, _ range: ClosedRange<Int>, else other: Int) throws(CookbookMistake) -> Int {
        guard let text = query(name) else { return other }
        return try CookbookNumber.size(text, "?\(name)", range)
    }

    func span(query name: String, else other: Duration) throws(CookbookMistake) -> Duration {
        guard let text = query(name) else { return other }
        return try CookbookNumber.span(text, "?\(name)")
    }

    /// That of the URL, else one of the server's.
    func seed() throws(CookbookMistake) -> UInt64 {
        guard let text = query("seed") else { return request.draw }
        guard let seed = DecimalNumber.parse(text) else {
            throw CookbookMistake("?seed: '\(CookbookNumber.excerpt(text))' is not a whole number")
        }
        return UInt64(seed)
    }

    // MARK: - Texts that go into a head

    /// A field's name.
    static func token(_ text: String, _ name: String) throws(CookbookMistake) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isTokenCharacter), text.utf8.count <= CookbookLimits.textLength
        else {
            throw CookbookMistake("\(name): '\(CookbookNumber.excerpt(text))' is no name of a field (RFC 9110 5.6.2)")
        }
        return text
    }

    /// A field's value.
    static func value(_ text: String, _ name: String) throws(CookbookMistake) -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == ASCII.tab }),
            text.utf8.count <= CookbookLimits.textLength
        else {
            throw CookbookMistake(
                "\(name): a value has no line breaks or other control characters, "
                    + "and \(CookbookLimits.textLength) bytes at most")
        }
        return text
    }
}
