import ClientMachines
import HTTPBasics

/// One invariant that holds in every scenario without being written (decision 10 of the scenario format).
///
/// Sees what goes into the sessions' machines and comes out of them, as it happens.
package protocol Checker: AnyObject {
    static var name: StaticString { get }

    func began(session: Int, _ settings: ClientSettings)

    /// A turn of a session's machine begins with this input.
    func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings)
    func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings)

    /// Nothing is left to do: now everything must be over and put away.
    func judgeRest(_ findings: inout Findings)
}

extension Checker {
    package func began(session: Int, _ settings: ClientSettings) {}
    package func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {}
    package func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {}
    package func judgeRest(_ findings: inout Findings) {}
}

/// A checker that sees the ends of turns as well.
package protocol TurnChecker: Checker {
    /// The inbox is empty again, and this is the machine's deadline.
    func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings)
}

/// A checker that sees the wire as well.
package protocol WireChecker: Checker {
    /// The network connected a client's connection with a listener.
    func opened(connection: Int, as client: ConnectionKey)

    func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings)
}
