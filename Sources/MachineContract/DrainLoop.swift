public import DequeModule
import HTTPBasics

/// Feeds one machine: take an input, collect its outputs, perform them in order, until nothing is left.
///
/// The same file serves every world. Inputs that arrive while outputs are performed wait in the inbox, so a
/// machine is never entered twice. Confined to one thread: the loop of its shard, or the simulator's.
///
/// Inlinable, so that each world gets one that is made for its machine: unspecialised it takes a tenth of a request.
@usableFromInline
package final class DrainLoop<M: Machine, W: World> where W.Output == M.Output {
    @usableFromInline package let machine: M
    @usableFromInline unowned let world: W
    @usableFromInline var inbox: Deque<M.Input> = []
    /// Empty between two inputs; kept for its memory.
    @usableFromInline var outputs: [M.Output] = []
    /// Whether the machine is at work: what is submitted now waits its turn in the inbox.
    @usableFromInline package internal(set) var isDraining = false

    @inlinable
    package init(machine: M, world: W) {
        self.machine = machine
        self.world = world
    }

    /// Hands one input to the machine and carries out everything that follows from it.
    @inlinable
    package func submit(_ input: M.Input) { submit(contentsOf: CollectionOfOne(input)) }

    /// Hands in a batch; the deadline is looked at once, after all of them.
    @inlinable
    package func submit(contentsOf inputs: some Sequence<M.Input>) {
        guard !isDraining else { return inbox.append(contentsOf: inputs) }
        isDraining = true
        for input in inputs { take(input) }
        while let input = inbox.popFirst() { take(input) }
        isDraining = false
        world.deadlineMoved(to: machine.deadline)
    }

    /// To be called when the clock reaches the machine's deadline; harmless when it is early.
    package func timePassed() {
        guard let deadline = machine.deadline else { return }
        if world.moment().instant >= deadline { submit(.timePassed) } else { world.deadlineMoved(to: deadline) }
    }

    @inlinable
    func take(_ input: M.Input) {
        var outputs: [M.Output] = []
        swap(&outputs, &self.outputs)
        machine.handle(input, at: world.moment(), into: &outputs)
        for output in outputs { world.perform(output) }
        outputs.removeAll(keepingCapacity: true)
        swap(&outputs, &self.outputs)
    }
}
