import HTTPBasics
import ServerScript

/// What a client has to send for a case, and what has become of it.
struct CaseGuide {
    let played: CookbookCase
    /// The server's URL, and the client's name for itself.
    let base: String
    let client: String

    /// One line of what is to be sent.
    struct AskedRequest: Hashable {
        var method: String
        var url: String
        /// Conditions besides method and URL, and what else there is to know.
        var demands: [String]
        var times: Int
    }

    var scope: String { played.scope(of: client) }
    private var query: String { client.isEmpty ? "" : "?client=\(client)" }
    private var page: String { "\(base)/case/\(played.id)" }
    var verdictURL: String { "\(page)/verdict\(query)" }

    /// In the order of the script; those of one connection in theirs.
    var requests: [AskedRequest] {
        played.script.steps.enumerated().compactMap { index, step in
            guard case .exchange(let exchange) = step.action, step.times > 0 else { return nil }
            let match = exchange.request
            var demands = step.lane.map { ["over connection \($0)"] } ?? []
            // What a request without anything besides lacks is what is demanded.
            let bare = ReceivedHead(method: match.method ?? "GET", target: match.target ?? "/")
            demands += match.demands(of: bare)
            demands += match.absent.map { "without the field \($0)" }
            if let basic = match.basic { demands.append("user \(basic.user), password \(basic.password)") }
            if let digest = match.digest {
                demands.append("user \(digest.credentials.user), password \(digest.credentials.password)")
            }
            if case .proves(let credentials, let domain) = match.ntlm {
                demands.append("user \(credentials.user), password \(credentials.password), domain '\(domain)'")
            }
            switch match.body {
            case .some(.none): demands.append("no body")
            case .equals: demands.append("with the body \(page)/body/\(index)")
            case .prefix: demands.append("with a body that begins like \(page)/body/\(index)")
            case nil: break
            }
            if match.sliceOf != nil {
                demands.append("with a part of the body \(page)/body/\(index), by Content-Range")
            }
            if match.multipart != nil {
                demands.append("with a form (multipart/form-data) of the parts that the script has")
            }
            let target = match.target.map { $0.utf8.last == UInt8(ascii: "*") ? "\($0.dropLast())…" : $0 } ?? "/…"
            return AskedRequest(
                method: match.method ?? "any method", url: "\(base)\(ScopeName.prefix)\(scope)\(target)",
                demands: demands, times: step.times)
        }
    }

    /// The body that a request of this step must have.
    func body(of step: Int) -> Content? {
        guard played.script.steps.indices.contains(step),
            case .exchange(let exchange) = played.script.steps[step].action
        else { return nil }
        switch exchange.request.body {
        case .equals(let content), .prefix(let content): return content
        case .some(.none), nil: return exchange.request.sliceOf
        }
    }

    // MARK: - The page

    var text: String {
        var text = "\(played.id)\n"
        if !played.about.isEmpty { text += "  \(played.about)\n" }
        if let obstacle = played.obstacle {
            return text + "\nOnly the scenario's own client can play it: \(obstacle).\n"
        }
        text += "\nThe server waits for these requests, in this order:\n\n"
        for (index, request) in requests.enumerated() {
            let times = request.times > 1 ? " (\(request.times) times)" : ""
            text += "  \(index + 1). \(request.method) \(request.url)\(times)\n"
            text += request.demands.map { "       \($0)\n" }.joined()
        }
        return text + """

            A client that sends the field \(ScopeName.field): \(scope) may leave out \(ScopeName.prefix)\(scope) in URLs.
            The verdict: curl \(verdictURL)
            To begin anew: curl -X POST \(page)\(query)
            Clients at the same time give themselves names: \(page)?client=a

            """
    }

    var json: AnswerJSON {
        var members: [(name: String, value: AnswerJSON)] = [
            ("case", .text(played.id)), ("about", .text(played.about)),
            ("obstacle", played.obstacle.map { .text($0) } ?? .null),
        ]
        if played.obstacle == nil {
            let list = requests.map { request in
                AnswerJSON.object([
                    ("method", .text(request.method)), ("url", .text(request.url)),
                    ("demands", .array(request.demands.map { .text($0) })), ("times", .number(request.times)),
                ])
            }
            members += [
                ("scope", .text(scope)), ("requests", .array(list)), ("verdict", .text(verdictURL)),
                ("reset", .text("POST \(page)\(query)")),
            ]
        }
        return .object(members)
    }
}
