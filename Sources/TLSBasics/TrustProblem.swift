/// Why a chain of certificates is not trusted: the first reason that counts, in a form that tells a developer what to
/// do.
package struct TrustProblem: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case expired, notYetValid
        /// The certificate is for other names.
        case otherHost
        /// It is signed by itself, and is no anchor.
        case selfSigned
        /// Its authority is no anchor.
        case unknownAuthority
        /// An authority between it and the anchors was not sent.
        case incomplete
        /// A key or a signature that can be forged today.
        case weak
        /// It is not meant for what it is used for.
        case wrongUsage
        case revoked
        /// It is not known whether it was revoked, and someone wants to know.
        case revocationUnknown
        /// This machine has no trust store.
        case noAnchors
        /// Cannot be read, or is wrong in another way.
        case malformed
    }

    package let reason: Reason
    /// Sentences for people: which certificate, which of its dates or names, and what to do.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
