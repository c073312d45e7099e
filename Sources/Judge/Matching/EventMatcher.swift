import ScenarioFormat
import ServerScript

/// Compares an ordered, closed list of patterns with what was seen, by backtracking.
package enum EventMatcher {
    /// Where the best attempt stopped.
    package struct Mismatch: Hashable, Sendable {
        /// The event that found no place; the number of events when something is missing at the end.
        package var seenIndex: Int
        /// What could have stood there, best first; empty when the list was over.
        package var expected: [String]
        /// Why the event is none of those, where it is at least of the same kind.
        package var reason: String?
        package var mark: SourceMark?
    }

    /// Patterns are few, events merged; a list that needs more than this is ambiguous beyond use.
    static let budget = 200_000

    package static func mismatch(_ patterns: [EventPattern], against seen: [SeenEvent]) -> Mismatch? {
        // Ignored unless the scenario lists them (SCENARIO-FORMAT 'How events are matched').
        let ignored = Words.ignored(in: patterns)
        let relevant = seen.filter { !ignored.contains($0.word) }
        let attempt = Attempt(relevant, forbidden: Words.forbidden(in: patterns), budget: budget)
        if attempt.list(patterns[...], 0, { attempt.atEnd($0) }) { return nil }
        if attempt.isExhausted {
            return Mismatch(seenIndex: 0, expected: [], reason: "the list is too ambiguous to be compared")
        }
        var furthest = attempt.furthest
        // What `anything` has swallowed may be the very completion that is wanted, only another one.
        if furthest.seenIndex == relevant.count, let other = attempt.otherCompletion { furthest = other }
        furthest.seenIndex = seen.index(ofRelevant: furthest.seenIndex, skipping: ignored)
        return furthest
    }
}

extension [SeenEvent] {
    /// The index in the whole list of the nth event that took part in the comparison.
    fileprivate func index(ofRelevant wanted: Int, skipping ignored: Set<EventWord>) -> Int {
        var position = 0
        for (index, event) in enumerated() where !ignored.contains(event.word) {
            if position == wanted { return index }
            position += 1
        }
        return count
    }
}

/// One comparison under way. Each step is given what must hold afterwards, so every choice can be taken back.
private final class Attempt {
    private let seen: [SeenEvent]
    private let forbidden: Set<EventWord>
    private var budget: Int
    private(set) var furthest = EventMatcher.Mismatch(seenIndex: 0, expected: [])
    private(set) var otherCompletion: EventMatcher.Mismatch?

    init(_ seen: [SeenEvent], forbidden: Set<EventWord>, budget: Int) {
        self.seen = seen
        self.forbidden = forbidden
        self.budget = budget
    }

    var isExhausted: Bool { budget <= 0 }

    func atEnd(_ position: Int) -> Bool {
        if position == seen.count { return true }
        note(position, expected: nil, mark: nil)
        return false
    }

    func list(_ patterns: ArraySlice<EventPattern>, _ position: Int, _ next: (Int) -> Bool) -> Bool {
        budget -= 1
        guard budget > 0 else { return false }
        guard let first = patterns.first else { return next(position) }
        return one(first, position) { list(patterns.dropFirst(), $0, next) }
    }

    private func one(_ pattern: EventPattern, _ position: Int, _ next: (Int) -> Bool) -> Bool {
        switch pattern {
        case .event(let match): return accepts(match, position) && next(position + 1)
        case .maybe(let matches): return maybe(matches[...], position, next)
        case .unordered(let patterns): return unordered(patterns, position, next)
        case .never: return next(position)
        case .anything: return anything(position, next)
        case .repeat(let range, let pattern): return repeated(pattern, range, done: 0, position, next)
        case .anyOf(let lists): return lists.contains { list($0[...], position, next) }
        }
    }

    private func accepts(_ match: EventMatch, _ position: Int) -> Bool {
        guard position < seen.count else {
            note(position, expected: match, reason: nil, mark: match.mark)
            return false
        }
        guard let difference = match.difference(from: seen[position]) else { return true }
        if match.word == .complete, seen[position].word == .complete {
            otherCompletion = EventMatcher.Mismatch(
                seenIndex: position, expected: [EventText.text(match)], reason: difference, mark: match.mark)
        }
        note(position, expected: match, reason: match.word == seen[position].word ? difference : nil, mark: match.mark)
        return false
    }

