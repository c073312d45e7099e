import ClientMachines

/// What makes the tokens that sign a connection in with Negotiate. Injected, so that a conformance run can bring one of
/// its own.
package protocol Negotiator: Sendable {
    /// Nothing is said yet.
    ///
    /// - Parameter credential: Nil for the tickets of the process.
    func begin(host: String, credential: Credential?) -> any NegotiatorContext
}

/// What is begun with one server. It is called once at a time, on any thread, which may block.
package protocol NegotiatorContext: AnyObject, Sendable {
    /// - Parameter received: The server's token; nil to begin.
    func next(_ received: [UInt8]?) -> NegotiateAnswer
}
