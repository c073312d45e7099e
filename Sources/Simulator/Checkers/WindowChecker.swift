import ClientMachines
import HTTPBasics

/// Back-pressure: nothing more is handed out while a whole delivery window waits for a slow user or a slow disk.
package struct WindowChecker: Checker {
    package static let name: StaticString = "window"

    private struct State {
        var waiting = 0
        var isUnbounded: Bool
    }

    private var windows: [Int: DeliveryWindow] = [:]
    private var tasks = SessionTable<TaskKey, State>()

    package init() {}

    package mutating func began(session: Int, _ settings: ClientSettings) {
        windows[session] = DeliveryWindow(bytes: settings.deliveryWindow)
    }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .start(let task, let plan, _):
            tasks[TaskKey(session: session, task: task)] = State(isUnbounded: !plan.hasWindow)
        case .delivered(let task, let bytes): tasks[TaskKey(session: session, task: task)]?.waiting -= bytes
        case .fileWrote(let task, let bytes):
            tasks[TaskKey(session: session, task: task)]?.waiting -= windows[session]?.charge(for: bytes) ?? bytes
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        switch output {
        case .tell(let task, .data(let bytes)), .file(let task, .write(let bytes)):
            note(bytes.readableBytes, TaskKey(session: session, task: task), &findings)
        default: return
        }
    }

    private mutating func note(_ bytes: Int, _ key: TaskKey, _ findings: inout Findings) {
        guard let state = tasks[key], !state.isUnbounded, let window = windows[key.session] else { return }
        if state.waiting >= window.bytes {
            findings.add(
                "\(bytes.counting("byte")) more, while \(state.waiting) wait and the window is \(window.bytes)", key)
        }
        tasks[key]?.waiting += window.charge(for: bytes)
    }
}
