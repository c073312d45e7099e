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
    private var exchanges: [(step: Step, exchange: Exchange)] {
        played.script.steps.compactMap { step in
            guard case .exchange(let exchange) = step.action, step.times > 0 else { return nil }
            return (step, exchange)
        }
    }

    var requests: [AskedRequest] {
        exchanges.enumerated().map { index, asked in
            let (step, exchange) = asked
            let place = "\(page)/body/\(index + 1)"
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
            if let body = match.body { demands += self.demands(of: body, place) }
            if match.sliceOf != nil {
                demands.append("with a part of the body \(place), by Content-Range")
            }
            if match.multipart != nil {
                demands.append("with a form (multipart/form-data) of the parts that the script has")
            }
            for case .requestBody(let count) in exchange.faults.map(\.landmark) {
                demands.append("with a body of at least \(count.counting("byte")): something happens there")
            }
            let target = match.target.map { $0.utf8.last == UInt8(ascii: "*") ? "\($0.dropLast())…" : $0 } ?? "/…"
            return AskedRequest(
                method: match.method ?? "any method", url: "\(base)\(ScopeName.prefix)\(scope)\(target)",
                demands: demands, times: step.times)
        }
    }

    /// - Parameter place: Where the client finds the body that it is held against.
    private func demands(of body: RequestMatch.BodyRule, _ place: String) -> [String] {
        switch body {
        case .none: ["no body"]
        case .equals: ["with the body \(place)"]
        case .prefix: ["with a body that begins like \(place)"]
        case .contains(let part): ["with this in the body: \(part)"]
        case .matches(let pattern): ["with a body that matches /\(pattern.source)/"]
        case .json(let value): ["with the JSON \(value.text)"]
        case .jsonSubset(let value): ["with JSON that has at least \(value.text)"]
        case .sha256(let sum): ["with a body whose SHA-256 is \(sum)"]
        case .form:
            body.differences(in: []).map {
                $0.replacing("wanted ", with: "", maxReplacements: 1).replacing(", got none", with: "")
            }
        }
    }

    /// The body that the request of this number must have, from 1 as the page counts them.
    func body(_ number: Int) -> Content? {
        guard exchanges.indices.contains(number - 1) else { return nil }
        let request = exchanges[number - 1].exchange.request
        switch request.body {
        case .equals(let content), .prefix(let content): return content
        default: return request.sliceOf
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
        if !played.unjudged.isEmpty {
            text += "\nNot judged here, but by 'understudy run': \(played.unjudged.joined(separator: ", ")).\n"
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
                ("unjudged", .array(played.unjudged.map { .text($0) })),
            ]
        }
        return .object(members)
    }
}
