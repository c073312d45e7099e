import ClientMachines
import HTTPBasics
import ServerScript

/// Everything that happens passes here: it is written into the journal and shown to the checkers.
final class SimulationLog {
    let journal: Journal
    private var checkers: Checkers
    private unowned let scheduler: Scheduler
    private(set) var findings = Findings()

    private var meter: ProcessMeter?

    init(
        scheduler: Scheduler, journal: Journal = Journal(), limits: ProcessLimits? = nil,
        checkers: Checkers = Checkers()
    ) {
        self.checkers = checkers
        self.scheduler = scheduler
        self.journal = journal
        meter = limits.map { ProcessMeter($0) }
    }

    func began(session: Int, _ settings: ClientSettings) {
        checkers.began(session: session, settings)
    }

    /// Nothing is left to do.
    func judgeRest() { check { $0.judgeRest(&$1) } }

    /// A broken rule of the simulated world itself.
    func report(_ sentence: String, session: Int? = nil, by checker: StaticString = "world") {
        let known = findings.violations.count
        findings.instant = scheduler.now
        findings.checker = checker
        findings.add(sentence, session: session)
        writeViolations(after: known)
    }

    /// A line for something that is neither input nor output of a machine.
    func event(_ actor: SimulatedActor, _ body: (JournalLine) -> Void) {
        guard journal.isKept else { return }
        journal.write(scheduler.now, actor, body)
    }

    private func check(_ look: (inout Checkers, inout Findings) -> Void) {
        let known = findings.violations.count
        findings.instant = scheduler.now
        look(&checkers, &findings)
        writeViolations(after: known)
    }

    /// In their place between the steps, where a reader looks for the cause.
    private func writeViolations(after known: Int) {
        guard findings.violations.count > known else { return }
        for violation in findings.violations[known...] {
            event(.network) { $0.text("VIOLATION ").text(violation.description) }
        }
    }
}

// MARK: - What happens

extension SimulationLog {
    func turnBegan() { meter?.turnBegan() }

    func note(_ input: ClientInput, _ session: Int) {
        if case .received(_, let bytes) = input { meter?.moved(bytes.readableBytes) }
        event(.clientLoop(session)) { $0.input(input) }
        check { $0.note(input, session, &$1) }
    }

    func note(_ output: ClientOutput, _ session: Int) {
        if case .tell(_, .data(let bytes)) = output { meter?.moved(bytes.readableBytes) }
        event(.clientLoop(session)) { $0.output(output) }
        check { $0.note(output, session, &$1) }
    }

    func turnEnded(_ session: Int, deadline: Instant?) {
        check { $0.turnEnded(session, deadline: deadline, &$1) }
        if let breach = meter?.turnEnded() { report(breach, session: session, by: ProcessMeter.name) }
    }

    func note(_ input: ScriptInput) { event(.server) { $0.input(input) } }
    func note(_ output: ScriptOutput) { event(.server) { $0.output(output) } }

    func opened(connection: Int, as client: ConnectionKey, host: String) {
        event(.network) {
            $0.text("opened #").number(connection).text(" = client").number(client.session)
            $0.text(" c").number(client.id.value).text(" to ").text(host)
        }
        checkers.opened(connection: connection, as: client)
    }

    func note(_ event: WireEvent, connection: Int) {
        check { $0.note(event, connection, &$1) }
    }
}
