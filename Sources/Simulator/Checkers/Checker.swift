import ClientMachines
import HTTPBasics

/// One invariant that holds in every scenario without being written (decision 10 of the scenario format).
///
/// Sees everything that happens, as it happens; what it leaves out is none of its business.
package protocol Checker: AnyObject {
    static var name: StaticString { get }

    func began(session: Int, _ settings: ClientSettings)

    /// A turn of a session's machine begins with this input.
    func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings)
    func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings)

    /// The inbox is empty again, and this is the machine's deadline.
    func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings)

    /// The network connected a client's connection with a listener.
    func opened(connection: Int, as client: ConnectionKey)

    func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings)

    /// Nothing is left to do: now everything must be over and put away.
    func judgeRest(_ findings: inout Findings)
}

extension Checker {
    package func began(session: Int, _ settings: ClientSettings) {}
    package func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {}
    package func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {}
    package func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings) {}
    package func opened(connection: Int, as client: ConnectionKey) {}
    package func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings) {}
    package func judgeRest(_ findings: inout Findings) {}
}
