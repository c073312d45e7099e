import Foundation
import Testing

/// The toolchain's URLSession over TLS: its worker has a trust file and a file of names of its own.
@Suite struct RunFoundationTests {
    /// The host's certificate is signed by our authority, and is for its name.
    private static let trusted = """
        hosts: [{name: a.test, tls: valid}]
        routes: [{request: GET /a, reply: {body: hello}}]
        client: [{task: t, request: GET /a}, {await: t}]
        expect: {t: {complete: ok, body: hello}}
        """
    /// Nobody's certificate: nothing is sent.
    private static let stranger = """
        hosts: [{name: a.test, tls: untrusted-root}]
        routes: [{request: GET /a, reply: {body: hello}}]
        client: [{task: t, request: GET /a}, {await: t}]
        expect: {t: {complete: unknown}, wire: []}
        """

    @Test func `our authority is trusted and no other, and nothing of that is seen outside`() throws {
        let before = try Self.outside()
        let folder = try Folder(["tls/trusted": Self.trusted, "tls/stranger": Self.stranger])
        let result = try Command.run("run", "--client", "foundation", "--world", "sockets", in: folder)
        #expect(try Self.outside() == before)
        if result.output.contains("needs a mount namespace") || result.output.contains("needs a file of trusted") {
            // The machine has not what it takes: nothing was played, and nothing failed.
            #expect(!result.output.contains("FAIL"), "\(result.output)")
        } else {
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("6 passed"), "\(result.output)")
        }
    }

    /// What a namespace that leaks would change.
    private static func outside() throws -> [String] {
        try ["/proc/self/mountinfo", "/etc/hosts"].map { path in
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }
}
