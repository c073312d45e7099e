import ArgumentParser
import Foundation
import Harness
import HTTPBasics
import Judge
import TLSEngine
import TestCertificates

struct Certs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the certificates with which served scripts speak TLS.",
        discussion: """
            Clients have to trust authority.pem, for the tests alone: the private keys of all these certificates are \
            public. For each preset there are NAME.pem, its certificates with its own first, NAME.key, and both in \
            NAME.p12, whose passphrase is "changeit".

            Examples:
              understudy certs --out certs
              curl --cacert certs/authority.pem https://127.0.0.1:8443/
              SSL_CERT_FILE=certs/authority.pem python3 test.py
              NODE_EXTRA_CA_CERTS=certs/authority.pem node test.js
              keytool -importcert -noprompt -alias test -file certs/authority.pem -keystore trust.jks -storepass changeit

            Exit status: 0 written, 2 wrong use or a folder that cannot be written.
            """)

    @Option(
        help: ArgumentHelp("The folder, which is made if it is not there.", valueName: "folder"), completion: .directory
    )
    var out: String

    /// Java's own, and long enough for its tools.
    private static let passphrase = "changeit"

    func run() throws {
        try Output.guarding {
            let folder = URL(fileURLWithPath: out, isDirectory: true)
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for name in TestCertificates.names { try Self.write(name, into: folder) }
            } catch {
                throw UsageError("\(out): \(error.localizedDescription)")
            }
            try Output.line("\(TestCertificates.names.count) certificates with their keys are in \(out)")
            return .passed
        }
    }

    private static func write(_ name: String, into folder: URL) throws {
        guard let identity = TestCertificates.identity(named: name) else { return }
        let chain = identity.chain.map { block("CERTIFICATE", $0.der) }.joined()
        let key =
            "For tests only: this key is public. Nothing may trust it.\n" + block("PRIVATE KEY", identity.privateKey)
        var files = [("pem", Data(chain.utf8)), ("key", Data(key.utf8))]
        guard let container = PKCS12.container(of: identity, name: name, passphrase: passphrase) else {
            throw UsageError("OpenSSL makes no PKCS#12 container of '\(name)'")
        }
        files.append(("p12", Data(container)))
        for (ending, content) in files {
            try content.write(to: folder.appendingPathComponent("\(name).\(ending)"), options: .atomic)
        }
    }

    /// RFC 7468.
    private static func block(_ label: String, _ bytes: [UInt8]) -> String {
        let text = Array(Base64.encode(bytes))
        let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }
}
