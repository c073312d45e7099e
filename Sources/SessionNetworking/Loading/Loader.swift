#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Answers one request in place of HTTP, by telling the machine what happens (`LoadEvent`).
protocol Loader: AnyObject, Sendable {
    /// Called once.
    func begin()
    /// All that was said is taken: a loader that could say more at any time says the next thing now. On the engine's
    /// thread.
    func goOn()
    /// Later events are dropped. On the engine's thread, once.
    func end()
    /// A challenge that it has raised, by its number.
    func challenge(_ id: LoadChallengeID) -> PendingChallenge?
}

extension Loader {
    func challenge(_ id: LoadChallengeID) -> PendingChallenge? { nil }
}
#endif
