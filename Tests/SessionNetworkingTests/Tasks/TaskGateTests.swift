import Testing

@testable import SessionNetworking

/// Every order of public calls against a small oracle.
@Suite struct TaskGateTests {
    enum Call: CaseIterable { case resume, suspend, cancel, cancelKeeping }

    /// What the engine makes of the signals; an impossible one is a violation.
    private enum Engine: Equatable { case absent, running, suspended, cancelled }

    private struct Violation: Error { let what: String }

    private static func apply(_ signal: TaskGate.Signal, to engine: Engine) throws -> Engine {
        switch (signal, engine) {
        case (.start, .absent): .running
        case (.startCancelled, .absent): .cancelled
        case (.suspend, .running): .suspended
        case (.resume, .suspended): .running
        case (.cancel, .running), (.cancel, .suspended): .cancelled
        default: throw Violation(what: "\(signal) while \(engine)")
        }
    }

    private static func perform(_ call: Call, on gate: inout TaskGate) -> TaskGate.Signal? {
        switch call {
        case .resume: gate.resume()
        case .suspend: gate.suspend()
        case .cancel: gate.cancel(keepingResumeData: false)
        case .cancelKeeping: gate.cancel(keepingResumeData: true)
        }
    }

    /// All sequences of that length.
    private static func sequences(_ length: Int) -> [[Call]] {
        guard length > 0 else { return [[]] }
        return sequences(length - 1).flatMap { shorter in Call.allCases.map { shorter + [$0] } }
    }

    // BEHAVIOUR 1.H2-states, 1.H2-nesting
    @Test(arguments: 0...5) func `in every order the engine hears what is so, and the state reads it at once`(
        length: Int
    ) throws {
        for sequence in Self.sequences(length) {
            var gate = TaskGate()
            var engine = Engine.absent
            var suspensions = 1
            var hasStarted = false
            var state = URLSessionTask.State.suspended
            for call in sequence {
                let signal = Self.perform(call, on: &gate)
                if let signal { engine = try Self.apply(signal, to: engine) }
                if engine != .cancelled || signal != nil {
                    switch call {
                    case .resume where state != .canceling:
                        suspensions = max(0, suspensions - 1)
                        if suspensions == 0 { hasStarted = true }
                        state = .running
                    case .suspend where state != .canceling:
                        suspensions += 1
                        state = .suspended
                    case .cancel, .cancelKeeping: state = .canceling
                    default: break
                    }
                }
                #expect(gate.state == state, "\(sequence)")
                let wanted: Engine =
                    state == .canceling ? .cancelled : !hasStarted ? .absent : suspensions == 0 ? .running : .suspended
                #expect(engine == wanted, "\(sequence)")
            }
        }
    }

    @Test func `completed, nothing has an effect any more`() {
        var gate = TaskGate()
        #expect(gate.resume() == .start)
        gate.complete()
        for call in Call.allCases { #expect(Self.perform(call, on: &gate) == nil) }
        #expect(gate.state == .completed)
    }

    @Test func `completed wins over cancelled`() {
        var gate = TaskGate()
        #expect(gate.cancel(keepingResumeData: true) == .startCancelled(keepingResumeData: true))
        #expect(gate.state == .canceling)
        gate.complete()
        #expect(gate.state == .completed)
    }

    // BEHAVIOUR 1.H2-nesting
    @Test func `nesting counts`() {
        var gate = TaskGate()
        #expect(gate.suspend() == nil)
        #expect(gate.resume() == nil)
        #expect(gate.state == .running, "as on Apple's systems, though it waits for a second resume")
        #expect(!gate.wasStarted)
        #expect(gate.resume() == .start)
        #expect(gate.resume() == nil)
        #expect(gate.suspend() == .suspend)
        #expect(gate.suspend() == nil)
        #expect(gate.resume() == nil)
        #expect(gate.resume() == .resume)
    }
}
