import HTTPBasics
import ServerScript

/// A step of a script in words, for what did not happen.
package enum StepText {
    package static func text(_ step: Step) -> String {
        let times = step.times == 1 ? "" : ", \(step.times) times"
        let lane = step.lane.map { " on connection \($0)" } ?? ""
        let mark = step.mark.map { " (\($0))" } ?? ""
        return "\(action(step.action))\(times)\(lane)\(mark)"
    }

    private static func action(_ action: Step.Action) -> String {
        switch action {
        case .exchange(let exchange):
            return exchange.request.summary
        case .accept: return "accept a connection"
        case .read(let count): return "read \(count.counting("byte"))"
        case .write(let bytes): return "write \(bytes.count.counting("byte"))"
        case .close: return "close the connection"
        }
    }
}
