import HTTPBasics
import ScenarioFormat
import ServerScript

/// One expectation with one thing in it made wrong on purpose: a judge that still passes it judges nothing.
package struct ExpectationMutant: Sendable {
    /// What was changed, to follow `survives: `.
    package var change: String
    package var mark: SourceMark?
    package var expectation: Expectation
}

/// Every way to make an expectation wrong that can be told from the right one.
///
/// What may be one thing or another by the author's will was narrowed to what came (`NarrowedExpectation`). Left alone
/// are `never`, and the place of what stands beside `anything`.
package struct ExpectationMutants {
    private let original: Expectation
    private var mutants: [ExpectationMutant] = []

    package static func all(of expectation: Expectation) -> [ExpectationMutant] {
        var generator = ExpectationMutants(original: expectation)
        generator.generate()
        return generator.mutants
    }

    private init(original: Expectation) { self.original = original }

    private mutating func generate() {
        for index in original.tasks.indices { generate(task: index) }
        if let connections = original.connections {
            add("one connection more") { $0.connections = connections.upperBound + 1...connections.upperBound + 1 }
        }
        if let attempts = original.attempts { add("one attempt more") { $0.attempts = attempts + 1 } }
        if let files = original.temporaryFiles { add("one file more on disk") { $0.temporaryFiles = files + 1 } }
        for (index, rule) in original.order.enumerated() {
            add("the order turned round", rule.mark) {
                $0.order[index] = OrderRule(rule.later, before: rule.earlier, mark: rule.mark)
            }
        }
        for (index, rule) in original.closes.enumerated() {
            add("closed by the other side", rule.mark) { $0.closes[index].byClient.toggle() }
        }
        if original.becomesInvalid == true { add("a session that stays valid") { $0.becomesInvalid = false } }
        for (index, entry) in (original.wire ?? []).enumerated() {
            for place in entry.requests.indices { generate(request: place, in: index) }
        }
        if let cookies = original.cookies { generate(cookies) }
    }

    private mutating func generate(_ cookies: [CookieMatch]) {
        let mark = original.cookiesMark ?? SourceMark(file: "", line: 0, column: 0)
        let stranger = CookieMatch(name: "~no-cookie-has-this-name", value: nil, mark: mark)
        add("one cookie more", original.cookiesMark) { $0.cookies?.append(stranger) }
        for (index, cookie) in cookies.enumerated() {
            func add(_ change: String, _ mutate: (inout CookieMatch) -> Void) {
                var other = cookie
                mutate(&other)
                self.add("\(change) of cookie \(cookie.name)", cookie.mark) { $0.cookies?[index] = other }
            }
            if cookie.value != nil { add("another value") { $0.value = "no value is this" } }
            if cookie.path != nil { add("another path") { $0.path = "/no/path/is/this" } }
            if cookie.host != nil || cookie.domain != nil {
                add("another domain") { ($0.host, $0.domain) = (nil, ".no.domain.is.this") }
            }
            if let flag = cookie.isSecure { add("another security") { $0.isSecure = !flag } }
            if let flag = cookie.isHTTPOnly { add("another visibility") { $0.isHTTPOnly = !flag } }
            if let word = cookie.sameSite { add("another policy") { $0.sameSite = word == "lax" ? "strict" : "lax" } }
            if case .session? = cookie.expiry { add("a date") { $0.expiry = .within(.zero...(.seconds(1 << 40))) } }
            if case .within? = cookie.expiry { add("no date") { $0.expiry = .session } }
        }
    }

    private mutating func generate(request place: Int, in index: Int) {
        guard let entry = original.wire?[index] else { return }
        let request = entry.requests[place]
        func add(_ change: String, _ mutate: @escaping (inout WireExpectation) -> Void) {
            var other = request
            mutate(&other)
            self.add("\(change) on the wire", request.mark) { $0.wire?[index] = entry.replacing(place, with: other) }
        }
        self.add("one request less on the wire", request.mark) { $0.wire?[index] = entry.replacing(place, with: nil) }
        add("another request") { $0.line += "x" }
        for (place, rule) in request.fields.enumerated() {
            add("another \(rule.name)") { $0.fields[place] = .init(rule.name, .equals("no value is this")) }
            add("no \(rule.name)") { $0.absent.append(rule.name) }
        }
        for (place, name) in request.absent.enumerated() {
            add("some \(name)") {
                $0.absent.remove(at: place)
                $0.fields.append(.init(name, .present))
            }
        }
        let other = Content.bytes(Array("no body is this".utf8))
        guard let body = request.body else { return }
        if case .prefix = body {
            add("a beginning of another body") { $0.body = .prefix(of: other) }
        } else {
            add("another body") { $0.body = .equals(other) }
        }
    }

    private mutating func generate(task index: Int) {
        let task = original.tasks[index]
        if let events = task.events {
            for (change, mark, list) in EventMutants.all(of: events) {
                add(change, mark) { $0.tasks[index].events = list }
            }
        }
        if task.body != nil {
            add("another body", task.mark) { $0.tasks[index].body = .bytes(Array("no body is this".utf8)) }
        }
        for (number, rule) in task.timing.enumerated() {
            let late = rule.within.upperBound + .seconds(10)
            add("a later window", rule.mark) { $0.tasks[index].timing[number].within = late...(late + .seconds(1)) }
            guard rule.within.lowerBound > .zero else { continue }
            add("an earlier window", rule.mark) { $0.tasks[index].timing[number].within = .zero...(.nanoseconds(1)) }
        }
    }

    private mutating func add(_ change: String, _ mark: SourceMark? = nil, _ mutate: (inout Expectation) -> Void) {
        var expectation = original
        mutate(&expectation)
        mutants.append(ExpectationMutant(change: change, mark: mark, expectation: expectation))
    }
}
