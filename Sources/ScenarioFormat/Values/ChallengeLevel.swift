/// Which of a delegate's two methods about challenges is asked.
package enum ChallengeLevel: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// `urlSession(_:didReceive:)`.
    case session
    /// `urlSession(_:task:didReceive:)`.
    case task

    package var description: String { rawValue }
}
