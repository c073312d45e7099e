import HTTPBasics
import Judge
import ScriptedServer
import ServerScript

/// What became of the rounds of a served script: none of them is forgotten.
struct RoundTally {
    private(set) var fulfilled = 0
    private(set) var failed = 0
    private(set) var abandoned = 0

    /// Files that a verdict was given on, in whichever of their scopes: each by the one of requests that name none.
    private(set) var files: Set<String> = []

    var count: Int { fulfilled + failed + abandoned }

    /// The worst of them decides: what a client did wrong weighs more than what it left undone.
    var status: RunStatus { failed > 0 ? .failures : abandoned > 0 ? .abandoned : .passed }

    mutating func add(_ verdict: Verdict) {
        files.insert(ScriptMount.label(of: verdict.scope))
        if verdict.isFulfilled {
            fulfilled += 1
        } else if verdict.abandonment != nil, verdict.violationCount == 0 {
            abandoned += 1
        } else {
            failed += 1
        }
    }

    var summary: String {
        let parts = [(fulfilled, "fulfilled"), (failed, "NOT fulfilled"), (abandoned, "ABANDONED")]
        let list = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(count.counting("round")): \(list)"
    }
}
