import Judge

/// How a worker ended that gave no answer.
enum WorkerDeath {
    case ended(String)
    case late(Duration)

    /// Nil if it lives.
    init?(_ answer: WorkerProcess.Answer, within limit: Duration) {
        switch answer {
        case .ended(let how): self = .ended(how)
        case .late: self = .late(limit)
        case .line, .stopped: return nil
        }
    }

    var verdict: CaseVerdict {
        switch self {
        case .ended: .fail
        case .late: .wedged
        }
    }

    var finding: Finding {
        switch self {
        case .ended(let how): Finding(.crashed, "the worker \(how)")
        case .late(let limit):
            Finding(.wedged, "the worker gave no result within \(EventText.text(limit)) and was killed")
        }
    }

    func isLike(_ other: WorkerDeath) -> Bool { verdict == other.verdict }
}
