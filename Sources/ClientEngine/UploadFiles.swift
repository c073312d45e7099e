import BodyFiles
import ClientMachines
import NIOCore

/// The file that each of one shard's tasks has open for its body, until it opens another one or ends. Confined to one
/// event loop.
final class UploadFiles: @unchecked Sendable {  // Safety: touched on the event loop only.
    private let eventLoop: any EventLoop
    private let threads: BlockingThreads
    /// Nil while a file is being opened.
    private var files: [TaskID: SendableFile?] = [:]

    init(eventLoop: any EventLoop, threads: BlockingThreads = .files) {
        self.eventLoop = eventLoop
        self.threads = threads
    }

    /// Files that are held: a leak check for tests.
    var count: Int { files.count }

    subscript(task: TaskID) -> SendableFile? { files[task] ?? nil }

    /// Opens off the loop, because a disk may be slow. What is open is looked at here and now: the kernel has the size
    /// and the times of an open file at hand, unless it is another machine's.
    func open(_ file: BodyFile, for task: TaskID, _ taker: any InputTaker) {
        if let open = self[task]?.file.again(file) { return opened(open, for: task, taker) }
        files[task] = .some(nil)
        threads.submit { [self, eventLoop] in
            let opened = Result { () throws(SourceFile.Trouble) in try UploadFile(file) }
            eventLoop.execute { self.opened(opened, for: task, taker) }
        }
    }

    private func opened(
        _ result: Result<UploadFile, SourceFile.Trouble>, for task: TaskID, _ taker: any InputTaker
    ) {
        guard files[task] != nil else { return }
        switch result {
        case .success(let file):
            files[task] = SendableFile(file, of: task)
            taker.take(.bodyFileOpened(task, file.version))
        case .failure(let trouble):
            files[task] = nil
            taker.take(.bodyFileFailed(task, trouble.kind, detail: trouble.detail))
        }
    }

    /// The task is over. What is still on its way out keeps its file open.
    func finish(_ task: TaskID) {
        if !files.isEmpty { files[task] = nil }
    }
}

/// A file in the form in which a channel sends it without a copy.
final class SendableFile: Sendable {
    let task: TaskID
    fileprivate let file: UploadFile
    private let handle: NIOFileHandle

    init(_ file: UploadFile, of task: TaskID) {
        self.task = task
        self.file = file
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.descriptor)
    }

    deinit {
        // Closed by its owner, `file`; the handle only insists on being told.
        _ = try? handle.takeDescriptorOwnership()
    }

    func trouble(upTo end: Int64) -> SourceFile.Trouble? { file.trouble(upTo: end) }

    func read(offset: Int64, count: Int) throws(SourceFile.Trouble) -> ByteBuffer {
        try file.read(offset: offset, count: count)
    }

    /// To be held until the region is sent, or never will be.
    func region(offset: Int64, count: Int) -> FileRegion {
        FileRegion(fileHandle: handle, readerIndex: Int(offset), endIndex: Int(offset) + count)
    }
}
