/// What a challenge is about, as scenarios write it.
package enum ChallengeMethod: String, Hashable, Sendable, CaseIterable {
    case basic
    case digest
    case ntlm
    case negotiate
    case serverTrust = "server-trust"
    case clientCertificate = "client-certificate"
}
