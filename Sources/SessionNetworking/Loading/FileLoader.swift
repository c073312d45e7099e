#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// Answers a `file:` URL (RFC 8089) from the disk, a piece at a time: the next one is read when the last was taken.
final class FileLoader: Loader, @unchecked Sendable {
    // Safety: `descriptor` is touched by jobs of `executor` only, which runs one after another; the rest is immutable.

    private static let pieceBytes = 256 * 1024

    private let url: URLReference
    private let task: URLSessionTask
    private let executor: any CallExecutor
    private let inlet: EventInlet
    private var descriptor: Int32 = -1

    init(_ url: URLReference, for task: URLSessionTask, executor: any CallExecutor, inlet: EventInlet) {
        (self.url, self.task, self.executor, self.inlet) = (url, task, executor, inlet)
    }

    deinit { close() }

    func begin() { executor.run { self.start() } }

    func goOn() { executor.run { self.readOn() } }

    func end() { executor.run { self.close() } }

    // MARK: - On the executor

    private func start() {
        switch open() {
        case .failure(let trouble):
            inlet.say(.failed(trouble.kind, detail: trouble.detail))
        case .success(let size):
            let path = URL(fileURLWithPath: self.path)
            let response = URLResponse(
                url: task.currentRequest?.url ?? path, mimeType: FileType.mediaType(ofExtension: path.pathExtension),
                expectedContentLength: size, textEncodingName: nil)
            inlet.say(.response(task.supply(response)))
        }
    }

    private struct Trouble: Error {
        var kind: Failure.Kind
        var detail: String

        init(_ kind: Failure.Kind, _ detail: String) { (self.kind, self.detail) = (kind, detail) }

        /// Without the path, which the error names as its URL.
        init(_ what: String, errorNumber: Int32) {
            switch errorNumber {
            case ENOENT, ENOTDIR, ENAMETOOLONG: kind = .fileDoesNotExist
            case EISDIR: kind = .fileIsDirectory
            case EACCES, EPERM: kind = .noPermissionsToReadFile
            default: kind = .cannotOpenFile
            }
            detail = "The file could not be \(what): \(String(cString: strerror(errorNumber)))."
        }
    }

    private var path: String { PercentEncoding.decoded(url.path) }

    /// The size of the file, as it is now.
    private func open() -> Result<Int, Trouble> {
        if let host = url.host, !host.isEmpty, !host.equalsIgnoringCase("localhost") {
            return .failure(Trouble(.unsupportedURL, "Files of other hosts cannot be read."))
        }
        guard !path.utf8.contains(0) else { return .failure(Trouble(.fileDoesNotExist, "The path holds a NUL.")) }
        // A FIFO must not keep us waiting for its other end.
        descriptor = retrying { Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return .failure(Trouble("opened", errorNumber: errno)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(Trouble("examined", errorNumber: errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .success(Int(status.st_size))
        case S_IFDIR: return .failure(Trouble(.fileIsDirectory, "The path is that of a directory."))
        default: return .failure(Trouble(.cannotOpenFile, "The path is not that of a regular file."))
        }
    }

    private func readOn() {
        guard descriptor >= 0 else { return }
        var piece = ByteBuffer()
        var count = 0
        piece.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceBytes) { space in
            count = retrying { read(descriptor, space.baseAddress, Self.pieceBytes) }
            return max(0, count)
        }
        guard count >= 0 else {
            let trouble = Trouble("read", errorNumber: errno)
            return inlet.say(.failed(trouble.kind, detail: trouble.detail))
        }
        inlet.say(count > 0 ? .data(piece) : .end)
    }

    private func close() {
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
        descriptor = -1
    }
}

/// Repeats a system call that a signal interrupted.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
#endif
