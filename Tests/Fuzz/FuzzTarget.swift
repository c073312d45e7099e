import Foundation
import NIOCore

/// Everything that reads bytes from outside, by the name of its corpus folder.
///
/// A target demands properties, not only survival: that splits do not matter, that what is written reads back, that
/// two readers who share no code agree.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case response, request, chunked, inflate, scenario, url, date, field, multipart, upload, state, session
    case pem, pkcs12, certificate, ocsp, tls, digest, proxy, socks, cookies, cookiefile, credentialfile, ntlm
    case cookbook, json, pattern, control, cache, cachefile, kepthead, routes

    /// Throws a `Violation` that says what does not hold for these bytes.
    package func check(_ bytes: ByteBuffer) throws {
        switch self {
        case .response: try ResponseFuzz.check(bytes)
        case .request: try RequestFuzz.check(bytes)
        case .chunked: try ChunkedFuzz.check(bytes)
        case .inflate: try InflateFuzz.check(bytes)
        case .scenario: try ScenarioFuzz.check(bytes)
        case .url: try URLFuzz.check(bytes)
        case .date: try DateFuzz.check(bytes)
        case .field: try FieldFuzz.check(bytes)
        case .multipart: try MultipartFuzz.check(bytes)
        case .upload: try UploadFuzz.check(bytes)
        case .state: try StateFuzz.check(bytes)
        case .session: try SessionFuzz.check(bytes)
        case .pem: try PEMFuzz.check(bytes)
        case .pkcs12: try PKCS12Fuzz.check(bytes)
        case .certificate: try CertificateFuzz.check(bytes)
        case .ocsp: try OCSPFuzz.check(bytes)
        case .digest: try DigestFuzz.check(bytes)
        case .ntlm: try NTLMFuzz.check(bytes)
        case .credentialfile: try CredentialFileFuzz.check(bytes)
        case .tls: try TLSFuzz.check(bytes)
        case .proxy: try ProxyFuzz.check(bytes)
        case .socks: try SocksFuzz.check(bytes)
        case .cookies: try CookieFuzz.check(bytes)
        case .cookbook: try CookbookFuzz.check(bytes)
        case .json: try JSONFuzz.check(bytes)
        case .pattern: try PatternFuzz.check(bytes)
        case .cookiefile: try CookieFileFuzz.check(bytes)
        case .cache: try CacheFuzz.check(bytes)
        case .cachefile: try CacheFileFuzz.check(bytes)
        case .kepthead: try KeptHeadFuzz.check(bytes)
        case .routes: try RouteFuzz.check(bytes)
        case .control: try ControlFuzz.check(bytes)
        }
    }

    /// Inputs that were once worth keeping: `Corpus/<target>`.
    package var corpus: [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Corpus/\(rawValue)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { folder.appendingPathComponent($0).path }
    }

    package static func contents(of path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map(Array.init)
    }
}

/// What does not hold.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

func demand(_ holds: Bool, _ claim: @autoclosure () -> String) throws {
    if !holds { throw Violation(description: claim()) }
}

/// Demands that two values agree, and shows both where they do not.
func demand<Value: Equatable>(_ got: Value, equals wanted: Value, _ what: @autoclosure () -> String) throws {
    if got != wanted { throw Violation(description: "\(what())\n  wanted \(wanted)\n  got    \(got)") }
}
