import ScenarioFormat

/// An expectation without what its author left open: of alternatives only the one that came true, of `maybe` what came.
///
/// A mistake in a branch that was not taken cannot be found.
enum NarrowedExpectation {
    /// - Parameter holds: Whether what was seen is as expected.
    static func of(_ expectation: Expectation, holds: (Expectation) -> Bool) -> Expectation {
        var narrowed = expectation
        for index in narrowed.tasks.indices {
            guard let events = narrowed.tasks[index].events else { continue }
            narrowed.tasks[index].events = list(events) { events in
                var other = narrowed
                other.tasks[index].events = events
                return holds(other)
            }
        }
        return narrowed
    }

    private static func list(_ patterns: [EventPattern], _ holds: ([EventPattern]) -> Bool) -> [EventPattern] {
        var narrowed = patterns
        for index in narrowed.indices {
            narrowed[index] = one(narrowed[index]) { pattern in
                var other = narrowed
                other[index] = pattern
                return holds(other)
            }
        }
        return narrowed
    }

    private static func one(_ pattern: EventPattern, _ holds: (EventPattern) -> Bool) -> EventPattern {
        switch pattern {
        case .never, .anything: return pattern
        // Whether a handler's task tells of it is open (BEHAVIOUR 1.I3).
        case .event(let match) where match.word == .sent && holds(.maybe([])): return .maybe([])
        case .event(let match):
            guard match.outcomes.count > 1 else { return pattern }
            let single = match.outcomes.map { outcome in
                var other = match
                other.outcomes = [outcome]
                return EventPattern.event(other)
            }
            return single.first(where: holds) ?? pattern
        case .maybe(let matches):
            let came = matches.indices.reversed().reduce(into: matches) { came, index in
                var fewer = came
                fewer.remove(at: index)
                if holds(.maybe(fewer)) { came = fewer }
            }
            return .maybe(came)
        case .unordered(let inner): return .unordered(list(inner) { holds(.unordered($0)) })
        case .repeat(let range, let inner):
            let often = range.first { holds(.repeat($0...$0, inner)) }.map { $0...$0 } ?? range
            return .repeat(often, one(inner) { holds(.repeat(often, $0)) })
        case .anyOf(let lists):
            guard let taken = lists.first(where: { holds(.anyOf([$0])) }) else { return pattern }
            return .anyOf([list(taken) { holds(.anyOf([$0])) }])
        }
    }
}
