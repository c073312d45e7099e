import HTTPBasics
import NIOCore

/// Plays the informational answers of a reply, each after its own delay.
struct InterimPlayer {
    private let interims: [Interim]
    /// Counts the answers, not the entries: one may stand for many.
    private var index = 0
    private var entry = 0
    private var timesLeft: Int
    private var hasWaited = false

    init(_ interims: [Interim]) {
        self.interims = interims
        timesLeft = interims.first?.times ?? 0
    }

    /// How many 100 answers lead: a client that sent `Expect: 100-continue` needs them before its body.
    var leadingContinues: Int { Interim.count(interims.prefix { $0.status == 100 && $0.raw == nil }) }
    var count: Int { Interim.count(interims[...]) }

    /// The next move on the way to having sent `goal` of them; nil when that is done.
    mutating func next(upTo goal: Int, faults: inout PendingFaults) -> ReplyMove? {
        guard index < goal, entry < interims.count else { return nil }
        let interim = interims[entry]
        if let fault = faults.take(at: .interim(index)) { return .fault(fault) }
        if !hasWaited, interim.delay > .zero {
            hasWaited = true
            return .wait(interim.delay)
        }
        hasWaited = false
        index += 1
        timesLeft -= 1
        if timesLeft <= 0 {
            entry += 1
            timesLeft = entry < interims.count ? interims[entry].times : 0
        }
        return .head(interim.bytes, isApart: true)
    }
}

extension Interim {
    /// How many answers these stand for.
    package static func count(_ interims: some Sequence<Interim>) -> Int {
        interims.reduce(0) { $0 + max(1, $1.times) }
    }

    var bytes: ByteBuffer {
        if let raw { return raw.bytes(at: 0, count: raw.count) }
        var bytes = ByteBuffer(string: "HTTP/1.1 \(status) \(StatusPhrase.registered(status) ?? "")\r\n")
        bytes.writeLines(of: fields)
        bytes.writeString("\r\n")
        return bytes
    }
}
