import Foundation
import SessionNetworking

/// `sign-in URL [USER PASSWORD]...`: asks for a page that wants to know who asks, twice, and shows what came of it.
///
/// Each further pair is tried when the one before it was refused. A proxy is that of the environment (`http_proxy`,
/// `https_proxy`, `all_proxy`); it is given the first pair, too. A server that wants a certificate is shown the one of
/// the PKCS#12 file that the variable `IDENTITY` names, whose passphrase is in `PASSPHRASE`. `TLS_MINIMUM=1.0`, or
/// `1.1`, lets a server speak such an old version of TLS.
@main struct SignIn {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let text = arguments.first, let url = URL(string: text), arguments.count % 2 == 1 else {
            print("usage: sign-in URL [USER PASSWORD]...")
            exit(64)
        }
        let credentials = stride(from: 1, to: arguments.count, by: 2).map {
            URLCredential(user: arguments[$0], password: arguments[$0 + 1], persistence: .forSession)
        }
        let client = SigningClient(credentials, identity: identity(), from: oldestVersion())
        do {
            // The second time neither the credential nor the cookies need to be asked for.
            for _ in 1...2 { print(try await client.get(url)) }
        } catch {
            print("failed: \(error.localizedDescription)")
            exit(1)
        }
    }

    private static func oldestVersion() -> tls_protocol_version_t {
        switch ProcessInfo.processInfo.environment["TLS_MINIMUM"] {
        case "1.0": .TLSv10
        case "1.1": .TLSv11
        default: .TLSv12
        }
    }

    private static func identity() -> URLCredential? {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment["IDENTITY"] else { return nil }
        var items: CFArray?
        let options = [kSecImportExportPassphrase as String: environment["PASSPHRASE"] ?? ""]
        guard let container = try? Data(contentsOf: URL(fileURLWithPath: path)),
            SecPKCS12Import(container as CFData, options as CFDictionary, &items) == errSecSuccess,
            let item = (items as? [[String: Any]])?.first, let found = item[kSecImportItemIdentity as String],
            let identity = found as? SecIdentity
        else {
            print("failed: \(path) is no PKCS#12 file with this passphrase")
            exit(1)
        }
        return URLCredential(identity: identity, certificates: nil, persistence: .forSession)
    }
}
