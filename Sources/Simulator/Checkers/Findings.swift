import ClientMachines
import HTTPBasics
import ServerScript

/// One thing that checkers may see, in the order in which it happens.
package enum Observation: Equatable, Sendable {
    case session(Int, ClientSettings)
    /// A turn of a session's machine begins with this input.
    case clientInput(Int, ClientInput)
    case clientOutput(Int, ClientOutput)
    /// The inbox is empty again, and this is the machine's deadline.
    case clientTurnEnded(Int, deadline: Instant?)
    case serverInput(ScriptInput)
    case serverOutput(ScriptOutput)
    /// The network connected a client's connection with a listener.
    case opened(connection: Int, session: Int, client: ConnectionID, host: String)
    case wire(connection: Int, WireEvent)
}

/// A task within a whole simulation.
package struct TaskKey: Hashable, Comparable, Sendable {
    package var session: Int
    package var task: TaskID

    package static func < (left: TaskKey, right: TaskKey) -> Bool {
        (left.session, left.task) < (right.session, right.task)
    }
}

/// A client's connection within a whole simulation.
package struct ConnectionKey: Hashable, Comparable, Sendable {
    package var session: Int
    package var id: ConnectionID

    package static func < (left: ConnectionKey, right: ConnectionKey) -> Bool {
        (left.session, left.id) < (right.session, right.id)
    }
}

/// A broken invariant: what, when, which task, and what shows it.
package struct InvariantViolation: Hashable, Sendable, CustomStringConvertible {
    package var checker: String
    package var instant: Instant
    package var session: Int?
    package var task: TaskID?
    package var sentence: String

    package var description: String {
        var place = "at \(Double(instant.nanoseconds) / 1e9) s"
        if let session { place += ", session \(session)" }
        if let task { place += ", task \(task.value)" }
        return "\(checker), \(place): \(sentence)"
    }
}
