/// A line between clients and hosts that is not the best one: of each connection, in either direction.
package struct ScriptedLink: Hashable, Sendable {
    /// How long everything travels one way; nil for as good as no time.
    package var latency: Duration?
    /// Bytes in a second; nil for as many as there are.
    package var rate: Int?

    package init(latency: Duration? = nil, rate: Int? = nil) {
        self.latency = latency
        self.rate = rate
    }
}
