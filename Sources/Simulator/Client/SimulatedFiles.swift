import BodyFiles
import ClientMachines
import HTTPBasics
import MachineContract

/// The downloads of one session: real files, virtual latency, and what a rule lets go wrong with them.
final class SimulatedFiles {
    private static let latency: Duration = .microseconds(50)

    private var files: [TaskID: DownloadFile] = [:]
    private let faults: [DiskFault]
    private var latestDue = Instant.zero

    init(rules: [FaultRule]) {
        faults = rules.compactMap { rule in
            if case .disk(let fault) = rule { return fault }
            return nil
        }
    }

    /// Does the work at once; the answer is for later. Answers keep their order.
    func perform(_ action: FileAction, of task: TaskID, at now: Instant) -> (answer: ClientInput, after: Duration)? {
        let file = files[task] ?? DownloadFile(task: task, faults: faults)
        switch action {
        case .remove: break
        case .discard: files[task] = nil
        case .open, .write, .close: files[task] = file
        }
        let delay = file.delay(of: action)
        guard let answer = file.perform(action) else { return nil }
        latestDue = max(latestDue + delay, now + delay + Self.latency)
        return (answer, latestDue - now)
    }

    /// The process is gone: the kernel closes what it had open.
    func closeAll() { files.removeAll() }

    /// The task is over and will not come back to its file.
    func forget(_ task: TaskID) {
        if !files.isEmpty { files[task] = nil }
    }
}
