import BodyFiles
import ClientMachines
import NIOCore

/// The file that each of one session's tasks has open for its body: a real one, read where the socket world would let
/// the kernel read it.
final class SimulatedUploads {
    static let latency: Duration = .microseconds(50)

    private var files: [TaskID: UploadFile] = [:]

    func open(_ file: BodyFile, for task: TaskID) -> ClientInput {
        let result =
            files[task]?.again(file) ?? Result { () throws(SourceFile.Trouble) in try UploadFile(file) }
        switch result {
        case .success(let file):
            files[task] = file
            return .bodyFileOpened(task, file.version)
        case .failure(let trouble):
            files[task] = nil
            return .bodyFileFailed(task, trouble.kind, detail: trouble.detail)
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
