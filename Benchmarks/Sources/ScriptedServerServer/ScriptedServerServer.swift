import Glibc
import ScriptedServer

/// Our server with one route: it matches every request against the script and writes it into its journal. With an
/// argument it speaks TLS (`tls`), asks for credentials (`digest`), or is a proxy of itself (`tunnel`), whose port
/// stands behind the URL.
@main
struct ScriptedServerServer {
    private static let body = String(repeating: "0", count: 100)

    static func main() async throws {
        let mode = CommandLine.arguments.dropFirst().first
        let server = try await ScriptedServer.start { @Sendable script in
            switch mode {
            case "tls": script.secure()
            case "tunnel":
                script.hosts("origin.test", "proxy.test")
                script.secure()
                script.httpProxy("proxy.test")
            case "digest":
                let proof = RequestRule.digest(user: "ann", password: "secret", realm: "bench")
                script.route("GET", "/", where: [proof], reply: .ok(.text(body)))
                script.otherwise(.digestChallenge(realm: "bench", nonce: "fresh"))
                return
            default: break
            }
            script.route("GET", "/", reply: .ok(.text(body)))
        }
        let proxy = server.url(of: "proxy.test").flatMap { $0.split(separator: ":").last.map(String.init) }
        print(([server.url] + [proxy].compactMap(\.self)).joined(separator: " "))
        fflush(nil)
        try await Task.sleep(for: .seconds(86_400))
        _ = try await server.stop()
    }
}
