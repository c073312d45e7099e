import ClientMachines
import HTTPBasics

/// A finished client leaves nothing behind: no timer, no connection, no open file, no session half closed.
package struct LeftoversChecker: Checker {
    package static let name: StaticString = "leftovers"

    private struct Session {
        var running = 0
        var completed: Set<TaskID> = []
        var connections: Set<ConnectionID> = []
        /// Names that are being asked, with how many answers are still to come.
        var questions: [DialID: Int] = [:]
        var openFiles: Set<TaskID> = []
        var isInvalidating = false
        var isInvalid = false
        var hasTimer = false

        var isIdle: Bool { running == 0 && connections.isEmpty && questions.isEmpty && openFiles.isEmpty }
    }

    private var sessions: [Session] = []

    package init() {}

    package mutating func began(session: Int, _ settings: ClientSettings) {
        while sessions.count <= session { sessions.append(Session()) }
    }

    package mutating func turnEnded(_ number: Int, deadline: Instant?, _ findings: inout Findings) {
        guard sessions.indices.contains(number) else { return }
        sessions[number].hasTimer = deadline != nil
        if deadline != nil, sessions[number].isIdle {
            findings.add("a timer is armed although no task, connection or file is left", session: number)
        }
    }

    package mutating func judgeRest(_ findings: inout Findings) {
        for number in sessions.indices {
            let session = sessions[number]
            for task in session.openFiles.sorted() where session.completed.contains(task) {
                findings.add("the file of a completed task is still open", session: number, task: task)
            }
            if session.running == 0, session.isInvalidating, !session.isInvalid {
                findings.add("the session was invalidated, has no task left, and never became invalid", session: number)
            }
            guard session.isInvalid || session.running == 0 && !session.hasTimer else { continue }
            for id in session.questions.keys.sorted() {
                findings.add("the lookup of dial \(id.value) is still running", session: number)
            }
            for id in session.connections.sorted() {
                let why = session.isInvalid ? "its session is invalid" : "no task uses it and no timer will close it"
                findings.add("connection \(id.value) is still open: \(why)", session: number)
            }
        }
    }

    package mutating func note(_ input: ClientInput, _ number: Int, _ findings: inout Findings) {
        guard sessions.indices.contains(number) else { return }
        switch input {
        case .start: sessions[number].running += 1
        case .invalidate: sessions[number].isInvalidating = true
        case .closed(let id), .connectFailed(let id, _): sessions[number].connections.remove(id)
        case .resolved(let id, _, _), .resolveFailed(let id, _, _):
            let left = sessions[number].questions[id, default: 1] - 1
            sessions[number].questions[id] = left > 0 ? left : nil
        case .fileFailed(let task, _, _): sessions[number].openFiles.remove(task)
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ number: Int, _ findings: inout Findings) {
        guard sessions.indices.contains(number) else { return }
        switch output {
        case .resolve(let id, _, _): sessions[number].questions[id] = AddressFamily.allCases.count
        case .stopResolving(let id): sessions[number].questions[id] = nil
        case .connect(let id, _, _, _): sessions[number].connections.insert(id)
        case .tell(let task, .complete):
            if sessions[number].completed.insert(task).inserted { sessions[number].running -= 1 }
        case .invalidated: sessions[number].isInvalid = true
        case .file(let task, .open): sessions[number].openFiles.insert(task)
        case .file(let task, .close), .file(let task, .discard): sessions[number].openFiles.remove(task)
        default: return
        }
    }
}
