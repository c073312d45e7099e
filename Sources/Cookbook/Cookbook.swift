import HTTPBasics
import ServerScript

/// A ready-made server, all of it in the URL: httpbin's endpoints, and faults that stand in front of them
/// (Documentation/COOKBOOK.md).
///
/// The tables `Recipe.chapters` and `FaultWord.all` are the one source of what is served, of the index page, and of the
/// documentation.
package struct Cookbook: Improviser {
    /// What `/case` lists.
    let cases: CookbookCases

    package init(cases: CookbookCases = CookbookCases()) { self.cases = cases }

    package func script(ofScope name: String) -> Script? { cases.played(in: name)?.script }

    package func improvise(
        _ request: ImprovisedRequest, standing: (String) -> ScopeStanding?
    ) -> Improvisation? {
        do throws(CookbookMistake) {
            if let target = CookbookTarget(request.head.target), target.words.first == "case" {
                let pages = CasePages(cases: cases, request: request, target: target)
                var (reply, reset) = try pages.answer(standing)
                Cookbook.open(&reply, to: request.head)
                return Improvisation(Exchange(RequestMatch(), reply: reply), reset: reset)
            }
            let nothing = RecordedBody(prefix: [], count: 0, checksum: Checksum().value)
            guard let order = try CookbookOrder(request) else { return nil }
            var reply = try order.reply(to: request, body: nothing)
            let awaitsBody = order.recipe.awaitsBody && request.head.framing != .none
            if !awaitsBody { try order.faults.check(reply) }
            Cookbook.open(&reply, to: request.head)
            let exchange = Exchange(
                RequestMatch(), reply: reply, faults: order.faults.faults, readBody: order.faults.readBody,
                readRate: order.faults.readRate)
            return Improvisation(exchange, awaitsBody: awaitsBody, shownTarget: order.shownTarget)
        } catch {
            // What it would have been is not known: behind a word that takes a password nothing is shown.
            return Improvisation(
                Exchange(RequestMatch(), reply: Cookbook.refusal(error, request.head)),
                shownTarget: CookbookTarget(request.head.target)?.hiding(behind: Recipe.secretWords))
        }
    }

    package func reply(to request: ImprovisedRequest, body: RecordedBody) -> Reply {
        do throws(CookbookMistake) {
            guard var reply = try CookbookOrder(request)?.reply(to: request, body: body) else { return .bare(404) }
            Cookbook.open(&reply, to: request.head)
            return reply
        } catch {
            return Cookbook.refusal(error, request.head)
        }
    }

    package func nearest(to request: ReceivedHead) -> [String] {
        let first = CookbookTarget(request.target)?.words.first ?? ""
        let words = FaultWord.all.map(\.name) + Recipe.byFirstWord.keys + ["case"]
        let near = Suggestion.nearest(to: first, among: words)
        return [near.map { "the cookbook has /\($0)" } ?? "the cookbook has no such page either: GET / lists it"]
    }

    private static func refusal(_ mistake: CookbookMistake, _ head: ReceivedHead) -> Reply {
        var reply = Reply.plain("\(mistake.text)\n", status: 400)
        open(&reply, to: head)
        return reply
    }

    /// Scripts of every site may read it (Fetch, 3.2), as with httpbin.
    private static func open(_ reply: inout Reply, to head: ReceivedHead) {
        let allow = "Access-Control-Allow-"
        func add(_ name: String, _ value: String) {
            if !reply.fields.contains(allow + name) { reply.fields.append(allow + name, value) }
        }
        let origin = head.fields.first("Origin").flatMap { isPlain($0) ? $0 : nil }
        add("Origin", origin ?? "*")
        add("Credentials", "true")
        guard head.method == "OPTIONS" else { return }
        add("Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS")
        if let wanted = head.fields.first("Access-Control-Request-Headers"), isPlain(wanted) { add("Headers", wanted) }
        reply.fields.append("Access-Control-Max-Age", "3600")
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
}
