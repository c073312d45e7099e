import BodyFiles
import ClientMachines
import NIOCore

/// The files that one session's tasks send: real ones, read where the socket world would let the kernel read them.
final class SimulatedUploads {
    static let latency: Duration = .microseconds(50)

    private var files: [TaskID: UploadFile] = [:]

    func open(path: String, for task: TaskID) -> ClientInput {
        do throws(UploadFile.Trouble) {
            let file = try UploadFile.open(path: path)
            files[task] = file
            return .bodyFileOpened(task, length: file.length)
        } catch {
            return .bodyFileFailed(task, error.kind, detail: error.detail)
        }
    }

    func read(_ task: TaskID, offset: Int64, count: Int) -> ByteBuffer? {
        files[task]?.read(offset: offset, count: count)
    }

    func forget(_ task: TaskID) {
        if !files.isEmpty { files[task] = nil }
    }
}
