import ScenarioFormat
import ServerScript

/// Requests whose order is free, and what came in their place: which is which is found so that as many as possible fit,
/// since one request may be what several of them demand.
struct UnorderedWire {
    private let wanted: [WireExpectation]
    private let requests: [WireRequest]
    /// Which request each of the wanted ones is.
    private var places: [Int?]

    init(_ wanted: [WireExpectation], _ requests: [WireRequest]) {
        self.wanted = wanted
        self.requests = requests
        places = Array(repeating: nil, count: wanted.count)
        for request in requests.indices {
            var tried: Set<Int> = []
            _ = place(request, &tried)
        }
    }

    /// Others make room where they fit elsewhere.
    private mutating func place(_ request: Int, _ tried: inout Set<Int>) -> Bool {
        for index in wanted.indices where !tried.contains(index) {
            guard WireMatch.difference(of: wanted[index], from: requests[request]) == nil else { continue }
            tried.insert(index)
            if let other = places[index], !place(other, &tried) { continue }
            places[index] = request
            return true
        }
        return false
    }

    /// The first request that is none of these, or else what did not come.
    var difference: (index: Int, reason: String, mark: SourceMark)? {
        let missing = wanted.indices.filter { places[$0] == nil }.map { wanted[$0] }
        guard let first = missing.first else { return nil }
        guard let stranger = requests.indices.first(where: { !places.contains($0) }) else {
            return (requests.count, "expected \(first.shownLine), got no further request", first.mark)
        }
        let nearest = missing.first { $0.line == requests[stranger].line } ?? first
        if missing.count == 1 || nearest.line == requests[stranger].line {
            let reason = WireMatch.difference(of: nearest, from: requests[stranger])
            return (stranger, reason ?? "it came in the place of another one", nearest.mark)
        }
        let lines = missing.map(\.shownLine).joined(separator: ", ")
        return (stranger, "expected one of \(lines), got \(requests[stranger].shownLine)", first.mark)
    }

    /// In the order in which they came; then those that did not.
    var lines: [String] {
        let came = requests.indices.compactMap { request in places.firstIndex(of: request).map { wanted[$0].line } }
        return came + wanted.indices.filter { places[$0] == nil }.map { wanted[$0].line }
    }
}
