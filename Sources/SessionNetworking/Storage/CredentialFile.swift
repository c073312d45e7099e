#if !canImport(Darwin)
import Foundation
import Locks

/// Permanent credentials in a private file (BEHAVIOUR 2.A11-file): what this process has changed is written by a queue
/// of its own, on top of what other processes have written meanwhile.
final class CredentialFile: Sendable {
    /// When a change is written.
    enum Writing: Sendable {
        /// Soon, on a queue; `whenWritten` waits for it.
        case later
        /// Before the call that makes it returns: for the simulator, whose threads are one.
        case atOnce
    }

    private struct State {
        var version: PrivateFile.Version?
        var isRead = false
        /// As the file had them.
        var records = CredentialRecords()
        /// What is not in the file yet: the first ones are being written.
        var edits: [CredentialEdit] = []
        /// How many there were before the first of them.
        var former = 0
        var isScheduled = false
        var isWriting = false

        var current: CredentialRecords {
            var current = records
            for edit in edits { current.apply(edit) }
            return current
        }
    }

    private let file: PrivateFile
    private let writing: Writing
    private let queue = DispatchQueue(label: "understudy.credentials")
    private let state = Lock(State())

    /// Changes that wait while the disk takes none: the oldest are dropped beyond.
    private static let mostEdits = 4_096

    init(path: String, writing: Writing) {
        file = PrivateFile(path: path, limit: CredentialRecords.mostBytes)
        self.writing = writing
    }

    /// Those of the file and what is to come into it. Nil if the file is the one that was read last, or cannot be read.
    func changedRecords(evenIfSame: Bool) -> CredentialRecords? {
        let version = file.version
        let (known, isRead) = state.withLock { ($0.version, $0.isRead) }
        if isRead, version == known { return evenIfSame ? state.withLock { $0.current } : nil }
        guard let (found, newer) = try? file.read() else { return nil }
        var records = CredentialRecords()
        if case .bytes(let bytes) = found { records = CredentialRecords(bytes) ?? CredentialRecords() }
        return state.withLock { state in
            (state.version, state.isRead, state.records) = (newer, true, records)
            return state.current
        }
    }

    func change(_ edit: CredentialEdit) {
        let mustSchedule = state.withLock { state in
            state.edits.append(edit)
            if state.edits.count > Self.mostEdits {
                state.edits.removeFirst()
                state.former += 1
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        switch writing {
        case .atOnce: write()
        case .later: if mustSchedule { queue.async { self.write() } }
        }
    }

    /// Calls back when all that was changed before is written, or cannot be: at once if it is, else from another
    /// thread.
    func whenWritten(_ body: @escaping @Sendable () -> Void) {
        let isPending = state.withLock { $0.isScheduled || $0.isWriting }
        if isPending, case .later = writing { queue.async(execute: body) } else { body() }
    }

    /// At the end of the process: not longer than that.
    func finish(within seconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .seconds(seconds))
    }

    private func write() {
        let (edits, end) = state.withLock { state in
            (state.isScheduled, state.isWriting) = (false, true)
            return (state.edits, state.former + state.edits.count)
        }
        defer { state.withLock { $0.isWriting = false } }
        guard !edits.isEmpty else { return }
        var records = CredentialRecords()
        let version = try? file.update { found in
            var isForeign = false
            switch found {
            case .absent, .foreign: break
            case .bytes(let bytes):
                if let read = CredentialRecords(bytes) { records = read } else { isForeign = true }
            }
            let former = records
            for edit in edits { records.apply(edit) }
            if isForeign { return .putAside(then: records.bytes) }
            return found != .absent && found != .foreign && records == former ? .nothing : .replace(records.bytes)
        }
        // Refused: the next change tries again.
        guard let version else { return }
        state.withLock { state in
            (state.version, state.isRead, state.records) = (version, true, records)
            // Those that came meanwhile stay.
            state.edits.removeFirst(max(0, end - state.former))
            state.former = max(end, state.former)
        }
    }
}
#endif
