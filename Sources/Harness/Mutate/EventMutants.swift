import HTTPBasics
import ScenarioFormat
import ServerScript

/// Lists of events with one thing made wrong.
enum EventMutants {
    typealias Mutant = (change: String, mark: SourceMark?, list: [EventPattern])

    static func all(of list: [EventPattern]) -> [Mutant] { all(of: list, isOrdered: true, isClosed: true) }

    /// - Parameters:
    ///   - isOrdered: Whether the place in the list says something.
    ///   - isClosed: No `anything` stands around that could swallow what is left out, or comes at another place.
    private static func all(of list: [EventPattern], isOrdered: Bool, isClosed: Bool) -> [Mutant] {
        let isClosed = isClosed && !list.contains(.anything)
        return list.indices.flatMap { index -> [Mutant] in
            var found = all(of: list[index], isClosed: isClosed).map { mutant in
                var mutated = list
                mutated[index] = mutant.pattern
                return (change: mutant.change, mark: mutant.mark, list: mutated)
            }
            guard isClosed, case .event(let match) = list[index] else { return found }
            // Some are looked at only where they are listed: a list without them says nothing of them.
            if !EventWord.incidental.contains(match.word) {
                var shorter = list
                shorter.remove(at: index)
                found.append(("no \(match.word.rawValue)", match.mark, shorter))
            }
            if match.word == .created || !isOrdered { return found }
            if index + 1 < list.count, case .event(let next) = list[index + 1], next.word != match.word {
                var swapped = list
                swapped.swapAt(index, index + 1)
                found.append(("\(next.word.rawValue) before \(match.word.rawValue)", match.mark, swapped))
            }
            return found
        }
    }

    private static func all(
        of pattern: EventPattern, isClosed: Bool
    ) -> [(change: String, mark: SourceMark?, pattern: EventPattern)] {
        switch pattern {
        case .event(let match):
            return changes(of: match).map { ("\(match.word.rawValue) with \($0)", match.mark, .event($1)) }
        case .maybe(let matches):
            return matches.indices.flatMap { index in
                changes(of: matches[index]).map { change, other in
                    var mutated = matches
                    mutated[index] = other
                    return ("\(other.word.rawValue) with \(change)", other.mark, .maybe(mutated))
                }
            }
        case .unordered(let inner):
            return all(of: inner, isOrdered: false, isClosed: isClosed).map {
                ($0.change, $0.mark, .unordered($0.list))
            }
        case .anyOf(let lists):
            guard lists.count == 1, let list = lists.first else { return [] }
            return all(of: list, isOrdered: true, isClosed: isClosed).map { ($0.change, $0.mark, .anyOf([$0.list])) }
        case .repeat(let range, let inner):
            let more = range.upperBound + 1
            let often: [(String, SourceMark?, EventPattern)] =
                isClosed && range.upperBound > 0 && isSomething(inner)
                ? [("one more of what repeats", nil, .repeat(more...more, inner))] : []
            return often + all(of: inner, isClosed: isClosed).map { ($0.change, $0.mark, .repeat(range, $0.pattern)) }
        case .never, .anything: return []
        }
    }

    /// What may be nothing may come once more as well.
    private static func isSomething(_ pattern: EventPattern) -> Bool {
        switch pattern {
        case .event, .unordered, .anyOf: true
        case .maybe, .repeat, .never, .anything: false
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
        switch match.total {
        case .exactly(let total): add("another total") { $0.total = .exactly(total + 1) }
        case .atLeast: add("too high a least total") { $0.total = .atLeast(.max) }
        case .atMost: add("too low a greatest total") { $0.total = .atMost(0) }
        case nil: break
        }
        if match.mimeType != nil { add("another type") { $0.mimeType = "x/y" } }
        if match.encoding != nil { add("another encoding") { $0.encoding = "x" } }
        if match.filename != nil { add("another file name") { $0.filename = "x" } }
        if let expected = match.expected { add("another expected length") { $0.expected = expected + 1 } }
        if let offset = match.offset { add("another offset") { $0.offset = offset + 1 } }
        if let realm = match.realm { add("another realm") { $0.realm = realm + "x" } }
        if let level = match.level { add("the other level") { $0.level = level == .task ? .session : .task } }
        if let failures = match.previousFailures {
            add("another count of failures") { $0.previousFailures = failures + 1 }
        }
        if match.content != nil { add("other content") { $0.content = .bytes(Array("no content is this".utf8)) } }
        for (index, name) in match.absent.enumerated() {
            add("\(name) is there") {
                $0.absent.remove(at: index)
                $0.fields.append(.init(name, .present))
            }
        }
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
            add("no transaction \(index)") { $0.transactions?.remove(at: index) }
        }
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
