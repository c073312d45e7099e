import Foundation
import TLSBasics

@testable import TLSEngine

/// Makes certificates with the command openssl, in a directory that goes away with it.
final class CertificateMaker: Sendable {
    let directory: String

    /// One made certificate, with the files that the command needs to sign others with it.
    struct Made {
        let path: String
        let keyPath: String
        let bytes: CertificateBytes

        var pem: [UInt8] { contents(path) }
        var keyPEM: [UInt8] { contents(keyPath) }

        private func contents(_ path: String) -> [UInt8] {
            FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        }
    }

    enum Key: String { case ec, rsa2048, rsa1024, ed25519 }

    struct CommandFailed: Error { let words: String }

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("certificates-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        directory = url.path
        try Data("[req]\ndistinguished_name = dn\n[dn]\n".utf8).write(to: url.appendingPathComponent("cnf"))
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func path(_ name: String) -> String { directory + "/" + name }

    /// - Parameters:
    ///   - extensions: As in OpenSSL's configuration, "keyUsage=digitalSignature".
    ///   - signer: Nil for a certificate that is signed by itself.
    func make(
        _ name: String, key: Key = .ec, keyOf: Made? = nil, by signer: Made? = nil, days: Int = 400,
        subject: String? = nil, _ extensions: [String] = [], options: [String] = []
    ) throws -> Made {
        let path = path(name + ".pem")
        let keyPath = keyOf?.keyPath ?? self.path(name + ".key")
        if keyOf == nil { try makeKey(key, keyPath) }
        var words = ["req", "-x509", "-new", "-config", self.path("cnf"), "-key", keyPath, "-out", path]
        words += ["-subj", subject ?? "/O=Understudy/CN=\(name)", "-days", String(days), "-multivalue-rdn"]
        if let signer { words += ["-CA", signer.path, "-CAkey", signer.keyPath] }
        words += extensions.flatMap { ["-addext", $0] } + options
        try run(words)
        return try Made(path: path, keyPath: keyPath, bytes: der(path))
    }

    func authority(_ name: String, key: Key = .ec, by signer: Made? = nil, days: Int = 4_000) throws -> Made {
        try make(
            name, key: key, by: signer, days: days,
            ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"])
    }

    func server(
        _ name: String, key: Key = .ec, by signer: Made, names: String, days: Int = 400, _ extensions: [String] = [],
        options: [String] = []
    ) throws -> Made {
        try make(
            name, key: key, by: signer, days: days,
            ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth", "subjectAltName=" + names] + extensions,
            options: options)
    }

    private func makeKey(_ key: Key, _ path: String) throws {
        switch key {
        case .ec: try run(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path])
        case .rsa2048: try run(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", path])
        case .rsa1024: try run(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", path])
        case .ed25519: try run(["genpkey", "-algorithm", "ED25519", "-out", path])
        }
    }

    func der(_ path: String) throws -> CertificateBytes {
        let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return try PEM.certificates(text).get()[0].bytes
    }

    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailed(words: words.joined(separator: " ") + ": " + String(decoding: said, as: UTF8.self))
        }
    }
}
