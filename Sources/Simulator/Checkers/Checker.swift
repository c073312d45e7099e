import ClientMachines
import HTTPBasics

/// One invariant that holds in every scenario without being written (SCENARIO-FORMAT 'Expectations').
///
/// Sees what goes into the sessions' machines and comes out of them, as it happens, and what goes over the wire.
package protocol Checker {
    static var name: StaticString { get }

    mutating func began(session: Int, _ settings: ClientSettings)

    /// What a session's machine takes: a turn begins with it, or it answers a `look` in the midst of one.
    mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings)
    mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings)
    /// The inbox is empty again, and this is the machine's deadline.
    mutating func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings)

    /// The network connected a client's connection with a listener.
    mutating func opened(connection: Int, as client: ConnectionKey)
    mutating func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings)

    /// Nothing is left to do: now everything must be over and put away.
    mutating func judgeRest(_ findings: inout Findings)
}

extension Checker {
    package mutating func began(session: Int, _ settings: ClientSettings) {}
    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {}
    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {}
    package mutating func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings) {}
    package mutating func opened(connection: Int, as client: ConnectionKey) {}
    package mutating func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings) {}
    package mutating func judgeRest(_ findings: inout Findings) {}
}
