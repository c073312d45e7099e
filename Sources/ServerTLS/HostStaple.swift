import HTTPBasics
import ServerScript
import TLSBasics
import TLSEngine
import TestCertificates

/// Makes the response that a host staples to its certificate.
struct HostStaple {
    let certificate: CertificatePreset
    let preset: StaplePreset
    /// When the host starts.
    let date: UnixTime

    /// In seconds: the response is an hour old, and the next one comes in a week.
    private static let age: Int64 = 3_600
    private static let life: Int64 = 7 * 86_400

    func response() throws(TLSSetupError) -> [UInt8] {
        // Not the beginning of any structure.
        if preset == .malformed { return Array("no response".utf8) }
        guard certificate.canBeStapled, let issuer = Self.certificate("intermediate"),
            let own = Self.certificate(preset == .wrongCertificate ? other : certificate.rawValue),
            let identity = TestCertificates.identity(named: signer),
            let signer = OCSPSigner(identity, showsItself: signer != "intermediate")
        else {
            throw .unusableIdentity("nobody can sign a response '\(preset.rawValue)' about '\(certificate.rawValue)'")
        }
        do throws(OCSPSigner.Unsigned) {
            let from = UnixTime(seconds: date.seconds + start)
            let until = UnixTime(seconds: from.seconds + Self.life)
            return try signer.response(status, about: own, of: issuer, from: from, until: until)
        } catch {
            throw .unusableIdentity("the response '\(preset.rawValue)' cannot be signed: \(error)")
        }
    }

    private var status: OCSPSigner.Statement {
        switch preset {
        case .revoked: .revoked
        case .unknown: .unknown
        case .good, .delegated, .expired, .notYetValid, .wrongSigner, .wrongUsage, .wrongCertificate, .malformed: .good
        }
    }

    /// From the host's start.
    private var start: Int64 {
        switch preset {
        case .expired: -2 * Self.life
        case .notYetValid: Self.life
        default: -Self.age
        }
    }

    private var signer: String {
        switch preset {
        case .delegated: "responder"
        case .wrongSigner: "stranger"
        case .wrongUsage: other
        default: "intermediate"
        }
    }

    /// Another server's.
    private var other: String { certificate == .valid ? "revoked" : "valid" }

    private static func certificate(_ name: String) -> X509Certificate? {
        TestCertificates.certificates(named: name).first.flatMap { X509Certificate($0) }
    }
}
