import HTTPBasics
import ServerScript
import Testing

@testable import Simulator

@Suite struct SimulatedTaskExecutorTests {
    /// Waits in virtual time, and ends early when the task is cancelled.
    private static func pause(_ span: Duration, in simulation: Simulation) async -> Bool {
        let gate = Gate()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                gate.continuation = continuation
                if Task.isCancelled { return gate.open(false) }
                simulation.schedule(after: span) { gate.open(true) }
            }
        } onCancel: {
            simulation.schedule { gate.open(false) }
        }
    }

    private final class Gate: @unchecked Sendable {
        // Safety: used on the world's thread only.
        var continuation: CheckedContinuation<Bool, Never>?

        func open(_ value: Bool) {
            continuation?.resume(returning: value)
            continuation = nil
        }
    }

    private final class Notes: @unchecked Sendable {
        // Safety: used on the world's thread only.
        var lines: [String] = []
    }

    private func simulation(seed: UInt64? = nil) -> Simulation {
        Simulation(
            server: TinyServer(body: ""), script: Script(), SimulationOptions(seed: seed, directory: "/nowhere"))
    }

    @Test func `async let runs in virtual time on the one thread`() {
        let simulation = simulation(), notes = Notes()
        _ = Task(executorPreference: simulation.taskExecutor) {
            async let slow = Self.pause(.seconds(3_600), in: simulation)
            async let quick = Self.pause(.seconds(60), in: simulation)
            notes.lines.append("quick \(await quick) at \(simulation.now.nanoseconds / 1_000_000_000)")
            notes.lines.append("slow \(await slow) at \(simulation.now.nanoseconds / 1_000_000_000)")
        }
        #expect(simulation.run() == .idle)
        #expect(notes.lines == ["quick true at 60", "slow true at 3600"])
        #expect(simulation.violations.isEmpty)
    }

    @Test func `cancelling a task ends its wait at that virtual moment`() {
        let simulation = simulation(), notes = Notes()
        let task = Task(executorPreference: simulation.taskExecutor) {
            notes.lines.append("\(await Self.pause(.seconds(60), in: simulation)) at \(simulation.now.nanoseconds)")
        }
        simulation.schedule(after: .nanoseconds(7)) { task.cancel() }
        #expect(simulation.run() == .idle)
        #expect(notes.lines == ["false at 7"])
        #expect(simulation.violations.isEmpty)
    }

    @Test func `a task group keeps to the executor, with any seed`() {
        for seed in UInt64(0)..<5 {
            let simulation = simulation(seed: seed), notes = Notes()
            _ = Task(executorPreference: simulation.taskExecutor) {
                let sum = await withTaskGroup(of: Int.self) { group in
                    for number in 1...10 {
                        group.addTask {
                            _ = await Self.pause(.seconds(number), in: simulation)
                            return number
                        }
                    }
                    return await group.reduce(0, +)
                }
                notes.lines.append("\(sum)")
            }
            #expect(simulation.run() == .idle)
            #expect(notes.lines == ["55"])
            #expect(simulation.violations.isEmpty)
        }
    }

    @Test func `a task that leaves the executor is reported when it comes back`() throws {
        let simulation = simulation(), notes = Notes()
        _ = Task(executorPreference: simulation.taskExecutor) {
            await Self.elsewhere()
            notes.lines.append("back")
        }
        // Over and over, because the foreign thread takes its own time; the run itself ends when nothing is left.
        for _ in 0..<10_000_000 where notes.lines.isEmpty { _ = simulation.run() }
        try #require(!notes.lines.isEmpty)
        #expect(simulation.violations.map(\.sentence).contains { $0.contains("came from a foreign thread") })
    }

    @MainActor private static func elsewhere() {}
}
