/// What became of one case.
package enum CaseVerdict: Hashable, Sendable {
    case pass
    case fail
    /// It did not end: the client lane stood still until the deadline, or its worker process had to be killed.
    case wedged
    /// The case could not begin, or its worker talked nonsense: that says nothing about the client.
    case setupFailed
    /// A scenario of the kind `should` did not hold: reported apart, and a failure where that is asked for.
    case unmet
    /// A scenario of the kind `observe` did not hold: reported, no failure.
    case observed
    /// Another client differs, exactly as its scenario says it does.
    case recorded(because: String)
    /// It makes no sense in this world or style, or this machine has not what it needs.
    case skipped(reason: String)
    /// The client has no means for it.
    case unimplemented(reason: String)

    package var name: String {
        switch self {
        case .pass: return "pass"
        case .fail: return "fail"
        case .wedged: return "wedged"
        case .setupFailed: return "setup-failed"
        case .unmet: return "unmet"
        case .observed: return "observed"
        case .recorded: return "differs-as-recorded"
        case .skipped: return "skipped"
        case .unimplemented: return "unimplemented"
        }
    }

    /// Why, where the verdict itself says it.
    package var reason: String? {
        switch self {
        case .recorded(let reason), .skipped(let reason), .unimplemented(let reason): return reason
        case .pass, .fail, .wedged, .setupFailed, .unmet, .observed: return nil
        }
    }

    /// Whether the run as a whole fails because of it.
    package var isFailure: Bool {
        switch self {
        case .pass, .unmet, .observed, .recorded, .skipped, .unimplemented: return false
        case .fail, .wedged, .setupFailed: return true
        }
    }
}

extension CaseVerdict: Codable {
    private enum Key: String, CodingKey { case name, reason }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .name)
        switch name {
        case "pass": self = .pass
        case "fail": self = .fail
        case "wedged": self = .wedged
        case "setup-failed": self = .setupFailed
        case "unmet": self = .unmet
        case "observed": self = .observed
        case "differs-as-recorded": self = .recorded(because: try container.decode(String.self, forKey: .reason))
        case "skipped": self = .skipped(reason: try container.decode(String.self, forKey: .reason))
        case "unimplemented": self = .unimplemented(reason: try container.decode(String.self, forKey: .reason))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .name, in: container, debugDescription: "unknown verdict '\(name)'")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(reason, forKey: .reason)
    }
}
