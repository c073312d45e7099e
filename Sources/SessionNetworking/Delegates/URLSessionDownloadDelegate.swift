#if !canImport(Darwin)
import Foundation

/// Messages of download tasks that were made without a completion handler.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    /// The download is complete. The file is removed when this method returns: move it or open it here.
    ///
    /// Called for every HTTP status: the file may hold an error page.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

    /// Part of the body was written.
    ///
    /// `totalBytesWritten` includes what was there before a resumed download began. `totalBytesExpectedToWrite` is the
    /// size of the whole, -1 (`NSURLSessionTransferSizeUnknown`) while unknown.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

    /// A download made with resume data goes on; at offset 0 when the old bytes were of no use.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64)
}

extension URLSessionDownloadDelegate {
    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        CallToken.markUnimplemented(self, .wrote)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        CallToken.markUnimplemented(self, .resumed)
    }
}
#endif
