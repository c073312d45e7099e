import BodyFiles
import ClientMachines
import NIOCore

/// The file that each of one session's tasks has open for its body: a real one, read where the socket world would let
/// the kernel read it.
final class SimulatedUploads {
    static let latency: Duration = .microseconds(50)

    private var files: [TaskID: UploadFile] = [:]

    func open(_ file: BodyFile, for task: TaskID) -> ClientInput {
        do throws(SourceFile.Trouble) {
            if let open = files[task], open.identity == file {
                if let trouble = open.trouble(upTo: open.version.size) { throw trouble }
                return .bodyFileOpened(task, open.version)
            }
            let opened = try UploadFile(file)
            files[task] = opened
            return .bodyFileOpened(task, opened.version)
        } catch {
            return .bodyFileFailed(task, error.kind, detail: error.detail)
        }
    }

    /// Nil for a task that has no file open.
    func read(_ task: TaskID, offset: Int64, count: Int) throws(SourceFile.Trouble) -> ByteBuffer? {
        try files[task]?.read(offset: offset, count: count)
    }

    func forget(_ task: TaskID) {
        if !files.isEmpty { files[task] = nil }
    }
}
