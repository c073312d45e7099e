import HTTPBasics
import ServerScript

/// The pages below /case: a list, what to send, and the verdicts.
struct CasePages {
    let cases: CookbookCases
    let request: ImprovisedRequest
    let target: CookbookTarget

    /// The answer, and the scope that begins anew with it. `standing` says what has become of a scope.
    func answer(
        _ standing: (String) -> ScopeStanding?
    ) throws(CookbookMistake) -> (reply: Reply, reset: String?) {
        try target.checkNames(["client"])
        let words = Array(target.words.dropFirst())
        let id = words.joined(separator: "/"), method = request.head.method
        let methods = cases[id] == nil ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"]
        guard methods.contains(method) else {
            return (.methods((methods + ["OPTIONS"]).joined(separator: ", "), askedBy: method), nil)
        }
        switch words {
        case []: return (list(cases.list), nil)
        case ["verdicts"]: return (try verdictList(standing), nil)
        case ["verdicts.xml"]:
            return (.made("application/xml", Array(CaseJudgement.junit(try verdicts(standing)).utf8)), nil)
        default: break
        }
        if let played = cases[id] { return try page(try guide(to: played)) }
        if words.last == "verdict", let played = cases[words.dropLast().joined(separator: "/")] {
            let guide = try guide(to: played)
            let verdict = CaseJudgement(played.id, standing(guide.scope))
            return (wantsJSON ? .json(verdict.json) : .plain(verdict.text), nil)
        }
        if words.count > 2, words[words.count - 2] == "body",
            let played = cases[words.dropLast(2).joined(separator: "/")]
        {
            let number = try CookbookNumber.whole(words[words.count - 1], "body", 1...100_000)
            guard let content = try guide(to: played).body(number) else {
                throw CookbookMistake("body: request \(number) of \(played.id) demands none")
            }
            return (Reply(fields: Recipe.binary, body: content), nil)
        }
        let below = cases.list.filter { $0.id.hasPrefix(id + "/") }
        guard below.isEmpty else { return (list(below), nil) }
        let near = Suggestion.nearest(to: id, among: cases.list.map(\.id))
        let wanted = CookbookNumber.excerpt(id)
        let remedy = near.map { "did you mean '\($0)'? " } ?? ""
        let text = "there is no case '\(wanted)'; \(remedy)GET /case lists \(cases.list.count)\n"
        return (.plain(text, status: 404), nil)
    }

    private var wantsJSON: Bool {
        request.head.fields.values("Accept").contains { $0.contains("application/json") }
    }

    private var base: String { "\(request.scheme)://\(request.head.fields.first("Host") ?? "localhost")" }

    private func client() throws(CookbookMistake) -> String {
        let name = target.value("client") ?? ""
        guard name.utf8.count <= 16, name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2d })
        else { throw CookbookMistake("?client: up to 16 letters, digits and '-'") }
        return name
    }

    private func guide(to played: CookbookCase) throws(CookbookMistake) -> CaseGuide {
        CaseGuide(played: played, base: base, client: try client())
    }

    private func page(_ guide: CaseGuide) throws(CookbookMistake) -> (reply: Reply, reset: String?) {
        (wantsJSON ? .json(guide.json) : .plain(guide.text), request.head.method == "POST" ? guide.scope : nil)
    }

    private func list(_ cases: [CookbookCase]) -> Reply {
        let playable = cases.filter { $0.obstacle == nil }, others = cases.filter { $0.obstacle != nil }
        if wantsJSON {
            return .json(
                .array(
                    cases.map { played in
                        .object([
                            ("case", .text(played.id)), ("url", .text("\(base)/case/\(played.id)")),
                            ("obstacle", played.obstacle.map { .text($0) } ?? .null),
                        ])
                    }))
        }
        let mine = playable.count.counting("case")
        var text = "\(mine) that any client can play, and \(others.count) that only their own can.\n\n"
        text += playable.map { "\(base)/case/\($0.id)\n" }.joined()
        text += "\n" + others.map { "\($0.id): \($0.obstacle ?? "")\n" }.joined()
        return .plain(text)
    }

    /// Of those that any client can play.
    private func verdicts(_ standing: (String) -> ScopeStanding?) throws(CookbookMistake) -> [CaseJudgement] {
        let client = try client()
        return cases.list.filter { $0.obstacle == nil }.map { CaseJudgement($0.id, standing($0.scope(of: client))) }
    }

    private func verdictList(_ standing: (String) -> ScopeStanding?) throws(CookbookMistake) -> Reply {
        let all = try verdicts(standing)
        if wantsJSON { return .json(.array(all.map(\.json))) }
        return .plain(all.map { "\($0.id): \($0.text)" }.joined())
    }
}
