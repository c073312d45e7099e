import Dispatch
import HTTPBasics
import Testing

@testable import Simulator

@Suite struct SchedulerTests {
    private let far = Instant.zero + .seconds(1_000_000)

    private func order(seed: UInt64?, _ fill: (Scheduler, @escaping (String) -> Void) -> Void) -> [String] {
        let scheduler = Scheduler(turns: Decisions(.turn, random: seed.map { SeededRandom(seed: $0) }))
        var log: [String] = []
        fill(scheduler) { log.append($0) }
        #expect(scheduler.run(until: far, stepLimit: 10_000) == .idle)
        return log
    }

    private let actors: [SimulatedActor] = [
        .caller, .server, .network, .clientLoop(0), .delegateQueue(0), .clientLoop(3),
    ]

    @Test func `without a seed jobs run in the order in which they became due`() {
        let log = order(seed: nil) { scheduler, note in
            scheduler.schedule(on: .server, after: .seconds(2)) { note("late") }
            scheduler.schedule(on: .caller, after: .seconds(1)) { note("middle") }
            scheduler.schedule(on: .network) { note("now") }
            scheduler.schedule(on: .caller) { note("now too") }
            scheduler.schedule(on: .network, after: .seconds(1)) { note("middle too") }
        }
        #expect(log == ["now", "now too", "middle", "middle too", "late"])
    }

    @Test(arguments: [UInt64]([0, 1, 2, 77]))
    func `with a seed each actor keeps its order and the whole can be repeated`(seed: UInt64) {
        let fill: (Scheduler, @escaping (String) -> Void) -> Void = { scheduler, note in
            for number in 0..<8 {
                for actor in actors { scheduler.schedule(on: actor) { note("\(actor) \(number)") } }
            }
        }
        let log = order(seed: seed, fill)
        for actor in actors {
            #expect(log.filter { $0.hasPrefix("\(actor) ") } == (0..<8).map { "\(actor) \($0)" })
        }
        #expect(log == order(seed: seed, fill))
        #expect(log != order(seed: seed + 1, fill))
        #expect(log != order(seed: nil, fill))
    }

    @Test func `a job that was scheduled for now waits for those that were due before`() {
        let log = order(seed: 3) { scheduler, note in
            scheduler.schedule(on: .caller, after: .seconds(1)) {
                note("a")
                scheduler.schedule(on: .caller) { note("c") }
            }
            scheduler.schedule(on: .caller, after: .seconds(1)) { note("b") }
        }
        #expect(log == ["a", "b", "c"])
    }

    @Test func `time jumps to what comes next`() {
        let scheduler = Scheduler()
        var times: [Duration] = []
        for days in [7, 1, 3] {
            scheduler.schedule(on: .caller, after: .seconds(days * 86_400)) { times.append(scheduler.now - .zero) }
        }
        #expect(scheduler.run(until: far, stepLimit: 10) == .idle)
        #expect(times == [.seconds(86_400), .seconds(3 * 86_400), .seconds(7 * 86_400)])
        #expect(scheduler.steps == 3)
    }

    @Test func `a timer fires once at its last setting, and a cancelled one moves no clock`() {
        let scheduler = Scheduler()
        var fired: [Instant] = []
        scheduler.onTimer(of: .server) { fired.append(scheduler.now) }
        scheduler.setTimer(of: .server, to: .zero + .seconds(9))
        scheduler.setTimer(of: .server, to: .zero + .seconds(5))
        #expect(scheduler.run(until: far, stepLimit: 10) == .idle)
        #expect(fired == [.zero + .seconds(5)])
        scheduler.setTimer(of: .server, to: .zero + .seconds(60))
        scheduler.setTimer(of: .server, to: nil)
        #expect(scheduler.run(until: far, stepLimit: 10) == .idle)
        #expect(scheduler.now == .zero + .seconds(5))
    }

    @Test func `a timer in the past fires now`() {
        let scheduler = Scheduler()
        var count = 0
        scheduler.onTimer(of: .clientLoop(0)) { count += 1 }
        scheduler.setTimer(of: .clientLoop(0), to: .zero)
        scheduler.setTimer(of: .clientLoop(0), to: .zero)
        #expect(scheduler.run(until: far, stepLimit: 10) == .idle)
        #expect(count == 1)
    }

    @Test func `a run ends at its virtual end and can go on`() {
        let scheduler = Scheduler()
        var ran = false
        scheduler.schedule(on: .caller, after: .seconds(10)) { ran = true }
        #expect(scheduler.run(until: .zero + .seconds(4), stepLimit: 10) == .outOfTime)
        #expect(!ran)
        #expect(scheduler.now == .zero + .seconds(4))
        #expect(scheduler.run(until: far, stepLimit: 10) == .idle)
        #expect(scheduler.now == .zero + .seconds(10))
    }

    @Test func `what spins is stopped by the bound on steps`() {
        let scheduler = Scheduler()
        scheduler.onTimer(of: .server) { scheduler.setTimer(of: .server, to: .zero) }
        scheduler.setTimer(of: .server, to: .zero)
        #expect(scheduler.run(until: far, stepLimit: 1_000) == .outOfSteps)
        #expect(scheduler.steps == 1_000)
    }

    @Test func `a job from a foreign thread is run and reported`() {
        let scheduler = Scheduler()
        var strays: [SimulatedActor] = []
        scheduler.onStray = { strays.append($0) }
        nonisolated(unsafe) let door = scheduler
        nonisolated(unsafe) var ran = false
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            door.post(on: .caller) { ran = true }
            done.signal()
        }
        done.wait()
        #expect(scheduler.run(until: far, stepLimit: 10) == .idle)
        #expect(ran)
        #expect(strays == [.caller])
    }
}
