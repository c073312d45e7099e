import ClientMachines

/// Asks the system's Kerberos for tokens: with the tickets of the process, wherever its configuration says that they
/// are, or for a user with a password. Tickets are never handed on to a server (BEHAVIOUR 2.A37).
package final class SystemGSSAPI: Negotiator {
    package static let shared = SystemGSSAPI()

    package func begin(host: String, credential: Credential?) -> any NegotiatorContext {
        Context(host: host, credential: credential)
    }

    private final class Context: NegotiatorContext, @unchecked Sendable {
        // Safety: called once at a time, and each call is handed over by the event loop.
        private let host: String
        private let credential: Credential?
        private var library: GSSAPILibrary?
        private var credentials: GSSAPILibrary.Pointer?
        private var service: GSSAPILibrary.Pointer?
        private var context: GSSAPILibrary.Pointer?
        private var isOver = false

        /// `GSS_C_MUTUAL_FLAG`, `GSS_C_REPLAY_FLAG`; not `GSS_C_DELEG_FLAG`.
        private static let flags: UInt32 = 2 | 4
        /// `GSS_C_INITIATE`
        private static let toBegin: CInt = 1
        /// `GSS_S_CONTINUE_NEEDED`
        private static let goesOn: UInt32 = 1

        init(host: String, credential: Credential?) {
            self.host = host
            self.credential = credential
        }

        deinit {
            guard let library else { return }
            var minor: UInt32 = 0
            if context != nil { _ = library.delete(&minor, &context, nil) }
            if service != nil { _ = library.releaseName(&minor, &service) }
            if credentials != nil { _ = library.releaseCredentials(&minor, &credentials) }
        }

        func next(_ received: [UInt8]?) -> NegotiateAnswer {
            guard let library = library ?? GSSAPILibrary.system else { return .absent }
            if self.library == nil {
                self.library = library
                guard prepare(library) else { return .refused }
            }
            guard let service, let credentials, !isOver else { return .refused }
            var output = GSSAPILibrary.Buffer()
            var minor: UInt32 = 0
            let status = library.withBuffer(received ?? []) { input in
                library.initiate(
                    &minor, credentials, &context, service, library.negotiation, Self.flags, 0, nil,
                    received == nil ? nil : input, nil, &output, nil, nil)
            }
            defer { _ = library.releaseBuffer(&minor, &output) }
            // Errors stand in the upper half.
            guard status >> 16 == 0, output.length <= NegotiateCall.mostBytes else {
                isOver = true
                return .refused
            }
            isOver = status & Self.goesOn == 0
            if let bytes = output.bytes, output.length > 0 {
                return .token(Array(UnsafeRawBufferPointer(start: bytes, count: output.length)))
            }
            return isOver ? .complete : .refused
        }

        /// The names, and the credentials of whoever is meant.
        private func prepare(_ library: GSSAPILibrary) -> Bool {
            service = library.service(of: host)
            var minor: UInt32 = 0
            let status: UInt32
            if let credential {
                guard var user = library.name(credential.user, library.userName) else { return false }
                status = library.withBuffer(Array(credential.password.utf8)) { password in
                    library.acquireWithPassword(
                        &minor, user, password, 0, library.negotiations, Self.toBegin, &credentials, nil, nil)
                }
                _ = library.releaseName(&minor, &user)
            } else {
                status = library.acquire(
                    &minor, nil, 0, library.negotiations, Self.toBegin, &credentials, nil, nil)
            }
            guard status == 0, let credentials else { return false }
            return library.setMechanisms(&minor, credentials, library.choices) == 0
        }
    }
}
