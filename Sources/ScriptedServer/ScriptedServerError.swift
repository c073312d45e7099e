/// Why a server could not start.
public struct ScriptedServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String

    package init(_ description: String) { self.description = description }
}
