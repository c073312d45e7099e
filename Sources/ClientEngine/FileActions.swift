import BodyFiles
import ClientMachines
import Glibc
import HTTPBasics
import MachineContract
import NIOCore

/// The files of one shard's downloads, worked on off the loop: one task's actions one after another, in order.
///
/// Confined to one event loop; only the batch that a thread is busy with leaves it.
final class FileActions: @unchecked Sendable {  // Safety: touched on the event loop only.
    /// One download's file with what waits for it.
    private final class Line: @unchecked Sendable {  // Safety: `file` belongs to the one batch that runs.
        let file: DownloadFile
        var waiting: CircularBuffer<FileAction> = []
        /// What a thread is busy with. Held until the loop has heard the answers: before that, NIO could find the
        /// buffers unused and fill them anew, ordered behind the thread's reading by a reference count alone.
        var running: CircularBuffer<FileAction> = []
        var isRunning: Bool { !running.isEmpty }
        /// Nothing more is expected for this file.
        var isOver = false

        init(_ file: DownloadFile) { self.file = file }
    }

    private let eventLoop: any EventLoop
    private let threads: BlockingThreads
    private let faults: [DiskFault]
    private var lines: [TaskID: Line] = [:]

    /// - Parameter faults: What goes wrong with every file, for a test.
    init(eventLoop: any EventLoop, threads: BlockingThreads = .files, faults: [DiskFault] = []) {
        self.eventLoop = eventLoop
        self.threads = threads
        self.faults = faults
    }

    /// Files that are held: a leak check for tests.
    var count: Int { lines.count }

    /// Queues one action; its answer comes as an input, after those of earlier actions of the same task.
    func perform(_ action: FileAction, of task: TaskID, for taker: any InputTaker) {
        let line = lines[task] ?? Line(DownloadFile(task: task, faults: faults))
        lines[task] = line
        line.isOver = action == .discard
        line.waiting.append(action)
        if !line.isRunning { run(line, of: task, for: taker) }
    }

    /// The task has told its user the end: its file, closed or discarded by now, is no longer ours.
    func finish(_ task: TaskID) {
        guard let line = lines[task] else { return }
        line.isOver = true
        if !line.isRunning { lines[task] = nil }
    }

    private func run(_ line: Line, of task: TaskID, for taker: any InputTaker) {
        let batch = line.waiting
        line.waiting = []
        line.running = batch
        threads.submit { [self, eventLoop] in
            let answers = batch.compactMap { action -> ClientInput? in
                let delay = line.file.delay(of: action)
                if delay > .zero { usleep(UInt32(clamping: delay.nanoseconds / 1000)) }
                return line.file.perform(action)
            }
            eventLoop.execute { self.done(line, answers, of: task, for: taker) }
        }
    }

    private func done(_ line: Line, _ answers: [ClientInput], of task: TaskID, for taker: any InputTaker) {
        line.running = []
        if !line.waiting.isEmpty {
            run(line, of: task, for: taker)
        } else if line.isOver {
            lines[task] = nil
        }
        for answer in answers { taker.take(answer) }
    }
}
