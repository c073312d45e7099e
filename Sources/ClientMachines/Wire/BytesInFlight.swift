import DequeModule

/// What the transport has not taken yet, in the order in which it goes: framing, then body, again and again.
struct BytesInFlight: Equatable, Sendable {
    private struct Stretch: Equatable {
        var framing = 0
        var body = 0
    }

    /// The first stretch stands apart, so that a request without chunks needs no array.
    private var first = Stretch()
    private var later: Deque<Stretch> = []
    private(set) var count = 0
    /// What of it is body.
    private(set) var body = 0

    mutating func add(framing bytes: Int) {
        count += bytes
        if first.framing + first.body == 0 { first.framing = bytes } else { later.append(Stretch(framing: bytes)) }
    }

    mutating func add(body bytes: Int) {
        count += bytes
        body += bytes
        if later.isEmpty { first.body += bytes } else { later[later.count - 1].body += bytes }
    }

    /// Takes away what the transport took, and tells how much of it was body.
    mutating func took(_ bytes: Int) -> Int {
        var left = min(bytes, count)
        count -= left
        var taken = 0
        while left > 0 {
            let ofFraming = min(first.framing, left)
            let ofBody = min(first.body, left - ofFraming)
            first.framing -= ofFraming
            first.body -= ofBody
            taken += ofBody
            left -= ofFraming + ofBody
            guard first == Stretch(), let next = later.popFirst() else { continue }
            first = next
        }
        body -= taken
        return taken
    }
}
