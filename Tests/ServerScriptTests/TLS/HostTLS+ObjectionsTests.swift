import TLSBasics
import Testing

@testable import ServerScript

@Suite("TLS that no host can speak")
struct HostTLSObjectionsTests {
    private func objections(_ preset: CertificatePreset = .valid, _ change: (inout HostTLS) -> Void) -> [String] {
        var tls = HostTLS(preset)
        change(&tls)
        return tls.objections.map(\.objection.text)
    }

    @Test("A suite that the certificate's key rules out", arguments: CipherSuite.allCases)
    func keys(suite: CipherSuite) {
        for preset in [CertificatePreset.valid, .ecdsa, .ed25519] {
            let found = objections(preset) {
                $0.versions = .tls10 ... .tls13
                $0.ciphers = [suite]
            }
            let isOfTLS13 = suite.rawValue.hasPrefix("TLS_")
            let fits = isOfTLS13 || suite.rawValue.contains("-ECDSA-") == (preset != .valid)
            #expect(found.isEmpty == fits, "\(preset) \(found)")
        }
    }

    @Test("Ed25519 is newer than TLS 1.1")
    func ed25519() {
        #expect(objections(.ed25519) { $0.versions = .tls10 ... .tls11 } == ["'ed25519' needs TLS 1.2 or 1.3"])
        #expect(objections(.ed25519) { $0.versions = .tls10 ... .tls12 }.isEmpty)
        #expect(objections(.ecdsa) { $0.versions = .tls10 ... .tls11 }.isEmpty)
    }

    @Test("Nothing goes out before the client is answered")
    func clientHello() {
        #expect(objections { $0.fault = HandshakeFault(at: .clientHello, do: .fin) }.isEmpty)
        #expect(
            objections { $0.fault = HandshakeFault(at: .clientHello, plus: 40, do: .fin) }
                == ["no bytes come before a fault at 'client-hello'"])
    }

    @Test("An alert that has to be protected, where nobody can do it")
    func alerts() {
        let cases: [(ClosedRange<TLSVersion>, [CipherSuite], tickets: Int, offset: Int, isFine: Bool)] = [
            (.tls13 ... .tls13, [.aes128CCM], 2, 0, false), (.tls13 ... .tls13, [.aes128CCM], 0, 0, false),
            (.tls13 ... .tls13, [.aes128CCM, .aes128GCM], 2, 0, true), (.tls13 ... .tls13, [], 2, 9, true),
            // What comes first of the last flight of TLS 1.2 is in clear.
            (.tls12 ... .tls12, [.rsaWithAES128SHA], 2, 0, true), (.tls12 ... .tls12, [.rsaWithAES128SHA], 0, 0, true),
            (.tls12 ... .tls12, [.rsaWithAES128SHA], 2, 6, true), (.tls12 ... .tls12, [.rsaWithAES128SHA], 0, 6, false),
            (.tls12 ... .tls12, [.rsaWithAES128GCM], 0, 6, true), (.tls12 ... .tls13, [.aes128CCM], 0, 6, true),
            (.tls10 ... .tls11, [], 0, 6, false), (.tls10 ... .tls11, [], 0, 0, true),
        ]
        for (versions, ciphers, tickets, offset, isFine) in cases {
            let found = objections {
                $0.versions = versions
                $0.ciphers = ciphers
                $0.tickets = tickets
                $0.fault = HandshakeFault(at: .finished, plus: offset, do: .alert(.internalError))
            }
            #expect(found.isEmpty == isFine, "\(versions) \(ciphers) \(tickets) \(offset): \(found)")
            if !isFine { #expect(found == ["an 'alert' there needs a cipher suite with GCM or ChaCha20-Poly1305"]) }
        }
    }
}
