import HTTPBasics
import NIOCore

/// Plays the informational answers of a reply, each after its own delay.
struct InterimPlayer {
    private let interims: [Interim]
    private var index = 0
    private var hasWaited = false

    init(_ interims: [Interim]) { self.interims = interims }

    /// How many 100 answers lead: a client that sent `Expect: 100-continue` needs them before its body.
    var leadingContinues: Int { interims.prefix { $0.status == 100 }.count }
    var count: Int { interims.count }

    /// The next move on the way to having sent `goal` of them; nil when that is done.
    mutating func next(upTo goal: Int, faults: inout PendingFaults) -> ReplyMove? {
        guard index < min(goal, interims.count) else { return nil }
        let interim = interims[index]
        if let fault = faults.take(where: { $0 == .interim(index) }) { return .fault(fault) }
        if !hasWaited, interim.delay > .zero {
            hasWaited = true
            return .wait(interim.delay)
        }
        hasWaited = false
        index += 1
        let reason = StatusPhrase.registered(interim.status) ?? ""
        var bytes = ByteBuffer(string: "HTTP/1.1 \(interim.status) \(reason)\r\n")
        for field in interim.fields.list { bytes.writeString("\(field.name): \(field.value)\r\n") }
        bytes.writeString("\r\n")
        return .write(bytes)
    }
}
