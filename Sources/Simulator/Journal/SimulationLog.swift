import ClientMachines
import HTTPBasics
import ServerScript

/// Everything that happens passes here: it is written into the journal and shown to the checkers.
final class SimulationLog {
    let journal: Journal
    private let checkers: [any Checker]
    private let names: [String]
    private unowned let scheduler: Scheduler
    private(set) var findings = Findings()

    init(scheduler: Scheduler, journal: Journal = Journal(), checkers: [any Checker] = Checkers.all()) {
        self.scheduler = scheduler
        self.journal = journal
        self.checkers = checkers
        names = checkers.map { type(of: $0).name }
    }

    func observe(_ observation: Observation) {
        write(observation)
        let known = findings.violations.count
        findings.instant = scheduler.now
        for index in checkers.indices {
            findings.checker = names[index]
            checkers[index].observe(observation, &findings)
        }
        writeViolations(after: known)
    }

    /// Called when nothing is left to do.
    func judgeRest() {
        let known = findings.violations.count
        findings.instant = scheduler.now
        for index in checkers.indices {
            findings.checker = names[index]
            checkers[index].judgeRest(&findings)
        }
        writeViolations(after: known)
    }

    /// A broken rule of the simulated world itself.
    func report(_ sentence: String, session: Int? = nil) {
        let known = findings.violations.count
        findings.instant = scheduler.now
        findings.checker = "world"
        findings.add(sentence, session: session)
        writeViolations(after: known)
    }

    /// A line for something that is neither input nor output of a machine.
    func event(_ actor: SimulatedActor, _ body: (JournalLine) -> Void) {
        guard journal.isKept else { return }
        journal.write(scheduler.now, actor, body)
    }

    /// In their place between the steps, where a reader looks for the cause.
    private func writeViolations(after known: Int) {
        for violation in findings.violations[known...] {
            event(.network) { $0.text("VIOLATION ").text(violation.description) }
        }
    }

    private func write(_ observation: Observation) {
        guard journal.isKept else { return }
        switch observation {
        case .clientInput(let session, let input):
            journal.write(scheduler.now, .clientLoop(session)) { $0.input(input) }
        case .clientOutput(let session, let output):
            journal.write(scheduler.now, .clientLoop(session)) { $0.output(output) }
        case .serverInput(let input): journal.write(scheduler.now, .server) { $0.input(input) }
        case .serverOutput(let output): journal.write(scheduler.now, .server) { $0.output(output) }
        case .opened(let connection, let session, let client, let host):
            event(.network) {
                $0.text("opened #").number(connection).text(" = client").number(session)
                $0.text(" c").number(client.value).text(" to ").text(host)
            }
        case .session, .clientTurnEnded, .wire: return
        }
    }
}
