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
}

extension URLError {
    var downloadTaskResumeData: Data? { userInfo[URLSessionDownloadTaskResumeData] as? Data }
}
