import HTTPBasics
import MachineContract
import Testing

/// One door, one loop: inputs in order, outputs in order, nothing nested.
@Suite struct DrainLoopTests {
    @Test func `outputs are performed in order`() {
        let world = ScriptedWorld()
        let loop = world.loop
        loop.submit(.say(["a", "b"]))
        loop.submit(.say(["c"]))
        #expect(world.journal == ["in say", "out a", "out b", "armed -", "in say", "out c", "armed -"])
    }

    @Test func `what arrives while outputs are performed waits its turn`() {
        let world = ScriptedWorld()
        world.reactions = ["a": [.say(["x", "y"]), .say(["z"])]]
        world.loop.submit(.say(["a", "b"]))
        #expect(
            world.journal == [
                "in say", "out a", "out b", "in say", "out x", "out y", "in say", "out z", "armed -",
            ])
        #expect(world.deepestNesting == 1, "the machine was entered from inside itself")
    }

    @Test func `inputs of a batch keep their order, and what they cause comes after them`() {
        let world = ScriptedWorld()
        world.reactions = ["a": [.say(["late"])]]
        world.loop.submit(contentsOf: [.say(["a"]), .say(["b"]), .say([])])
        #expect(
            world.journal == ["in say", "out a", "in say", "out b", "in say", "in say", "out late", "armed -"])
    }

    @Test func `the clocks are read once for each input`() {
        let world = ScriptedWorld()
        world.loop.submit(contentsOf: [.say(["a", "b"]), .say(["c"])])
        #expect(world.readings == 2)
    }

    @Test func `the deadline is looked at after everything was done`() {
        let world = ScriptedWorld()
        world.reactions = ["a": [.wake(at: 5)]]
        world.loop.submit(.wake(at: 10))
        world.loop.submit(.say(["a"]))
        #expect(world.journal == ["in wake", "armed 10", "in say", "out a", "in wake", "armed 5"])
    }

    @Test func `an alarm that comes early only arms the next one`() {
        let world = ScriptedWorld()
        world.loop.submit(.wake(at: 10))
        world.journal = []
        world.now = Instant(nanoseconds: 9)
        world.loop.timePassed()
        #expect(world.journal == ["armed 10"])
        world.now = Instant(nanoseconds: 10)
        world.loop.timePassed()
        #expect(world.journal == ["armed 10", "in timePassed", "out woken", "armed -"])
    }

    @Test func `an alarm without a deadline does nothing`() {
        let world = ScriptedWorld()
        world.loop.timePassed()
        #expect(world.journal.isEmpty)
    }
}

/// Says what it is told to, and wakes when it is told to.
private final class ParrotMachine: Machine {
    enum Input: MachineInput {
        case say([String])
        case wake(at: Int64)
        case timePassed
    }

    private(set) var deadline: Instant?
    weak var world: ScriptedWorld?

    func handle(_ input: Input, at moment: Moment, into outputs: inout [String]) {
        world?.entered()
        defer { world?.left() }
        switch input {
        case .say(let words):
            world?.journal.append("in say")
            outputs += words
        case .wake(let nanoseconds):
            world?.journal.append("in wake")
            deadline = Instant(nanoseconds: nanoseconds)
        case .timePassed:
            world?.journal.append("in timePassed")
            deadline = nil
            outputs.append("woken")
        }
    }
}

/// Writes down what happens; some words cause further inputs at once.
private final class ScriptedWorld: World {
    var journal: [String] = []
    var reactions: [String: [ParrotMachine.Input]] = [:]
    var now = Instant.zero
    private(set) var readings = 0
    private(set) var deepestNesting = 0
    private var nesting = 0
    private let machine = ParrotMachine()
    private(set) lazy var loop = DrainLoop(machine: machine, world: self)

    init() { machine.world = self }

    func entered() {
        nesting += 1
        deepestNesting = max(deepestNesting, nesting)
    }

    func left() { nesting -= 1 }

    func moment() -> Moment {
        readings += 1
        return Moment(instant: now, date: UnixTime(seconds: 0), entropy: 0)
    }

    func perform(_ output: String) {
        journal.append("out \(output)")
        entered()
        defer { left() }
        for input in reactions[output] ?? [] { loop.submit(input) }
    }

    func deadlineMoved(to deadline: Instant?) {
        journal.append("armed \(deadline.map { String($0.nanoseconds) } ?? "-")")
    }
}
