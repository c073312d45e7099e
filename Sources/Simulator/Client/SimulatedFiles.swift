import BodyFiles
import ClientMachines
import HTTPBasics

/// The downloads of one session: real files, virtual latency, and the disk errors that a rule plants.
final class SimulatedFiles {
    private static let latency: Duration = .microseconds(50)

    private var files: [TaskID: DownloadFile] = [:]
    private var planted: [DiskRule]
    private var answered = 0
    private var latestDue = Instant.zero

    init(rules: [FaultRule]) {
        planted = rules.compactMap { rule in
            if case .disk(let disk) = rule { return disk }
            return nil
        }
    }

    /// Does the work at once; the answer is for later.
    func perform(_ action: FileAction, of task: TaskID) -> ClientInput? {
        let file = files[task] ?? DownloadFile(task: task)
        switch action {
        case .remove: return file.perform(action)
        case .discard:
            // Also after a planted failure: what discarding leaves behind must be seen.
            files[task] = nil
            return file.perform(action)
        case .open, .write, .close:
            files[task] = file
            let number = answered
            answered += 1
            if let rule = planted.first(where: { $0.action == number }) {
                return .fileFailed(task, rule.failure, detail: "planted disk error at action \(number)")
            }
            return file.perform(action)
        }
    }

    /// The task is over and will not come back to its file.
    func forget(_ task: TaskID) {
        if !files.isEmpty { files[task] = nil }
    }

    /// When the answer to an action comes that is carried out now; answers keep their order.
    func delay(from now: Instant) -> Duration {
        latestDue = max(latestDue, now + Self.latency)
        return latestDue - now
    }
}
