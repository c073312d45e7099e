import ClientMachines
import MachineContract

/// Keeps what a session would be told; with a hook for tests that act on it.
final class RecordingSink: CallSink, @unchecked Sendable {
    // Safety: used on the world's thread only.

    private(set) var outputs: [ClientOutput] = []
    var onTake: ((ClientOutput) -> Void)?

    func take(_ output: ClientOutput) {
        outputs.append(output)
        onTake?(output)
    }

    var isFlushDue: Bool { false }
    func flush() {}

    /// The body that was told.
    var text: String {
        var text = ""
        for case .tell(_, .data(let bytes)) in outputs { text += String(buffer: bytes) }
        return text
    }

    /// How each task that completed did.
    var results: [Int: String] {
        var results: [Int: String] = [:]
        for case .tell(let task, .complete(let failure)) in outputs {
            results[task.value] = failure?.kind.rawValue ?? "success"
        }
        return results
    }
}
