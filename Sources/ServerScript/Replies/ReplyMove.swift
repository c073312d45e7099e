import NIOCore

/// The next thing that playing an answer demands of the machine.
enum ReplyMove: Equatable {
    /// Part of a head, final or informational, or a small answer from its first byte on. Unless the script wants to see
    /// it apart, it leaves with what follows.
    case head(ByteBuffer, isApart: Bool)
    case write(ByteBuffer)
    case wait(Duration)
    case raise(String)
    case await(String)
    indirect case fault(Fault)
    /// The final head is out.
    case answered(status: Int)
    case stall
    case finished
}

/// The faults of one exchange that have not fired yet.
struct PendingFaults {
    private(set) var list: [Fault]

    init(_ list: [Fault]) { self.list = list }

    /// Removes and returns the first at a landmark that fits.
    mutating func take(where fits: (Fault.Landmark) -> Bool) -> Fault? {
        guard let index = list.firstIndex(where: { fits($0.landmark) }) else { return nil }
        return list.remove(at: index)
    }

    func areDue(at landmark: Fault.Landmark?) -> Bool { list.contains { $0.landmark == landmark } }

    mutating func take(at landmark: Fault.Landmark) -> Fault? { take { $0 == landmark } }

    /// The nearest position, from `offset` on, that a landmark of the wanted kind names.
    func nextPosition(from offset: Int, _ position: (Fault.Landmark) -> Int?) -> Int? {
        list.compactMap { position($0.landmark) }.filter { $0 >= offset }.min()
    }
}
