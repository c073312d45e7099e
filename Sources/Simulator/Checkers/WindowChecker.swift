import ClientMachines
import HTTPBasics

/// Back-pressure: nothing more is handed out while a whole delivery window waits for a slow user or a slow disk.
package final class WindowChecker: Checker {
    package static let name = "window"

    private struct State {
        var waiting = 0
        var isUnbounded: Bool
    }

    private var windows: [Int: Int] = [:]
    private var tasks: [TaskKey: State] = [:]

    package init() {}

    package func observe(_ observation: Observation, _ findings: inout Findings) {
        switch observation {
        case .session(let session, let settings): windows[session] = settings.deliveryWindow
        case .clientInput(let session, .start(let task, let plan, _)):
            // Whoever wants a body in one piece waits for all of it.
            tasks[TaskKey(session: session, task: task)] = State(isUnbounded: plan.collectsBody)
        case .clientInput(let session, .delivered(let task, let bytes)):
            tasks[TaskKey(session: session, task: task)]?.waiting -= bytes
        case .clientInput(let session, .fileWrote(let task, let bytes)):
            tasks[TaskKey(session: session, task: task)]?.waiting -= bytes
        case .clientOutput(let session, .tell(let task, .data(let bytes))),
            .clientOutput(let session, .file(let task, .write(let bytes))):
            note(bytes.readableBytes, TaskKey(session: session, task: task), &findings)
        default: return
        }
    }

    private func note(_ bytes: Int, _ key: TaskKey, _ findings: inout Findings) {
        guard let state = tasks[key], !state.isUnbounded else { return }
        if let window = windows[key.session], state.waiting >= window {
            findings.add("\(bytes.counting("byte")) more, while \(state.waiting) wait and the window is \(window)", key)
        }
        tasks[key]?.waiting += bytes
    }
}
