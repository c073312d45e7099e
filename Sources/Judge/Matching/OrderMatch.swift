import HTTPBasics
import ScenarioFormat

/// `b.complete before a.complete`: the first of the one comes before the first of the other.
package enum OrderMatch {
    /// When something came, and its place among what was told of its side.
    private struct Moment {
        var instant: Instant
        var index: Int
        var isOnWire: Bool
    }

    /// Nil when the rule holds, or speaks of an event that does not exist in the style.
    package static func difference(
        of rule: OrderRule, in observation: CaseObservation, exists: (_ task: String, EventWord) -> Bool
    ) -> String? {
        guard rule.events.allSatisfy({ exists($0.task, $0.word) }) else { return nil }
        guard let earlier = moment(of: rule.earlier, observation) else { return "\(rule.earlier.text) never came" }
        guard let later = moment(of: rule.later, observation) else { return "\(rule.later.text) never came" }
        let isInOrder =
            earlier.isOnWire == later.isOnWire ? earlier.index < later.index : earlier.instant < later.instant
        if isInOrder { return nil }
        return "\(rule.later.text) came at \(EventText.text(later.instant)), "
            + "before \(rule.earlier.text) at \(EventText.text(earlier.instant))"
    }

    private static func moment(of place: OrderRule.Place, _ observation: CaseObservation) -> Moment? {
        switch place {
        case .event(let task, let word):
            let events = observation.journal.events
            return events.firstIndex { $0.task == task && $0.word == word }.map {
                Moment(instant: events[$0].time, index: $0, isOnWire: false)
            }
        case .request(let line):
            let requests = WireMatch.requests(in: observation.server)
            return requests.firstIndex { $0.line == line }.map { index in
                let instant = requests[index].instant.nanoseconds &- observation.start.nanoseconds
                return Moment(instant: Instant(nanoseconds: instant), index: index, isOnWire: true)
            }
        }
    }
}
