import Foundation

/// Certificates and containers made with the command openssl, once for all suites of this folder.
struct TrustFixture: Sendable {
    /// Goes away with the system's temporary files.
    let directory: URL

    static let shared = Result { try TrustFixture() }

    struct CommandFailed: Error { let words: String }

    private static let script = """
        set -e
        printf '[req]\\ndistinguished_name = dn\\n[dn]\\n' > cnf
        key() { openssl genpkey -algorithm "$2" -pkeyopt "$3" -out "$1.key"; }
        made() { name=$1; shift; openssl req -x509 -new -config cnf -key $name.key -out $name.pem "$@"
          openssl x509 -in $name.pem -outform der -out $name.cer; }
        key authority EC ec_paramgen_curve:P-256; key server RSA rsa_keygen_bits:2048
        key other EC ec_paramgen_curve:P-384
        made authority -subj "/O=Understudy/CN=Test Authority" -days 3000 -addext basicConstraints=critical,CA:TRUE
        made server -subj "/CN=Test Server" -CA authority.pem -CAkey authority.key -days 300 \\
          -addext subjectAltName=DNS:api.example.com,email:me@example.com -addext extendedKeyUsage=serverAuth
        made other -subj "/CN=Other" -days 300
        openssl pkcs12 -export -in server.pem -inkey server.key -certfile authority.pem \\
          -out server.p12 -passout pass:secret
        openssl pkcs12 -export -nokeys -in server.pem -out nokey.p12 -passout pass:secret
        openssl pkcs8 -topk8 -in server.key -out secret.key -passout pass:secret
        openssl pkey -in server.key -pubout -outform der | openssl dgst -sha256 -binary | base64 > server.pin
        openssl pkey -in other.key -pubout -outform der | openssl dgst -sha256 -binary | base64 > other.pin
        """

    private init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("trust-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script]
        process.currentDirectoryURL = directory
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandFailed(words: String(decoding: said, as: UTF8.self)) }
    }

    func data(_ name: String) throws -> Data { try Data(contentsOf: directory.appendingPathComponent(name)) }

    func text(_ name: String) throws -> String {
        String(decoding: try data(name), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
