import HTTPBasics

/// A credential that answers challenges: it goes along with whatever is sent to the same origin
/// (BEHAVIOUR 1.C3-credential).
package struct Authorization: Hashable, Sendable {
    let credential: Credential
    let origin: Origin
    let realm: String
    /// As the field says it.
    let value: String

    init(_ credential: Credential, for challenge: Challenge) {
        self.credential = credential
        origin = challenge.origin
        realm = challenge.realm
        value = BasicAuthorization.fieldValue(credential)
    }
}
