/// What a server bounds by numbers that its user may want otherwise. SERVING.md has all bounds in one table.
package struct ServerLimits: Hashable, Sendable {
    /// Connections at one time; nil: 4,096, or as many as the process has descriptors for.
    package var connections: Int?
    /// How long a client may send nothing of what it has to send, or take for a head.
    package var idle = Duration.seconds(60)
    /// Named scopes at one time.
    package var scopes = 256
    /// What the journal of requests that name no scope keeps: requests, and bytes of heads and bodies. Two lines of
    /// each, the usual number on a connection that is used again, fill a ring of 65,536 to the brim.
    package var journalRequests = 32_000
    package var journalBytes = 64 << 20
    /// Waits for requests at one time, in all scopes.
    package var waits = 256

    package init() {}
}
