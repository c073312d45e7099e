import AsyncHTTPClient
import Glibc
import NIOCore

/// As many Swift tasks as there shall be requests at once, each loading one after another.
struct Loader {
    var client: HTTPClient
    var style: String
    var url: String
    var body: Int

    func load(times: Int, atOnce: Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for index in 0..<atOnce {
                let share = times / atOnce + (index < times % atOnce ? 1 : 0)
                group.addTask { await load(times: share) }
            }
            return await group.reduce(0, +)
        }
    }

    private func load(times: Int) async -> Int {
        var failed = 0
        for _ in 0..<times {
            do {
                if try await received() != body { failed += 1 }
            } catch {
                failed += 1
            }
        }
        return failed
    }

    /// How many bytes the body of one answer had.
    private func received() async throws -> Int {
        switch style {
        case "delegate":
            return try await client.execute(request: .init(url: url), delegate: Counter()).get()
        case "download":
            let path = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/async-http-client.download"
            defer { unlink(path) }
            return try await client.execute(
                request: .init(url: url), delegate: FileDownloadDelegate(path: path)
            ).get().receivedBytes
        case "buffers":
            var count = 0
            for try await buffer in try await execute().body { count += buffer.readableBytes }
            return count
        default:
            return try await execute().body.collect(upTo: 1 << 20).readableBytes
        }
    }

    private func execute() async throws -> HTTPClientResponse {
        let response = try await client.execute(HTTPClientRequest(url: url), deadline: .now() + .hours(1))
        guard response.status == .ok else { throw WrongStatus() }
        return response
    }

    private struct WrongStatus: Error {}
}

/// Counts the bytes of a body and forgets them.
private final class Counter: HTTPClientResponseDelegate, @unchecked Sendable {
    // Safety: called on one event loop.
    private var count = 0

    func didReceiveBodyPart(task: HTTPClient.Task<Int>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        count += buffer.readableBytes
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Int>) throws -> Int { count }
}
