import Foundation
import HTTPBasics
import TLSBasics

@testable import TLSEngine

extension MadeChains {
    struct NoSigner: Error {}

    /// A response about the server's certificate by its authority, if nothing else is said: an hour old, for a week.
    func response(
        _ status: OCSPSigner.Statement, about subject: CertificateMaker.Made? = nil,
        of issuer: CertificateMaker.Made? = nil,
        by signer: CertificateMaker.Made? = nil, shown: Bool = false, from: UnixTime? = nil, until: UnixTime? = .usual
    ) throws -> [UInt8] {
        let by = signer ?? intermediate
        let identity = try PEM.identity(certificates: by.pem, privateKey: by.keyPEM).get()
        let from = from ?? UnixTime(seconds: now.seconds - 3_600)
        let end = until == .usual ? UnixTime(seconds: from.seconds + 7 * 86_400) : until
        guard let signer = OCSPSigner(identity, showsItself: shown),
            let own = X509Certificate((subject ?? server).bytes),
            let authority = X509Certificate((issuer ?? intermediate).bytes)
        else { throw NoSigner() }
        return try signer.response(status, about: own, of: authority, from: from, until: end)
    }
}

extension MadeChains {
    /// Several statements of the authority about the server's certificate.
    func response(_ claims: [OCSPSigner.Claim]) throws -> [UInt8] {
        let identity = try PEM.identity(certificates: intermediate.pem, privateKey: intermediate.keyPEM).get()
        guard let signer = OCSPSigner(identity, showsItself: false), let own = X509Certificate(server.bytes),
            let authority = X509Certificate(intermediate.bytes)
        else { throw NoSigner() }
        return try signer.response(claims, about: own, of: authority, at: now)
    }
}

extension UnixTime? {
    /// A week after the beginning.
    static let usual: UnixTime? = UnixTime(seconds: .min)
}

extension OCSPResponseTests {
    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
}
