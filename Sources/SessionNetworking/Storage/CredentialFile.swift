#if !canImport(Darwin)
import Foundation
import Locks

/// Permanent credentials in a private file (BEHAVIOUR 2.A11-file): what this process has changed is written by a queue
/// of its own, on top of what other processes have written meanwhile. Where the desktop has a Secret Service they are
/// in there, and the file says so (BEHAVIOUR 2.A11-service).
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
        var pause = RetryPause()
        var isFetching = false
        /// What was fetched last has not been handed out yet.
        var isNew = false
        var nextFetch = ContinuousClock.now

        var current: CredentialRecords {
            var current = records
            for edit in edits { current.apply(edit) }
            return current
        }

        mutating func takeNews() -> Bool {
            defer { isNew = false }
            return isNew
        }
    }

    /// The Secret Service, looked for when it is first needed: on the queue.
    private enum Service {
        case unknown(@Sendable () -> (any SecretPlace)?)
        case known((any SecretPlace)?)
    }

    private let file: PrivateFile
    private let writing: Writing
    private let queue = DispatchQueue(label: "understudy.credentials")
    private let state = Lock(State())
    private let service: Lock<Service>

    /// Changes that wait while the disk takes none: the oldest are dropped beyond.
    private static let mostEdits = 4_096
    /// How long a caller waits for the Secret Service, and how long nobody does after it was silent.
    private static let patience = DispatchTimeInterval.milliseconds(300), silence = Duration.seconds(5)

    init(
        path: String, writing: Writing, service: @escaping @Sendable () -> (any SecretPlace)? = { nil }
    ) {
        self.service = Lock(.unknown(service))
        file = PrivateFile(path: path, limit: CredentialRecords.mostBytes)
        self.writing = writing
    }

    /// Those of the file and what is to come into it. Nil if the file is the one that was read last, or cannot be read.
    func changedRecords(evenIfSame: Bool) -> CredentialRecords? {
        let version = file.version
        let (known, isRead) = state.withLock { ($0.version, $0.isRead) }
        if isRead, version == known { return state.withLock { $0.takeNews() || evenIfSame ? $0.current : nil } }
        guard let (found, newer) = try? file.read() else { return nil }
        if case .bytes(let bytes) = found, CredentialPointer(bytes) != nil { return fetch(newer) }
        return state.withLock { state in
            (state.version, state.isRead, state.records) = (newer, true, Self.records(found) ?? state.records)
            return state.current
        }
    }

    /// From the Secret Service, on the queue. The caller waits for a moment; what comes later is there the next time.
    private func fetch(_ version: PrivateFile.Version?) -> CredentialRecords? {
        let mayAsk = state.withLock { state in
            if state.isFetching || ContinuousClock.now < state.nextFetch { return false }
            state.isFetching = true
            return true
        }
        guard mayAsk else { return nil }
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            let found: CredentialRecords? =
                switch secret() {
                case .records(let records): records
                // Its user has removed it there.
                case .nothing: CredentialRecords()
                case .unknown: nil
                }
            state.withLock { state in
                state.isFetching = false
                if let found {
                    (state.version, state.isRead, state.records, state.isNew) = (version, true, found, true)
                } else {
                    state.nextFetch = .now + Self.silence
                }
            }
            done.signal()
        }
        _ = done.wait(timeout: .now() + Self.patience)
        return state.withLock { $0.takeNews() ? $0.current : nil }
    }

    /// What the Secret Service has.
    private enum Secret {
        case records(CredentialRecords)
        case nothing
        /// There is no service, or it is silent, or what it has is of a later version, say: it stays as it is.
        case unknown
    }

    /// On the queue: the answer may take a moment.
    private func secret() -> Secret {
        guard let place = place() else { return .unknown }
        do throws(SecretsSilent) {
            guard let text = try place.text() else { return .nothing }
            return CredentialRecords(Array(text.utf8)).map { .records($0) } ?? .unknown
        } catch {
            return .unknown
        }
    }

    /// On the queue: looking for it may take a moment.
    private func place() -> (any SecretPlace)? {
        switch service.withLock({ $0 }) {
        case .known(let place): return place
        case .unknown(let find):
            let place = find()
            service.withLock { $0 = .known(place) }
            return place
        }
    }

    /// Whether there is a file, of whatever credentials.
    var exists: Bool { file.version != nil }

    /// None where there is no file: a user who removes it wants them gone. Nil for what is damaged or no such file,
    /// which removes nothing.
    private static func records(_ found: PrivateFile.Found) -> CredentialRecords? {
        switch found {
        case .absent: CredentialRecords()
        case .bytes(let bytes): CredentialRecords(bytes)
        case .foreign: nil
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
        let isPending = state.withLock { $0.isWriting || !$0.edits.isEmpty }
        guard isPending, case .later = writing else { return body() }
        queue.async {
            self.write()
            body()
        }
    }

    /// At the end of the process: not longer than that.
    func finish(within seconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.write()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(seconds))
    }

    private func write() {
        let (known, edits, end) = state.withLock { state in
            (state.isScheduled, state.isWriting) = (false, true)
            return (state.records, state.edits, state.former + state.edits.count)
        }
        defer { state.withLock { $0.isWriting = false } }
        guard !edits.isEmpty else { return }
        var records = CredentialRecords(), isSilent = false, isNews = false
        let version = try? file.update { found in
            var pointer: CredentialPointer?, read = Self.records(found), isBeside = false
            if case .bytes(let bytes) = found { pointer = CredentialPointer(bytes) }
            let isDamaged = pointer == nil && read == nil, secret = secret()
            switch secret {
            case .records(let kept) where pointer != nil: read = kept
            // Its user has removed it there, as others remove the file.
            case .nothing where pointer != nil: read = CredentialRecords()
            case .unknown where pointer != nil:
                isSilent = true
                return .nothing
            case .records(let kept) where isDamaged:
                // It may have been the one that says that they are there.
                (pointer, read) = (CredentialPointer(0), kept)
            case .records(var kept) where found != .absent:
                // The file of an earlier day is there again: it takes nothing from what was kept since.
                kept.add(older: read ?? CredentialRecords())
                (read, isBeside) = (kept, true)
            case .records, .nothing, .unknown: break
            }
            // Where it is damaged, what we had.
            records = read ?? known
            isNews = records != known
            for edit in edits { records.apply(edit) }
            if found != .absent, records == read, !isBeside { return .nothing }
            var bytes = records.bytes
            if keep(bytes, inPlaceOf: secret) {
                bytes = (pointer ?? CredentialPointer(0)).next.bytes
            } else if pointer != nil {
                isSilent = true
                return .nothing
            }
            return isDamaged ? .putAside(then: bytes) : .replace(bytes)
        }
        guard let version, !isSilent else { return tryLater() }
        state.withLock { state in
            (state.version, state.isRead, state.records) = (version, true, records)
            // What others have written meanwhile comes back with the next look.
            state.isNew = state.isNew || isNews
            state.pause.reset()
            // Those that came meanwhile stay.
            state.edits.removeFirst(max(0, end - state.former))
            state.former = max(end, state.former)
        }
    }

    /// What is there and cannot be read stays.
    private func keep(_ bytes: [UInt8], inPlaceOf secret: Secret) -> Bool {
        if case .unknown = secret { return false }
        return (try? place()?.keep(String(decoding: bytes, as: UTF8.self))) != nil
    }

    /// The system refuses it for now: the changes wait.
    private func tryLater() {
        guard case .later = writing else { return }
        let (span, failures) = state.withLock { ($0.pause.next(), $0.pause.failures) }
        queue.asyncAfter(deadline: .now() + span) { [weak self] in
            if let self, state.withLock({ $0.pause.failures == failures }) { write() }
        }
    }
}
#endif
