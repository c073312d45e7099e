import ClientMachines
import Glibc
import HTTPBasics
import MachineContract
import NIOCore

/// The file that one download grows in: carries out `FileAction`s and answers them.
///
/// Synchronous and confined to one caller at a time; each world decides on which thread. The simulator and the
/// socket world share it, so that a disk error looks the same in both.
package final class DownloadFile {
    private enum State {
        case fresh
        case open(descriptor: Int32, path: String)
        /// Complete on disk; a later `discard` removes it. Until then a descriptor says which file is meant: its number
        /// would be another file's as soon as this one is gone.
        case closed(descriptor: Int32, path: String)
        /// A write failed: what follows would leave a hole, so it is dropped. What came before it is good.
        case broken(descriptor: Int32, path: String)
        case discarded
    }

    private struct Trouble {
        var kind: Failure.Kind
        var detail: String
    }

    private let task: TaskID
    private let faults: DiskFaults
    private var state = State.fresh
    /// Where the next write goes.
    private var position: Int64 = 0

    package init(task: TaskID, faults: [DiskFault] = []) {
        self.task = task
        self.faults = DiskFaults(faults)
    }

    deinit {
        // The descriptor must not outlive us; the file stays, since a resume token may point to it.
        switch state {
        case .open(let descriptor, _), .broken(let descriptor, _), .closed(let descriptor, _):
            _ = Glibc.close(descriptor)
        case .fresh, .discarded: break
        }
    }

    /// How long the case's disk takes for an action that is carried out next, apart from the action itself.
    package func delay(of action: FileAction) -> Duration {
        switch action {
        case .open: return faults.delay(of: .open)
        case .write(let bytes): return faults.delay(of: .write(from: position + Int64(bytes.readableBytes)))
        case .close: return faults.delay(of: .close)
        case .remove, .discard: return .zero
        }
    }

    /// Does the work and returns its answer; nil for `discard` and `remove`, which have none, and for a write that
    /// follows one that failed.
    package func perform(_ action: FileAction) -> ClientInput? {
        switch action {
        case .open(let path, let offset): return open(path: path, offset: offset)
        case .write(let bytes): return write(bytes)
        case .close(let name): return close(renamedTo: name)
        case .remove(let path):
            _ = unlink(path)
            return nil
        case .discard:
            discard()
            return nil
        }
    }

    // MARK: - Open

    private func open(path: String, offset: Int64) -> ClientInput {
        switch state {
        case .open, .broken: return failure(.cannotOpenFile, "opened twice: \(path)")
        case .closed(let descriptor, _):
            _ = Glibc.close(descriptor)
            state = .discarded
        case .fresh, .discarded: break
        }
        // C strings end at the first NUL: another file than the named one would be opened.
        guard !path.utf8.contains(0) else { return failure(.cannotOpenFile, "the path contains a NUL") }
        position = offset
        if let code = faults.code(at: .open) {
            return failure(offset == 0 ? .cannotCreateFile : .cannotOpenFile, "cannot open \(path)", code)
        }
        return offset == 0 ? create(path: path) : reopen(path: path, offset: offset)
    }

    private func create(path: String) -> ClientInput {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let (descriptor, code) = retrying { Glibc.open(path, flags, 0o600) }
        guard descriptor >= 0 else { return failure(.cannotCreateFile, "cannot create \(path)", code) }
        _ = claim(descriptor, path: path)
        state = .open(descriptor: descriptor, path: path)
        return .fileOpened(task)
    }

    private func reopen(path: String, offset: Int64) -> ClientInput {
        // A path from resume data is not to be trusted: no link is followed, and a FIFO must not block us.
        let (descriptor, code) = retrying { Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else { return failure(.cannotOpenFile, "cannot open \(path)", code) }
        if let trouble = claim(descriptor, path: path) ?? cut(descriptor, path: path, to: offset) {
            _ = Glibc.close(descriptor)
            return failure(trouble)
        }
        state = .open(descriptor: descriptor, path: path)
        return .fileOpened(task)
    }

    /// Keeps the file from other downloads, also of other processes, for as long as it is open: two that go on from the
    /// same resume data would leave holes in each other's bytes.
    private func claim(_ descriptor: Int32, path: String) -> Trouble? {
        let (result, code) = retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
        // Only a file that another one has is a reason; a file system may know no locks.
        guard result != 0, code == EWOULDBLOCK else { return nil }
        return Trouble(kind: .cannotOpenFile, detail: "another download is writing to \(path)")
    }

    /// Makes the file exactly `offset` bytes long and stands at its end.
    private func cut(_ descriptor: Int32, path: String, to offset: Int64) -> Trouble? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return trouble(.cannotOpenFile, "cannot examine \(path)", errno) }
        // The earlier owner may have finished it and renamed it between our opening and our lock.
        guard isNamed(descriptor, path) else { return Trouble(kind: .cannotOpenFile, detail: "\(path) was moved") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return Trouble(kind: .cannotOpenFile, detail: "\(path) is not a file")
        }
        // A file of another user, or with a second name, was not made by us.
        guard status.st_uid == geteuid(), status.st_nlink == 1 else {
            return Trouble(kind: .cannotOpenFile, detail: "\(path) has another owner or a second name")
        }
        guard offset > 0, Int64(status.st_size) >= offset else {
            return Trouble(kind: .cannotOpenFile, detail: "\(path) has \(status.st_size) bytes, \(offset) are needed")
        }
        let (result, code) = retrying { ftruncate(descriptor, off_t(offset)) }
        guard result == 0 else { return trouble(.cannotOpenFile, "cannot cut \(path)", code) }
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            return trouble(.cannotOpenFile, "cannot go to byte \(offset) of \(path)", errno)
        }
        return nil
    }

    // MARK: - Write

    private func write(_ bytes: ByteBuffer) -> ClientInput? {
        switch state {
        case .open(let descriptor, let path):
            if let code = append(bytes, to: descriptor) {
                state = .broken(descriptor: descriptor, path: path)
                return failure(.cannotWriteToFile, "cannot write to \(path)", code)
            }
            position += Int64(bytes.readableBytes)
            return .fileWrote(task, bytes: bytes.readableBytes)
        case .broken: return nil
        case .fresh, .closed, .discarded: return failure(.cannotWriteToFile, "no file is open")
        }
    }

    /// Writes every byte, however the kernel splits them; the error number if it cannot.
    private func append(_ bytes: ByteBuffer, to descriptor: Int32) -> Int32? {
        let limit = faults.limit(of: bytes.readableBytes, at: position)
        return bytes.withUnsafeReadableBytes { whole in
            var rest = whole.prefix(limit?.bytes ?? whole.count)
            while !rest.isEmpty {
                let (count, code) = retrying {
                    Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                }
                guard count >= 0 else { return code }
                // A regular file takes at least one byte or fails; 0 would make this loop endless.
                guard count > 0 else { return ENOSPC }
                rest = rest.dropFirst(count)
            }
            return limit?.code
        }
    }

    // MARK: - Close

    private func close(renamedTo name: String?) -> ClientInput {
        switch state {
        case .open(let descriptor, let path), .broken(let descriptor, let path):
            // Another file that is called so by now is not ours to rename, nor to give to the caller.
            guard isNamed(descriptor, path) else { return failure(.cannotCloseFile, "\(path) was moved") }
            // While the lock is held: no other download has it open.
            if let name, rename(path, name) != 0 {
                return failure(.cannotCloseFile, "cannot give \(path) the name \(name)", errno)
            }
            return close(descriptor, path: name ?? path)
        case .fresh, .closed, .discarded: return failure(.cannotCloseFile, "no file is open")
        }
    }

    private func close(_ descriptor: Int32, path: String) -> ClientInput {
        let isBroken = if case .broken = state { true } else { false }
        // The file is not written to any more, and the other number would keep the lock.
        _ = flock(descriptor, LOCK_UN)
        let other = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        state = .closed(descriptor: other < 0 ? descriptor : other, path: path)
        // The process has no number left: this one stays, or it could not be told later whose file it is.
        if other < 0 { return .fileClosed(task) }
        // Linux has released the descriptor even when it reports EINTR; trying again could close another's.
        let (result, code) = (Glibc.close(descriptor), errno)
        // The write that failed has been answered.
        if isBroken { return .fileClosed(task) }
        guard result == 0 || code == EINTR else { return failure(.cannotCloseFile, "cannot close \(path)", code) }
        if let code = faults.code(at: .close) { return failure(.cannotCloseFile, "cannot close \(path)", code) }
        return .fileClosed(task)
    }

    private func discard() {
        switch state {
        case .open(let descriptor, let path), .broken(let descriptor, let path), .closed(let descriptor, let path):
            if isNamed(descriptor, path) { _ = unlink(path) }
            _ = Glibc.close(descriptor)
        case .fresh, .discarded: break
        }
        state = .discarded
    }

    /// Whether a path still names the file that is open.
    private func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (open, named) = (stat(), stat())
        guard fstat(descriptor, &open) == 0, lstat(path, &named) == 0 else { return false }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }

    // MARK: - Errors

    private func failure(_ kind: Failure.Kind, _ detail: String) -> ClientInput {
        .fileFailed(task, kind, detail: detail)
    }

    private func failure(_ kind: Failure.Kind, _ what: String, _ code: Int32) -> ClientInput {
        failure(trouble(kind, what, code))
    }

    private func failure(_ trouble: Trouble) -> ClientInput { failure(trouble.kind, trouble.detail) }

    private func trouble(_ kind: Failure.Kind, _ what: String, _ code: Int32) -> Trouble {
        Trouble(kind: kind, detail: "\(what): \(ErrorNumber(code))")
    }
}

/// Repeats a system call that a signal interrupted; its result and the error number that goes with it.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> (result: Result, code: Int32) {
    while true {
        let result = call()
        let code = errno
        if result >= 0 || code != EINTR { return (result, code) }
    }
}
