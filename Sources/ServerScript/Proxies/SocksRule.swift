/// How a SOCKS proxy of a script behaves.
package struct SocksRule: Hashable, Sendable {
    /// A phase of the dialogue: a message of the client's and its answer.
    package enum Phase: String, CaseIterable, Hashable, Sendable {
        /// The methods that a client of version 5 offers.
        case greeting
        /// User name and password (RFC 1929).
        case login
        /// Where the client wants to go.
        case request
    }

    /// What happens in place of an answer, behind so many bytes of it.
    package struct Break: Hashable, Sendable {
        package var phase: Phase
        package var offset: Int
        package var effect: Fault.Effect

        package init(at phase: Phase, plus offset: Int = 0, do effect: Fault.Effect) {
            self.phase = phase
            self.offset = offset
            self.effect = effect
        }
    }

    /// The version that it speaks, 4 or 5; nil for both.
    package var version: Int?
    /// What a client of version 5 must know; that of version 4 names the user only.
    package var credentials: BasicCredentials?
    /// The answer to a request: a reply code of RFC 1928, or of version 4; nil to let it pass.
    package var code: UInt8?
    /// Bytes in place of its own answer to a phase. They let a request pass if its second byte says so.
    package var answers: [Phase: [UInt8]]
    package var fault: Break?

    package init(
        version: Int? = nil, credentials: BasicCredentials? = nil, code: UInt8? = nil,
        answers: [Phase: [UInt8]] = [:], fault: Break? = nil
    ) {
        self.version = version
        self.credentials = credentials
        self.code = code
        self.answers = answers
        self.fault = fault
    }
}
