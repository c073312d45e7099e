import HTTPBasics
import ServerScript

/// A request's target as the cookbook reads it: the words of its path, and the items of its query.
struct CookbookTarget: Hashable {
    /// Path and query as they came.
    let text: String
    /// What stands between slashes, as it came.
    let rawWords: [Substring]
    /// The same, decoded.
    let words: [String]
    let query: [CookbookItem]

    /// Nil for what is neither a path nor an absolute URL.
    init?(_ target: String) {
        var text = Substring(target)
        if text.utf8.first != UInt8(ascii: "/") {
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count >= 3, parts[0].last == ASCII.colon, parts[1].isEmpty else { return nil }
            text = parts.count > 3 ? "/" + Substring(parts[3]) : "/"
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        self.text = String(text)
        rawWords = parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        words = rawWords.map { PercentEncoding.decoded($0) }
        query = parts.count > 1 ? CookbookTarget.items(Substring(parts[1])) : []
    }

    /// Tests tell their URLs apart by names that nobody knows, so a name that is merely unknown is passed over.
    ///
    /// - Throws: If one is nearly one of these, which is not there itself.
    func checkNames(_ known: [String]) throws(CookbookMistake) {
        let given = query.map(\.name)
        let missing = known.filter { !given.contains($0) }
        for name in given where !known.contains(name) {
            guard let meant = missing.first(where: { Suggestion.isSlip(name, for: $0) }) else { continue }
            throw CookbookMistake("?\(CookbookNumber.excerpt(name)): did you mean '\(meant)'?")
        }
    }

    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Of a query, or of a form (`application/x-www-form-urlencoded`).
    static func items(_ text: some StringProtocol) -> [CookbookItem] {
        FormItems(text).list.map { CookbookItem(name: $0.name, value: $0.value) }
    }

    /// The target without what is behind the first of these words; nil if there is none of them.
    func hiding(behind secret: Set<String>) -> String? {
        guard let index = words.firstIndex(where: secret.contains), index + 1 < words.count else { return nil }
        return "/" + rawWords[...index].joined(separator: "/") + "/" + Secrets.mark
    }

    /// The path as the journal may show it: without the word of this number.
    func hiding(word number: Int) -> String {
        guard rawWords.indices.contains(number) else { return text }
        var shown = rawWords
        shown[number] = Substring(Secrets.mark)
        let query = text.utf8.firstIndex(of: UInt8(ascii: "?")).map { text[$0...] } ?? ""
        return "/" + shown.joined(separator: "/") + query
    }
}

/// A name and a value of a query, of a form, of a Cookie field.
struct CookbookItem: Hashable {
    var name: String
    var value: String
}
