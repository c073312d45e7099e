import HTTPBasics
import ServerScript

/// What a test wants to have been asked: how often each, and in which order.
package struct Verification: Sendable {
    struct Demand: Sendable {
        var filter: RequestFilter
        var counts: ClosedRange<Int>
    }

    static let mostItems = 256
    package static let names: Set<String> = ["requests", "ordered", "closed"]
    private static let demandNames = RequestFilter.names.union(["count", "atLeast", "atMost"])

    var items: [Demand]
    /// Each group of requests comes behind those of the item before it.
    var isOrdered = false
    /// Requests that no item means are wrong.
    var isClosed = false

    init(items: [Demand], isOrdered: Bool = false, isClosed: Bool = false) {
        self.items = items
        self.isOrdered = isOrdered
        self.isClosed = isClosed
    }

    package init(_ object: JSONObject) throws {
        guard let list = try object.objects("requests", Verification.demandNames) else {
            throw Problem.bad("the body has no 'requests'")
        }
        guard list.count <= Verification.mostItems else {
            throw Problem.bad("'requests' has more than \(Verification.mostItems) items")
        }
        items = try list.map { item in
            let most = 1_000_000_000
            let exact = try item.number("count", in: 0...most)
            let least = try item.number("atLeast", in: 0...most), atMost = try item.number("atMost", in: 0...most)
            guard exact == nil || least == nil && atMost == nil else {
                throw Problem.bad("'count' stands alone, without 'atLeast' and 'atMost'")
            }
            let (lower, upper) = (exact ?? least ?? (atMost == nil ? 1 : 0), exact ?? atMost ?? most)
            guard lower <= upper else { throw Problem.bad("'atLeast' is more than 'atMost'") }
            return Demand(filter: try RequestFilter(item), counts: lower...upper)
        }
        isOrdered = try object.flag("ordered") ?? false
        isClosed = try object.flag("closed") ?? false
    }

    /// What is not as wanted; empty when all is. Where requests are `forgotten` nothing is certain.
    func findings(_ entries: [JournalEntry], forgotten: Int = 0) -> [String] {
        var findings: [String] = []
        if forgotten > 0 {
            findings.append("forgotten, and not counted: \(forgotten.counting("request")) of the round")
        }
        for item in items {
            let count = entries.count(where: item.filter.matches)
            if !item.counts.contains(count) {
                findings.append("\(item.filter.description): wanted \(Verification.text(item.counts)), got \(count)")
            }
        }
        if isOrdered { findings += order(entries) }
        if isClosed {
            let others = entries.filter { entry in !items.contains { $0.filter.matches(entry) } }
            findings += others.prefix(20).map { "not wanted: \($0.method) \(Secrets.shown($0.target)) (\($0.number))" }
            if others.count > 20 { findings.append("and \(others.count - 20) more") }
        }
        return findings
    }

    /// Every request of an item comes before every one of the next: the last of the one, the first of the other.
    private func order(_ entries: [JournalEntry]) -> [String] {
        zip(items, items.dropFirst()).compactMap { first, second in
            guard let last = entries.last(where: first.filter.matches),
                let next = entries.first(where: second.filter.matches), last.number >= next.number,
                first.filter != second.filter
            else { return nil }
            let places = "(\(next.number) before \(last.number))"
            return "order: wanted \(first.filter.description) before \(second.filter.description) \(places)"
        }
    }

    private static func text(_ counts: ClosedRange<Int>) -> String {
        if counts.lowerBound == counts.upperBound { return "\(counts.lowerBound)" }
        if counts.upperBound == 1_000_000_000 { return "at least \(counts.lowerBound)" }
        return counts.lowerBound == 0 ? "at most \(counts.upperBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    }
}
