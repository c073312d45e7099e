import Foundation
import HTTPBasics
import Judge
import Serving

/// Tells what changes in folders without looking again and again: Linux' inotify.
final class FolderWatch {
    private struct Folder {
        /// What it was asked for by, and reached by besides.
        var paths: [String]
        /// Folders that appear below are watched too.
        var isDeep: Bool
        var isRoot: Bool
    }

    /// More folders are a mistake.
    private static let maximumFolders = 20_000
    private static let wanted =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR | IN_DELETE_SELF
        | IN_MOVE_SELF

    private let descriptor: Int32
    private let start = ContinuousClock.now
    private var folders: [Int32: Folder] = [:]

    init() throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw UsageError("cannot watch for changes: \(FolderWatch.reason(errno))") }
    }

    deinit { close(descriptor) }

    /// Watches a folder, and with `isDeep` all folders below it except hidden ones. Twice is as good as once.
    func add(_ path: String, isDeep: Bool) throws { try add(path, isDeep: isDeep, isRoot: true) }

    /// The same without what is below it, for as long as it is there.
    func addIfThere(_ path: String) throws { try add(path, isDeep: false, isRoot: false) }

    private func add(_ path: String, isDeep: Bool, isRoot: Bool) throws {
        guard folders.count < FolderWatch.maximumFolders else {
            throw UsageError("cannot watch more than \(FolderWatch.maximumFolders) folders")
        }
        let number = inotify_add_watch(descriptor, path, UInt32(FolderWatch.wanted))
        guard number >= 0 else {
            let code = errno
            // What has gone meanwhile needs no watch.
            if !isRoot, code == ENOENT || code == ENOTDIR { return }
            let remedy = code == ENOSPC ? " (see fs.inotify.max_user_watches)" : ""
            throw UsageError("cannot watch '\(path)': \(FolderWatch.reason(code))\(remedy)")
        }
        let known = folders[number], paths = known?.paths ?? []
        let isDeep = isDeep || known?.isDeep ?? false
        folders[number] = Folder(
            paths: paths.contains(path) ? paths : paths + [path], isDeep: isDeep,
            isRoot: isRoot || known?.isRoot ?? false)
        guard isDeep else { return }
        // Listed after the watch is set: what appears between is told as an event.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where !name.hasPrefix(".") {
            let below = "\(path)/\(name)"
            let type = try? FileManager.default.attributesOfItem(atPath: below)[.type] as? FileAttributeType
            if type == .typeDirectory { try add(below, isDeep: true, isRoot: false) }
        }
    }

    /// Waits until something has changed and come to rest; nil when it is to stop.
    ///
    /// - Throws: `UsageError` when a folder that was asked for is gone.
    func changes(until stop: StopSignal) throws -> FolderChanges? {
        var batch = ChangeBatch()
        while true {
            let limit = batch.deadline.map { max(0, ($0 - now).nanoseconds / 1_000_000 + 1) } ?? -1
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&entries, 2, Int32(limit))
            if entries[1].revents != 0 { return nil }
            if entries[0].revents != 0 { for event in events() { try take(event, &batch) } }
            if let deadline = batch.deadline, now >= deadline { return batch.changes }
        }
    }

    // MARK: - Events

    private func events() -> [FolderEvent] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? FolderEvent.all(in: Array(buffer[..<count])) : []
    }

    private func take(_ event: FolderEvent, _ batch: inout ChangeBatch) throws {
        if event.has(IN_Q_OVERFLOW) {
            batch.addLoss(at: now)
            // Folders may have appeared without an event.
            for folder in folders.values where folder.isRoot { try addAgain(folder) }
        }
        guard let folder = folders[event.watch] else { return }
        if event.has(IN_IGNORED) { folders[event.watch] = nil }
        if folder.isRoot, event.has(IN_IGNORED | IN_MOVE_SELF) {
            folders[event.watch] = nil
            inotify_rm_watch(descriptor, event.watch)
            // Behind a link there may be another one by now.
            guard folder.paths.contains(where: FileManager.default.fileExists) else {
                throw UsageError("the folder '\(folder.paths[0])' is gone")
            }
            try addAgain(folder)
            for path in folder.paths { batch.add(path, at: now) }
        }
        guard !event.name.isEmpty else { return }
        for path in folder.paths { try take(event, at: "\(path)/\(event.name)", in: folder, &batch) }
    }

    private func addAgain(_ folder: Folder) throws {
        for path in folder.paths where FileManager.default.fileExists(atPath: path) {
            try add(path, isDeep: folder.isDeep)
        }
    }

    private func take(_ event: FolderEvent, at path: String, in folder: Folder, _ batch: inout ChangeBatch) throws {
        if event.has(IN_ISDIR) {
            if event.has(IN_MOVED_FROM) { forget(path) }
            let isShown = !event.name.hasPrefix(".")
            if folder.isDeep, isShown, event.has(IN_CREATE | IN_MOVED_TO) {
                try add(path, isDeep: true, isRoot: false)
            }
        } else if event.has(IN_CREATE), FolderWatch.isBeingWritten(path) {
            return
        }
        batch.add(path, at: now)
    }

    /// The writing of a new file ends with an event of its own; a link is there at once.
    private static func isBeingWritten(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }

    /// A folder that was moved away is still watched under the name that it had.
    private func forget(_ path: String) {
        for (number, folder) in folders
        where !folder.isRoot && folder.paths.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) {
            folders[number] = nil
            inotify_rm_watch(descriptor, number)
        }
    }

    private var now: Instant { .zero + (ContinuousClock.now - start) }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
