import Foundation

/// What Apple's URLSession has and this one has not, so that the lane compiles. Never called: `ClientGaps` keeps the
/// cases that would away.
extension URLSession {
    func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (AsyncThrowingStream<UInt8, any Error>, URLResponse) {
        throw URLError(.unknown)
    }

    func download(resumeFrom data: Data, delegate: (any URLSessionTaskDelegate)?) async throws -> (URL, URLResponse) {
        throw URLError(.unknown)
    }

    func upload(resumeFrom data: Data, delegate: (any URLSessionTaskDelegate)?) async throws -> (Data, URLResponse) {
        throw URLError(.unknown)
    }

    func uploadTask(withResumeData data: Data) -> URLSessionUploadTask {
        uploadTask(with: URLRequest(url: URL(fileURLWithPath: "/")), from: data)
    }

    func uploadTask(
        withResumeData data: Data, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(with: URLRequest(url: URL(fileURLWithPath: "/")), from: data, completionHandler: completionHandler)
    }
}

extension URLSessionUploadTask {
    func cancel(byProducingResumeData handler: @escaping @Sendable (Data?) -> Void) { cancel() }
}

/// A property that this URLSession has not.
struct NoVersion: Equatable { init?(rawValue: Int) { return nil } }

extension URLSessionConfiguration {
    var resumableUploadVersion: NoVersion? {
        get { nil }
        set {}
    }

    var maximumBodyBytesInMemory: Int64 {
        get { .max }
        set {}
    }
}

extension URLError {
    var uploadTaskResumeData: Data? { nil }

    var downloadTaskResumeData: Data? { userInfo[URLSessionDownloadTaskResumeData] as? Data }
}