    private func maybe(_ matches: ArraySlice<EventMatch>, _ position: Int, _ next: (Int) -> Bool) -> Bool {
        budget -= 1
        guard budget > 0 else { return false }
        guard let first = matches.first else { return next(position) }
        let rest = matches.dropFirst()
        return accepts(first, position) && maybe(rest, position + 1, next) || maybe(rest, position, next)
    }

    private func unordered(_ patterns: [EventPattern], _ position: Int, _ next: (Int) -> Bool) -> Bool {
        budget -= 1
        guard budget > 0 else { return false }
        if patterns.isEmpty { return next(position) }
        return patterns.indices.contains { index in
            var rest = patterns
            let chosen = rest.remove(at: index)
            return one(chosen, position) { unordered(rest, $0, next) }
        }
    }

    /// As little as possible is skipped; never an event that the list forbids.
    private func anything(_ position: Int, _ next: (Int) -> Bool) -> Bool {
        var end = position
        while true {
            budget -= 1
            guard budget > 0 else { return false }
            if next(end) { return true }
            guard end < seen.count, !forbidden.contains(seen[end].word) else { return false }
            end += 1
        }
    }

    private func repeated(
        _ pattern: EventPattern, _ range: ClosedRange<Int>, done: Int, _ position: Int, _ next: (Int) -> Bool
    ) -> Bool {
        budget -= 1
        guard budget > 0 else { return false }
        if done < range.upperBound {
            let goesOn = one(pattern, position) { after in
                // A pattern that consumed nothing would do so for ever: it counts for all its repetitions.
                after == position ? next(after) : repeated(pattern, range, done: done + 1, after, next)
            }
            if goesOn { return true }
        }
        return done >= range.lowerBound && next(position)
    }

    /// Keeps the attempt that came furthest; attempts that came equally far add up to alternatives.
    private func note(_ position: Int, expected: EventMatch?, reason: String? = nil, mark: SourceMark?) {
        guard position >= furthest.seenIndex else { return }
        if position > furthest.seenIndex { furthest = EventMatcher.Mismatch(seenIndex: position, expected: []) }
        furthest.reason = furthest.reason ?? reason
        furthest.mark = furthest.mark ?? mark
        guard let text = expected.map(EventText.text), !furthest.expected.contains(text), furthest.expected.count < 8
        else { return }
        furthest.expected.append(text)
    }
}

/// Which words a list of patterns speaks of.
enum Words {
    /// The words of `never`: no `anything` may swallow them, wherever in the list it stands.
    static func forbidden(in patterns: [EventPattern]) -> Set<EventWord> {
        var words: Set<EventWord> = []
        walk(patterns) { if case .never(let list) = $0 { words.formUnion(list) } }
        return words
    }

    /// Words that need not be listed, and are not listed here.
    static func ignored(in patterns: [EventPattern]) -> Set<EventWord> {
        EventWord.incidental.subtracting(listed(in: patterns)).subtracting(forbidden(in: patterns))
    }

    /// The words that some pattern wants, or at least allows, by name.
    static func listed(in patterns: [EventPattern]) -> Set<EventWord> {
        var words: Set<EventWord> = []
        walk(patterns) { pattern in
            switch pattern {
            case .event(let match): words.insert(match.word)
            case .maybe(let matches): words.formUnion(matches.map(\.word))
            default: break
            }
        }
        return words
    }

    /// Whether some pattern looks at the fields of a response.
    static func compareFields(_ patterns: [EventPattern]) -> Bool {
        func compares(_ match: EventMatch) -> Bool { !match.fields.isEmpty || !match.names.isEmpty }
        var comparesAny = false
        walk(patterns) { pattern in
            switch pattern {
            case .event(let match): comparesAny = comparesAny || compares(match)
            case .maybe(let matches): comparesAny = comparesAny || matches.contains(where: compares)
            default: break
            }
        }
        return comparesAny
    }

    private static func walk(_ patterns: [EventPattern], _ visit: (EventPattern) -> Void) {
        for pattern in patterns {
            visit(pattern)
            switch pattern {
            case .event, .maybe, .never, .anything: break
            case .unordered(let inner): walk(inner, visit)
            case .repeat(_, let inner): walk([inner], visit)
            case .anyOf(let lists): for list in lists { walk(list, visit) }
            }
        }
    }
}
