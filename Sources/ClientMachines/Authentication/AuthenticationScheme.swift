/// How a credential is shown. The raw value is the name in a challenge, in lower case.
package enum AuthenticationScheme: String, Hashable, Sendable {
    case negotiate, ntlm, digest, basic
}
