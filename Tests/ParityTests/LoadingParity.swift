import Foundation
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// What needs a session, and no server.
@Suite("Loading")
struct LoadingParity {
    private let session = URLSession(configuration: .ephemeral)

    // BEHAVIOUR 2.H3-data
    @Test(
        arguments: [
            ("data:,hello%20there", "text/plain", nil, "hello there"),
            ("data:;base64,aGk=", "text/plain", nil, "hi"),
            ("data:text/html;charset=utf-8,hi", "text/html", "utf-8", "hi"),
            ("data:text/css;base64,aGk=", "text/css", nil, "hi"),
        ] as [(String, String, String?, String)])
    func `a data URL is its own answer`(text: String, type: String, encoding: String?, body: String) async throws {
        try await played {
            let (data, response) = try await session.data(from: try url(text))
            #expect(String(decoding: data, as: UTF8.self) == body)
            #expect(response.mimeType == type)
            #expect(response.textEncodingName == encoding)
            #expect(response.expectedContentLength == Int64(data.count))
        }
    }

    // BEHAVIOUR 1.B12-scheme
    @Test func `a request without a URL is unsupported, whatever task it makes`() async throws {
        try await played {
            var request = URLRequest(url: try url("http://example.org/"))
            request.url = nil
            request.httpMethod = "POST"
            let (body, plain) = (Data([1]), request)
            let delegate = Completions()
            let told = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            defer { told.finishTasksAndInvalidate() }
            for task in [
                told.dataTask(with: plain), told.downloadTask(with: plain), told.uploadTask(with: plain, from: body),
            ] {
                #expect(await delegate.error(of: task) == .unsupportedURL)
            }
            #expect(await error { self.session.dataTask(with: plain, completionHandler: $0) } == .unsupportedURL)
            #expect(
                await error { self.session.uploadTask(with: plain, from: body, completionHandler: $0) }
                    == .unsupportedURL)
            await #expect { try await session.data(for: plain) } throws: { ($0 as? URLError)?.code == .unsupportedURL }
            await #expect { try await session.download(for: plain) } throws: {
                ($0 as? URLError)?.code == .unsupportedURL
            }
            await #expect { try await session.upload(for: plain, from: body) } throws: {
                ($0 as? URLError)?.code == .unsupportedURL
            }
        }
    }

    // BEHAVIOUR 1.B12-scheme
    @Test func `another scheme is unsupported`() async throws {
        try await played {
            let odd = URLRequest(url: try url("gopher://example.org/"))
            #expect(await error { self.session.dataTask(with: odd, completionHandler: $0) } == .unsupportedURL)
        }
    }

    // BEHAVIOUR 2.H3-data
    @Test(arguments: ["data:text/plain", "data:;base64,a"])
    func `whether a malformed data URL ends its task`(text: String) async throws {
        let session = session
        let request = URLRequest(url: try url(text))
        #if PARITY_FOUNDATION
        await #expect(throws: StandsStill.self) {
            try await played(within: 1) { _ = try await session.data(for: request) }
        }
        #else
        await #expect(throws: URLError.self) { try await played { _ = try await session.data(for: request) } }
        #endif
    }

    // BEHAVIOUR 1.A6-text
    @Test func `an error describes itself in Foundation's words`() async throws {
        try await played {
            func text(of request: URLRequest) async -> String? {
                await withCheckedContinuation { continuation in
                    session.dataTask(with: request) { _, _, error in
                        let info = (error as? URLError)?.userInfo
                        #expect(info?[NSLocalizedDescriptionKey] as? String == error?.localizedDescription)
                        continuation.resume(returning: error?.localizedDescription)
                    }.resume()
                }
            }
            var odd = URLRequest(url: try url("gopher://example.org/"))
            #expect(await text(of: odd) == "unsupported URL")
            odd = URLRequest(url: try url("http://127.0.0.1:1/"))
            odd.httpBody = Data([1])
            #expect(await text(of: odd) == "resource exceeds maximum size")
        }
    }

    private func error(
        _ make: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async -> URLError.Code? {
        await withCheckedContinuation { continuation in
            make { _, _, error in continuation.resume(returning: (error as? URLError)?.code) }.resume()
        }
    }
}

/// How the tasks of a session end.
private final class Completions: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safety: guarded by the lock.
    private let lock = NSLock()
    private var waiting: CheckedContinuation<URLError.Code?, Never>?

    func error(of task: URLSessionTask) async -> URLError.Code? {
        await withCheckedContinuation { continuation in
            lock.withLock { waiting = continuation }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.withLock { waiting }?.resume(returning: (error as? URLError)?.code)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}
}
