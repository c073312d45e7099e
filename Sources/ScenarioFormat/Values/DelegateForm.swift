/// How a caller's delegate is written: which methods it has, and in which form.
package enum DelegateForm: String, Hashable, Sendable, CaseIterable {
    /// Every method, those that answer with a handler.
    case full
    /// No more than what brings results: data, files, completions, and the end of the session.
    case bare
    /// Every method, those that answer in their asynchronous form.
    case async
    /// Every method, and hands each call on to an object that answers in asynchronous methods and lacks the rest.
    case forwarding
    /// Every method but the one about metrics, and the session's own about challenges, which knows no task.
    case bothLevels = "both-levels"

    package func has(_ word: EventWord) -> Bool {
        self != .bare || word == .data || word == .file || word == .complete
    }
}
