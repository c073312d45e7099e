import HTTPBasics
import ServerScript

/// One line of the cookbook: which URL, what it answers, and how the pages explain it.
struct Recipe: Sendable {
    /// Chapters of the pages, in their order.
    enum Chapter: String, CaseIterable, Sendable {
        case echo = "What did I send?"
        case status = "Status codes and redirects"
        case signingIn = "Signing in"
        case cookies = "Cookies"
        case bodies = "Bodies of any size"
        case timing = "Bodies over time"
        case caching = "Caching, ranges and headers"
        case formats = "Formats and encodings"
        case pages = "Pages and images"
    }

    /// A word of a pattern.
    enum PatternWord: Hashable, Sendable {
        case literal(String)
        case capture(String)
        /// All words that are left, if any.
        case rest
    }

    let pattern: String
    let words: [PatternWord]
    /// Besides HEAD, where GET is among them, and OPTIONS; empty for every method.
    let methods: [String]
    let about: String
    /// What stands behind `curl` in the example: a path, and options before it.
    let example: String
    /// What httpbin does otherwise.
    let differs: String?
    /// What of the query it looks at, by name; empty where any name will do.
    let parameters: [String]
    /// The answer depends on the request's body.
    let awaitsBody: Bool
    let answer: @Sendable (RecipeCall) throws(CookbookMistake) -> Reply

    init(
        _ pattern: String, _ about: String, methods: [String] = ["GET"], example: String? = nil, differs: String? = nil,
        parameters: [String] = [], awaitsBody: Bool = false,
        answer: @escaping @Sendable (RecipeCall) throws(CookbookMistake) -> Reply
    ) {
        self.pattern = pattern
        self.methods = methods
        self.about = about
        self.example = example ?? pattern
        self.differs = differs
        self.parameters = parameters
        self.awaitsBody = awaitsBody
        self.answer = answer
        words = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { word in
            if word == "*" { return .rest }
            return word.first == "{" ? .capture(String(word.dropFirst().dropLast())) : .literal(String(word))
        }
    }

    /// Every method that httpbin has there.
    static let anyMethod: [String] = []

    /// What the captures stand for; nil if the words are not of this form.
    func captures(_ given: ArraySlice<String>) -> [String: String]? {
        var captures: [String: String] = [:]
        var rest = given
        for word in words {
            if word == .rest { return captures }
            guard let next = rest.popFirst() else { return nil }
            switch word {
            case .literal(let text): if text != next { return nil }
            case .capture(let name): if next.isEmpty { return nil } else { captures[name] = next }
            case .rest: return captures
            }
        }
        return rest.isEmpty ? captures : nil
    }

    /// First words of recipes that take a password.
    static let secretWords = Set(byFirstWord.filter { $0.value.contains { $0.secretWord != nil } }.keys)

    /// Which of its words nobody but the client should read.
    var secretWord: Int? { words.firstIndex(of: .capture("password")) }

    func allows(_ method: String) -> Bool {
        methods.isEmpty || methods.contains(method) || method == "HEAD" && methods.contains("GET")
    }

    /// The value of Allow.
    var allowed: String {
        var all = methods.isEmpty ? ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] : methods
        if all.contains("GET") { all.insert("HEAD", at: 1) }
        return (all + ["OPTIONS"]).joined(separator: ", ")
    }

    // MARK: - The table

    /// The one source of what is served, of the index, and of Documentation/COOKBOOK.md.
    static let chapters: [(chapter: Chapter, recipes: [Recipe])] = [
        (.echo, echoes), (.status, statuses), (.signingIn, logins), (.cookies, cookies), (.bodies, bodies),
        (.timing, timed), (.caching, cached), (.formats, formats), (.pages, pages),
    ]

    /// By their first words.
    static let byFirstWord: [String: [Recipe]] = (chapters.flatMap(\.recipes) + [IndexPage.recipe]).reduce(into: [:]) {
        found, recipe in
        if case .literal(let word) = recipe.words.first { found[word, default: []].append(recipe) }
    }
}
