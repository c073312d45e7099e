import HTTPBasics
import ServerScript

/// A URL of the cookbook, read: what is done to the answer, and whose answer it is.
struct CookbookOrder {
    let target: CookbookTarget
    let faults: FaultPath
    let recipe: Recipe
    let captures: [String: String]

    /// Nil for a URL that is none of the cookbook's.
    init?(_ request: ImprovisedRequest) throws(CookbookMistake) {
        guard let target = CookbookTarget(request.head.target), let first = target.words.first else { return nil }
        // Nothing stands between two slashes at the beginning.
        if first.isEmpty, target.words.count > 1 { return nil }
        self.target = target
        guard Recipe.byFirstWord[first] != nil || FaultWord.byName[first] != nil else { return nil }
        faults = try FaultPath(target.words, request)
        let rest = target.words.dropFirst(faults.count)
        guard let word = rest.first else {
            guard let body = Recipe.byFirstWord["body"]?.first else { return nil }
            recipe = body
            captures = [:]
            return
        }
        guard let named = Recipe.byFirstWord[word] else {
            let words = FaultWord.all.map(\.name) + Recipe.byFirstWord.keys
            let near = Suggestion.nearest(to: word, among: words).map { "did you mean '/\($0)'? " } ?? ""
            throw CookbookMistake(
                "'\(CookbookNumber.excerpt(word))' is neither a fault nor an answer; \(near)GET / lists them")
        }
        for recipe in named {
            guard let captures = recipe.captures(rest) else { continue }
            self.recipe = recipe
            self.captures = captures
            return
        }
        let forms = named.map(\.pattern).joined(separator: " or ")
        throw CookbookMistake("the path from '/\(word)' on must have the form \(forms), with nothing behind it")
    }

    func reply(to request: ImprovisedRequest, body: RecordedBody) throws(CookbookMistake) -> Reply {
        let method = request.head.method
        guard recipe.allows(method) else { return .methods(recipe.allowed, askedBy: method) }
        try target.checkNames(recipe.parameters)
        let call = RecipeCall(
            request: request, target: target, captures: captures, body: body, parameters: recipe.parameters)
        return try faults.applied(to: try recipe.answer(call))
    }

    /// The target as the journal may show it; nil where all of it may be seen.
    var shownTarget: String? {
        recipe.secretWord.map { target.hiding(word: faults.count + $0) }
    }
}
