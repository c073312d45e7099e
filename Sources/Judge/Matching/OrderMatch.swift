import ScenarioFormat

/// `b.complete before a.complete`: the first of the one comes before the first of the other.
package enum OrderMatch {
    /// Nil when the rule holds, or speaks of an event that does not exist in the style.
    package static func difference(
        of rule: OrderRule, events: [SeenEvent], exists: (OrderRule.Place) -> Bool
    ) -> String? {
        guard exists(rule.earlier), exists(rule.later) else { return nil }
        guard let earlier = index(of: rule.earlier, events) else { return "\(name(rule.earlier)) never came" }
        guard let later = index(of: rule.later, events) else { return "\(name(rule.later)) never came" }
        if earlier < later { return nil }
        return "\(name(rule.later)) came at \(EventText.text(events[later].time)), "
            + "before \(name(rule.earlier)) at \(EventText.text(events[earlier].time))"
    }

    private static func index(of place: OrderRule.Place, _ events: [SeenEvent]) -> Int? {
        events.firstIndex { $0.task == place.task && $0.word == place.word }
    }

    private static func name(_ place: OrderRule.Place) -> String { "\(place.task).\(place.word.rawValue)" }
}
