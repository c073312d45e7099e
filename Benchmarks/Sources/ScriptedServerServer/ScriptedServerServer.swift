import Glibc
import ScriptedServer

/// Our server with one route: it matches every request against the script and writes it into its journal. With the
/// argument `tls` it speaks TLS.
@main
struct ScriptedServerServer {
    private static let body = String(repeating: "0", count: 100)

    static func main() async throws {
        let server = try await ScriptedServer.start { @Sendable script in
            if CommandLine.arguments.contains("tls") { script.secure() }
            script.route("GET", "/", reply: .ok(.text(body)))
        }
        print(server.url)
        fflush(nil)
        try await Task.sleep(for: .seconds(86_400))
        _ = try await server.stop()
    }
}
