/// Who is signed in on a connection.
package struct ConnectionUser: Hashable, Sendable, CustomReflectable {
    private let credential: Credential

    init(_ credential: Credential) { self.credential = credential }

    package var customMirror: Mirror { Mirror(self, children: ["user": credential.user]) }
}
