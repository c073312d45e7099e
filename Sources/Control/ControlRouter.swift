import Foundation
import HTTPBasics
import ScenarioFormat
import ScriptedServer
import ServerScript

/// What the control interface does for each request: everything but HTTP itself.
struct ControlRouter: Sendable {
    /// A wait ends by then in any case.
    static let longestWait = 300_000
    private static let usualWait = 10_000
    private static let mostEntries = 1000

    let server: ScriptedServer

    func answer(_ request: ControlRequest) async -> ControlAnswer {
        do {
            return try await route(request)
        } catch let problem as Problem {
            return problem.answer
        } catch {
            return Problem(500, "It did not work", "\(error)").answer
        }
    }

    private func route(_ request: ControlRequest) async throws -> ControlAnswer {
        switch (request.method, request.path.first, request.path.count) {
        case ("GET", "ready", 1): return ControlAnswer(json: ["ready": true, "url": server.url])
        case ("GET", "openapi.json", 1):
            return ControlAnswer(status: 200, type: "application/json", body: Array(OpenAPI.document.utf8))
        case ("GET", "scopes", 1): return try await scopes(request)
        case ("PUT", "script", 1): return try await load(request)
        case ("POST", "reset", 1): return try await reset(request)
        case ("GET", "verdict", 1): return try await verdict(request)
        case ("GET", "journal", 1): return try await journal(request)
        case ("POST", "wait", 1): return try await wait(request)
        case ("POST", "verify", 1): return try await verify(request)
        case ("POST", "signals", 2): return try await order(.signal(request.path[1]), request)
        case ("POST", "freeze", 1): return try await order(.freeze, request)
        case ("POST", "let-go", 1): return try await order(.letGo, request)
        default: throw ControlRouter.unknown(request)
        }
    }

    private static let methods = [
        "ready": "GET", "openapi.json": "GET", "scopes": "GET", "script": "PUT", "reset": "POST", "verdict": "GET",
        "journal": "GET", "wait": "POST", "verify": "POST", "signals": "POST", "freeze": "POST", "let-go": "POST",
    ]

    private static func unknown(_ request: ControlRequest) -> Problem {
        let path = "/" + request.path.joined(separator: "/")
        if let wanted = methods[request.path.first ?? ""], wanted != request.method {
            var problem = Problem(405, "Wrong method", "\(path) is asked with \(wanted), not \(request.method)")
            problem.allowed = wanted == "GET" ? "GET, HEAD" : wanted
            return problem
        }
        return Problem(404, "Nothing here", "there is no \(path); GET /openapi.json says what there is")
    }

    // MARK: - Scripts and state

    private func order(_ order: ScriptOrder, _ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope"])
        try await carryOut(order, in: try request.scopeIfNamed())
        return .done
    }

    private func carryOut(_ order: ScriptOrder, in scope: String?) async throws {
        switch try await server.order(order, in: scope) {
        case .done: return
        case .full: throw Problem(503, "Too many scopes", "there is no room for the scope '\(scope ?? "")'")
        case .overtaken:
            let text = "a script is in place whose load began later, when this one was still being read"
            throw Problem(409, "Overtaken", text + "; nothing has changed")
        case .unawaited(let name, let awaited):
            let text = "no answer awaits the signal '\(name)'; awaited: "
            let list = awaited.isEmpty ? "none" : awaited.joined(separator: ", ")
            throw Problem(404, "No such signal", text + list, findings: awaited)
        case .nowhere: throw Problem(404, "No such scope", "no script is served at the place of '\(scope ?? "")'")
        }
    }

    private func load(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope", "case"])
        guard let text = String(validating: request.body, as: UTF8.self), !text.isEmpty else {
            throw Problem.bad("the body is the text of a scenario file, in UTF-8")
        }
        let ticket = request.ticket ?? server.loadTicket()
        let name = request.query["case"]
        // Without a folder no file can be read, whatever the text names.
        let result = ScenarioReader.read(text: text, file: "script.yaml", cases: .one(name))
        let findings = result.diagnostics.map { $0.rendered() }
        guard let scenario = result.scenario else {
            throw Problem(422, "Mistakes in the scenario", "nothing has changed", findings: findings)
        }
        guard let chosen = scenario.cases.first else {
            let text = "the scenario has no case '\(name ?? "")'"
            throw Problem(422, "No such case", text, findings: Array(result.caseNames.prefix(100)))
        }
        let scope = try request.scopeIfNamed()
        if let objection = try await objection(to: chosen.script, at: scope) {
            throw Problem(409, "Another server", objection + "; nothing has changed")
        }
        do {
            try await carryOut(.replace(chosen.script, ticket: ticket), in: scope)
        } catch let error as ScriptedServerError {
            throw Problem(422, "Too much to serve", error.description + "; nothing has changed")
        }
        return ControlAnswer(json: ["scenario": scenario.id, "diagnostics": findings])
    }

