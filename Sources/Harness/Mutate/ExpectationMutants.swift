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
/// Left alone is what may be one thing or another by the author's will: `maybe`, `never`, alternatives, lower and upper
/// bounds of sizes.
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
            add("one connection more") { $0.connections = connections + 1 }
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
        guard let wire = original.wire else { return }
        for (index, request) in wire.enumerated() {
            add("another request on the wire", request.mark) { $0.wire?[index].line += "x" }
            add("one request less on the wire", request.mark) { $0.wire?.remove(at: index) }
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

/// Lists of events with one thing made wrong.
private enum EventMutants {
    typealias Mutant = (change: String, mark: SourceMark?, list: [EventPattern])

    static func all(of list: [EventPattern]) -> [Mutant] {
        // What `anything` may swallow can neither be left out nor come at another place with certainty.
        let isStrict = !list.contains { if case .event = $0 { false } else { true } }
        return list.indices.flatMap { index -> [Mutant] in
            guard case .event(let match) = list[index] else { return [] }
            var found: [Mutant] = changes(of: match).map { change, other in
                var mutated = list
                mutated[index] = .event(other)
                return ("\(match.word.rawValue) with \(change)", match.mark, mutated)
            }
            guard isStrict else { return found }
            // Some are looked at only where they are listed: a list without them says nothing of them.
            if !EventWord.incidental.contains(match.word) {
                var shorter = list
                shorter.remove(at: index)
                found.append(("no \(match.word.rawValue)", match.mark, shorter))
            }
            if match.word == .created { return found }
            if index + 1 < list.count, case .event(let next) = list[index + 1], next.word != match.word {
                var swapped = list
                swapped.swapAt(index, index + 1)
                found.append(("\(next.word.rawValue) before \(match.word.rawValue)", match.mark, swapped))
            }
            return found
        }
    }

    private static func changes(of match: EventMatch) -> [(String, EventMatch)] {
        var found: [(String, EventMatch)] = []
        func add(_ change: String, _ mutate: (inout EventMatch) -> Void) {
            var other = match
            mutate(&other)
            found.append((change, other))
        }
        if let status = match.status { add("another status") { $0.status = status + 1 } }
        if let url = match.url { add("another URL") { $0.url = url + "x" } }
        if let target = match.to { add("another target") { $0.to = target + "x" } }
        if case .exactly(let total) = match.total { add("another total") { $0.total = .exactly(total + 1) } }
        if let expected = match.expected { add("another expected length") { $0.expected = expected + 1 } }
        if let offset = match.offset { add("another offset") { $0.offset = offset + 1 } }
        if let realm = match.realm { add("another realm") { $0.realm = realm + "x" } }
        if let failures = match.previousFailures {
            add("another count of failures") { $0.previousFailures = failures + 1 }
        }
        if match.content != nil { add("other content") { $0.content = .bytes(Array("no content is this".utf8)) } }
        for (index, rule) in match.fields.enumerated() {
            add("another field \(rule.name)") {
                $0.fields[index] = .init(rule.name, .equals("no value is this"))
            }
        }
        if let redirects = match.redirects { add("another count of redirects") { $0.redirects = redirects + 1 } }
        for (index, transaction) in (match.transactions ?? []).enumerated() {
            for (change, other) in TransactionMutants.all(of: transaction) {
                add("\(change) in transaction \(index)") { $0.transactions?[index] = other }
            }
        }
        if match.transactions?.isEmpty == false { add("one transaction less") { $0.transactions?.removeLast() } }
        if !match.outcomes.isEmpty { add("another outcome") { $0.outcomes = [other(than: match.outcomes)] } }
        for (index, outcome) in match.outcomes.enumerated() {
            guard match.outcomes.count == 1, case .failure(let code, let hasResumeData?) = outcome else { continue }
            add("the opposite of resume data") {
                $0.outcomes[index] = .failure(code: code, hasResumeData: !hasResumeData)
            }
        }
        return found
    }

    private static func other(than outcomes: [EventMatch.Outcome]) -> EventMatch.Outcome {
        outcomes.contains(.success) ? .failure(code: "backgroundSessionWasDisconnected", hasResumeData: nil) : .success
    }
}

/// Transactions with one property made wrong.
private enum TransactionMutants {
    static func all(of match: TransactionMatch) -> [(change: String, transaction: TransactionMatch)] {
        var found: [(String, TransactionMatch)] = []
        func add(_ change: String, _ mutate: (inout TransactionMatch) -> Void) {
            var other = match
            mutate(&other)
            found.append((change, other))
        }
        if let request = match.request { add("another request") { $0.request = request + "x" } }
        switch match.status {
        case .exactly(let status): add("another status") { $0.status = .exactly(status + 1) }
        case TransactionMatch.Status.none?: add("a status") { $0.status = .exactly(200) }
        case nil: break
        }
        if let isReused = match.isReused { add("the opposite of reused") { $0.isReused = !isReused } }
        if let family = match.family { add("another family") { $0.family = family == "v6" ? "v4" : "v6" } }
        if let name = match.protocolName { add("another protocol") { $0.protocolName = name + "x" } }
        if let phases = match.phases { add("other phases") { $0.phases = phases.isEmpty ? [.lookup] : [] } }
        if let phases = match.unfinished {
            add("other unfinished phases") { $0.unfinished = phases.isEmpty ? [.lookup] : [] }
        }
        for path in [\TransactionMatch.sent, \.sentPlain, \.received, \.receivedPlain] {
            if let bytes = match[keyPath: path] { add("another number of bytes") { $0[keyPath: path] = bytes + 1 } }
        }
        return found
    }
}
