import Foundation
import HTTPBasics
import Testing

/// What a credential says reaches no output, however it goes over the wire and whatever comes of it.
@Suite struct RunCredentialSecretsTests {
    private static let password = "hush-7301-hush"

    /// Wrong expectations: all that is known of the case is printed.
    private static func scenario(_ scheme: String, _ challenge: String, _ proof: String, more: String = "") -> String {
        """
        scenario: secret/\(scheme)
        about: Nothing of this is ever printed.
        session: {credentials-file: yes}
        gssapi: {users: {ann: \(password)}}
        server:
          - {conn: A, request: GET /a, reply: {challenge: \(challenge)}}
        \(more)
          - {conn: A, request: GET /a, where: \(proof), reply: {body: open}}
        client:
          - {answer: {challenge: \(scheme), use: {user: ann, password: \(password), persistence: permanent}}}
          - {task: t, request: GET /a}
          - {await: t}
          - {session: another}
          - {task: u, request: GET /a, url-credentials: {user: ann, password: \(password)}}
          - {await: u}
        expect:
          t: {complete: ok, body: closed}
          u: {complete: ok}

        """
    }

    private static let files = [
        "secret/basic": scenario("basic", "{basic: {realm: vault}}", "{basic: {user: ann, password: \(password)}}"),
        "secret/digest": scenario(
            "digest", "{digest: {realm: vault, nonce: n1}}",
            "{digest: {user: ann, password: \(password), realm: vault}}"),
        "secret/ntlm": scenario(
            "ntlm", "{ntlm: {}}", "{ntlm: {user: ann, password: \(password)}}",
            more: "  - {conn: A, request: GET /a, where: {ntlm: {message: \"1\"}}, "
                + "reply: {challenge: {ntlm: {nonce: 0123456789abcdef}}}}"),
        "secret/negotiate": scenario("negotiate", "{negotiate: {}}", "{negotiate: {user: ann}}"),
    ]

    @Test(arguments: ["simulated", "sockets"])
    func `no log, journal or report shows a password or what is as good`(world: String) throws {
        let folder = try Folder(Self.files)
        let result = try Command.run("run", "--world", world, "--report", "report", in: folder)
        #expect(result.status != 0)
        var texts = ["output": result.output, "errors": result.errors]
        let report = folder.url.appendingPathComponent("report")
        for name in try FileManager.default.subpathsOfDirectory(atPath: report.path) {
            let contents = FileManager.default.contents(atPath: report.appendingPathComponent(name).path)
            texts[name] = contents.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(texts.count > 4 && texts["output"]?.contains("secret/ntlm") == true)
        let secrets = [
            Self.password, Base64.encode(Array("ann:\(Self.password)".utf8)),
            // Message 3 of NTLM, which could be tried out at leisure.
            Base64.encode(Array("NTLMSSP\0".utf8) + [3]),
        ]
        for (name, text) in texts {
            for secret in secrets { #expect(!text.contains(secret), "\(name): \(secret)") }
        }
    }
}
