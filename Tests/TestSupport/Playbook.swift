import HTTPBasics
import MachineContract

/// Plays one machine by hand in virtual time: feed inputs, demand exactly the outputs that follow, move the clock.
///
/// Every output must be demanded or taken, in order; a mismatch throws the whole transcript with a diff. Entropy
/// is a counter, so a run repeats exactly.
package final class Playbook<M: Machine> {
    package let machine: M
    package private(set) var now: Instant
    /// The wall clock; moves along with `now`, and may be set apart from it.
    package var date: UnixTime
    private let describeInput: (M.Input) -> String
    private let describeOutput: (M.Output) -> String
    private var entropy: UInt64 = 0
    private var transcript: [String] = []
    private var pending: [M.Output] = []
    private var assertions = 0

    private init(
        _ machine: M, _ now: Instant, _ date: UnixTime, _ describeInput: @escaping (M.Input) -> String,
        _ describeOutput: @escaping (M.Output) -> String
    ) {
        self.machine = machine
        self.now = now
        self.date = date
        self.describeInput = describeInput
        self.describeOutput = describeOutput
    }

    /// Runs `body`, then demands that something was asserted and that no output was left unlooked at.
    package static func play(
        _ machine: M, from instant: Instant = .zero, date: UnixTime = UnixTime(seconds: 784_111_777),
        describeInput: @escaping (M.Input) -> String = { String(describing: $0) },
        describeOutput: @escaping (M.Output) -> String = { String(describing: $0) },
        _ body: (Playbook<M>) throws -> Void
    ) throws {
        let book = Playbook(machine, instant, date, describeInput, describeOutput)
        try body(book)
        if book.assertions == 0 { throw book.mismatch("nothing was asserted") }
        if !book.pending.isEmpty { throw book.mismatch("outputs were left at the end", wanted: []) }
    }

    /// Hands in inputs, one after another; their outputs wait to be demanded.
    package func feed(_ inputs: M.Input...) {
        for input in inputs { handle(input) }
    }

    /// Demands exactly these outputs since the last demand.
    package func expect(_ outputs: M.Output...) throws { try expect(contentsOf: outputs) }

    package func expect(contentsOf outputs: [M.Output]) throws {
        assertions += 1
        guard pending == outputs else { throw mismatch("outputs differ", wanted: outputs) }
        pending = []
    }

    /// Hands over the outputs since the last demand, for looking at with `check`.
    package func take() -> [M.Output] {
        defer { pending = [] }
        return pending
    }

    /// Demands a fact, told as a sentence.
    package func check(_ claim: String, _ holds: Bool) throws {
        assertions += 1
        if !holds { throw mismatch("not so: \(claim)") }
    }

    /// Demands that two values agree.
    package func check<Value: Equatable>(_ name: String, _ got: Value, is wanted: Value) throws {
        assertions += 1
        if got != wanted { throw mismatch("\(name)\n  wanted \(wanted)\n  got    \(got)") }
    }

    /// Demands that the machine wants to be woken after this span; nil for no timer at all.
    package func expectDeadline(in span: Duration?) throws {
        try check("deadline", machine.deadline, is: span.map { now + $0 })
    }

    /// Moves both clocks, stopping at each deadline on the way to hand in `timePassed`.
    package func advance(by span: Duration) throws {
        let goal = now + span
        var rounds = 0
        while let deadline = machine.deadline, deadline <= goal {
            rounds += 1
            if rounds > 100_000 { throw mismatch("the deadline \(deadline.nanoseconds) does not move on") }
            move(to: max(now, deadline))
            handle(.timePassed)
        }
        move(to: goal)
    }

    /// Moves both clocks without handing anything in, as a world that is late would.
    package func sleep(_ span: Duration) { move(to: now + span) }

    private func move(to instant: Instant) {
        date.seconds += instant.nanoseconds / 1_000_000_000 - now.nanoseconds / 1_000_000_000
        now = instant
    }

    private func handle(_ input: M.Input) {
        note("> \(describeInput(input))")
        entropy += 1
        var outputs: [M.Output] = []
        machine.handle(input, at: Moment(instant: now, date: date, entropy: entropy), into: &outputs)
        for output in outputs { note("    \(describeOutput(output))") }
        pending += outputs
    }

    private func note(_ line: String) { transcript.append("\(stamp) \(line)") }

    private var stamp: String {
        let milliseconds = now.nanoseconds / 1_000_000
        return "+\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())s"
    }
}

/// What a playbook throws: the reason, a diff where there is one, and all that went before.
package struct PlaybookMismatch: Error, CustomStringConvertible {
    package let description: String
}

extension Playbook {
    private func mismatch(_ reason: String, wanted: [M.Output]? = nil) -> PlaybookMismatch {
        var lines = [reason]
        if let wanted { lines += diff(wanted.map(describeOutput), pending.map(describeOutput)) }
        lines.append("transcript:")
        lines += transcript.suffix(400)
        return PlaybookMismatch(description: lines.joined(separator: "\n"))
    }

    /// Lines of both sides, `-` for what is missing and `+` for what is too much.
    private func diff(_ wanted: [String], _ got: [String]) -> [String] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in got.difference(from: wanted) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [String] = []
        var left = 0
        var right = 0
        while left < wanted.count || right < got.count {
            if left < wanted.count, removed.contains(left) {
                lines.append("- \(wanted[left])")
                left += 1
            } else if right < got.count, inserted.contains(right) {
                lines.append("+ \(got[right])")
                right += 1
            } else {
                lines.append("  \(right < got.count ? got[right] : wanted[left])")
                left += 1
                right += 1
            }
        }
        return lines
    }
}
