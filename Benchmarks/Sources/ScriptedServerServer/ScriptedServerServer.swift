import Glibc
import ScriptedServer

/// Our server with one route: it matches every request against the script and writes it into its journal. With an
/// argument it speaks TLS (`tls`), asks for credentials (`digest`), or is a proxy of itself (`tunnel`), whose port
/// stands behind the URL. With `embedded` it is started in a process that is there already, and the time until its
/// first answer is printed, in us.
@main
struct ScriptedServerServer {
    private static let body = String(repeating: "0", count: 100)

    static func main() async throws {
        let mode = CommandLine.arguments.dropFirst().first
        if mode == "embedded" { return print(try await timeToFirstAnswer()) }
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

    /// The median of twenty; what the first one in a process has to load does not count.
    private static func timeToFirstAnswer() async throws -> Int64 {
        var times: [Int64] = []
        for _ in 0...20 { times.append(try await startAndAsk()) }
        return times.dropFirst().sorted()[10]
    }

    private static func startAndAsk() async throws -> Int64 {
        let clock = ContinuousClock(), start = clock.now
        let server = try await ScriptedServer.start { $0.route("GET", "/", reply: .ok(.text(body))) }
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (server.url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(client, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        var answer = [UInt8](repeating: 0, count: 4096)
        guard isConnected, write(client, request, request.count) == request.count,
            read(client, &answer, answer.count) > 0, answer.starts(with: "HTTP/1.1 200".utf8)
        else { throw Failure() }
        let span = clock.now - start
        close(client)
        try await server.stop()
        return span.components.attoseconds / 1_000_000_000_000
    }

    private struct Failure: Error {}
}
