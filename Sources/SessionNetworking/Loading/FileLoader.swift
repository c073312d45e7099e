#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// Answers a `file:` URL (RFC 8089) from the disk, a piece at a time: the next one is read when the last was taken.
final class FileLoader: Loader, @unchecked Sendable {
    // Safety: `file` and `offset` are touched by jobs of `executor` only, which runs one after another; the rest is
    // immutable.

    private static let pieceBytes = 256 * 1024

    private let url: URLReference
    private let task: URLSessionTask
    private let executor: any CallExecutor
    private let inlet: EventInlet
    private var file: SourceFile?
    private var offset: Int64 = 0

    init(_ url: URLReference, for task: URLSessionTask, executor: any CallExecutor, inlet: EventInlet) {
        (self.url, self.task, self.executor, self.inlet) = (url, task, executor, inlet)
    }

    func begin() { executor.run { self.start() } }

    func goOn() { executor.run { self.readOn() } }

    func end() { executor.run { self.file = nil } }

    // MARK: - On the executor

    private func start() {
        if let host = url.host, !host.isEmpty, !host.equalsIgnoringCase("localhost") {
            return inlet.say(.failed(.unsupportedURL, detail: "Files of other hosts cannot be read."))
        }
        do throws(SourceFile.Trouble) {
            let file = try SourceFile(path: PercentEncoding.decoded(url.path))
            let path = URL(fileURLWithPath: file.path)
            let response = URLResponse(
                url: task.currentRequest?.url ?? path, mimeType: FileType.mediaType(ofExtension: path.pathExtension),
                expectedContentLength: Int(try file.version().size), textEncodingName: nil)
            self.file = file
            inlet.say(.response(task.supply(response)))
        } catch {
            inlet.say(.failed(error.kind, detail: error.detail))
        }
    }

    private func readOn() {
        guard let file else { return }
        do throws(SourceFile.Trouble) {
            var piece = ByteBuffer()
            let count = try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceBytes) {
                (space) throws(SourceFile.Trouble) in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<Self.pieceBytes]), at: offset)
            }
            offset += Int64(count)
            inlet.say(count > 0 ? .data(piece) : .end)
        } catch {
            inlet.say(.failed(error.kind, detail: error.detail))
        }
    }
}
#endif
