/// Who is signed in on a connection.
package struct ConnectionUser: Hashable, Sendable, CustomReflectable {
    private let credential: Credential
    let scheme: AuthenticationScheme
    /// Signed in by the proxy that sends requests on, and not by the server.
    let isOfProxy: Bool

    init(_ credential: Credential, _ scheme: AuthenticationScheme, isOfProxy: Bool) {
        self.credential = credential
        self.scheme = scheme
        self.isOfProxy = isOfProxy
    }

    package var customMirror: Mirror { Mirror(self, children: ["user": credential.user]) }
}