    private func objection(to script: Script, at scope: String?) async throws -> String? {
        if let objection = server.objection(to: script, at: scope) { return objection }
        guard let scope, !scope.isEmpty, !ScriptMount.hasOwnConnections(scope), script.reading == .lenient,
            try await server.reading() == .strict
        else { return nil }
        return
            "it has reading: lenient, but the server reads strictly: a connection is read before its requests name a scope"
    }

    private func reset(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope"])
        let scope = try request.scopeIfNamed()
        try await carryOut(.reset, in: scope)
        return .done
    }

    // MARK: - What happened

    private func scopes(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery([])
        let list = try await server.scopes().map { scope -> [String: Any] in
            [
                "name": scope.name, "requests": scope.requestCount, "violations": scope.violationCount,
                "underWay": scope.isUnderWay, "consumed": scope.isExhausted, "frozen": scope.isFrozen,
            ]
        }
        return ControlAnswer(json: ["scopes": list])
    }

    private func verdict(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope"])
        let scope = try request.scope()
        guard let verdict = try await server.verdict(of: scope) else { throw Problem.unknownScope(scope) }
        let members: [String: Any] = [
            "fulfilled": verdict.isFulfilled, "requests": verdict.requestCount,
            "violationCount": verdict.violationCount, "violations": verdict.violations,
            "unconsumed": verdict.unconsumed,
        ]
        return ControlAnswer(json: members)
    }

    private func entries(of scope: String) async throws -> (list: [JournalEntry], forgotten: Int) {
        guard let journal = try await server.journal(of: scope) else { throw Problem.unknownScope(scope) }
        return (JournalEntry.list(from: journal.events, numbers: journal.numbers), journal.forgottenRequests)
    }

    private func journal(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope", "method", "path", "status", "violations", "limit", "after"])
        let filter = RequestFilter(method: request.query["method"], path: request.query["path"])
        let isBare = filter == RequestFilter()
        let status = try request.number("status", in: 100...999)
        let after = try request.number("after", in: 0...1_000_000_000)
        let limit = try request.number("limit", in: 1...ControlRouter.mostEntries) ?? ControlRouter.mostEntries
        let wantsViolations: Bool? = try request.query["violations"].map { word in
            guard word == "true" || word == "false" else { throw Problem.bad("'violations' is true or false") }
            return word == "true"
        }
        let journal = try await entries(of: try request.scope())
        let entries = journal.list.filter { entry in
            entry.number > after ?? 0 && (isBare || filter.matches(entry)) && (status == nil || entry.status == status)
                && (wantsViolations == nil || (entry.violation != nil) == wantsViolations)
        }
        // Who goes on behind an entry wants those that follow it; who does not wants the newest.
        let shown = after == nil ? entries.suffix(limit) : entries.prefix(limit)
        let members: [String: Any] = [
            "count": entries.count, "forgotten": journal.forgotten, "entries": shown.map(\.json),
        ]
        return ControlAnswer(json: members)
    }

    private func wait(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope"])
        let object = try request.object(RequestFilter.names.union(["count", "timeout"]))
        let filter = try RequestFilter(object)
        let count = try object.number("count", in: 1...1_000_000) ?? 1
        let span = try object.number("timeout", in: 0...ControlRouter.longestWait) ?? ControlRouter.usualWait
        let scope = try request.scope()
        let result = try await server.waitForEvent(
            count, in: scope, atMost: .milliseconds(span), where: { filter.matches($0) })
        switch result {
        case .happened(let event):
            guard case .request(let recorded) = event.kind else { return .done }
            let members: [String: Any] = [
                "connection": event.peer.value, "exchange": event.exchange + 1, "method": recorded.method,
                "target": Secrets.shown(recorded.target),
            ]
            return ControlAnswer(json: members)
        case .without(let reason, let seen, let missed):
            let end =
                switch reason {
                case .deadline: "waited \(span) ms for"
                case .cancelled: "its client closed its side before"
                case .stopped: "the server ended before"
                }
            var text = "\(end) request \(count) of: \(filter.description); there were \(seen)"
            if missed > 0 { text += "; forgotten, and not counted: \(missed.counting("request")) of the round" }
            throw Problem(408, "It did not come", text)
        case .refused: throw Problem(503, "Too many waits", "wait for fewer things at one time")
        }
    }

    private func verify(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allowQuery(["scope"])
        let verification = try Verification(try request.object(Verification.names))
        let entries = try await entries(of: try request.scope())
        let findings = verification.findings(entries.list, forgotten: entries.forgotten)
        guard findings.isEmpty else {
            throw Problem(409, "Not as wanted", findings.joined(separator: "; "), findings: findings)
        }
        return ControlAnswer(json: ["verified": true])
    }
}
