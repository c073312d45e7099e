import ClientMachines
import Glibc
import MachineContract
import NIOCore
import Testing

@testable import BodyFiles

/// An own directory per test, gone with it.
private final class ScratchDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/download-file-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Missing() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["body", "link", "pipe", "whole"] { _ = unlink(path + "/" + name) }
        _ = rmdir(path)
    }

    var body: String { path + "/body" }
    var whole: String { path + "/whole" }

    struct Missing: Error {}
}

private func content(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes.prefix(count))
}

private func put(_ bytes: String, into path: String) -> Bool {
    let file = DownloadFile(task: TaskID(0))
    let answers = [.open(path: path, offset: 0), .write(ByteBuffer(string: bytes)), .close(renamedTo: nil)].map {
        file.perform($0)
    }
    return answers.last == .fileClosed(TaskID(0))
}

private func failureKind(_ input: ClientInput?) -> Failure.Kind? {
    guard case .fileFailed(_, let kind, _) = input else { return nil }
    return kind
}

private func detail(_ input: ClientInput?) -> String {
    guard case .fileFailed(_, _, let detail) = input else { return "" }
    return detail
}

@Suite struct DownloadFileTests {
    private let task = TaskID(7)

    @Test func `a new file takes every write in order and is closed`() throws {
        let directory = try ScratchDirectory()
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(file.perform(.write(ByteBuffer(string: "one "))) == .fileWrote(task, bytes: 4))
        #expect(file.perform(.write(ByteBuffer())) == .fileWrote(task, bytes: 0))
        #expect(file.perform(.write(ByteBuffer(string: "two"))) == .fileWrote(task, bytes: 3))
        #expect(file.perform(.close(renamedTo: nil)) == .fileClosed(task))
        #expect(content(of: directory.body) == Array("one two".utf8))
        var status = stat()
        #expect(stat(directory.body, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    // BEHAVIOUR 1.B12-file
    @Test func `a new file never takes over an existing one`() throws {
        let directory = try ScratchDirectory()
        #expect(put("mine", into: directory.body))
        let answer = DownloadFile(task: task).perform(.open(path: directory.body, offset: 0))
        #expect(failureKind(answer) == .cannotCreateFile)
        #expect(detail(answer).contains("EEXIST"))
        #expect(content(of: directory.body) == Array("mine".utf8))
    }

    @Test(arguments: [(3, "abcX"), (6, "abcdefX")])
    func `a resumed file is cut to its offset and goes on from there`(offset: Int64, expected: String) throws {
        let directory = try ScratchDirectory()
        #expect(put("abcdef", into: directory.body))
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: offset)) == .fileOpened(task))
        #expect(file.perform(.write(ByteBuffer(string: "X"))) == .fileWrote(task, bytes: 1))
        #expect(file.perform(.close(renamedTo: nil)) == .fileClosed(task))
        #expect(content(of: directory.body) == Array(expected.utf8))
    }

    @Test func `a file shorter than its offset is refused and left alone`() throws {
        let directory = try ScratchDirectory()
        #expect(put("abc", into: directory.body))
        let answer = DownloadFile(task: task).perform(.open(path: directory.body, offset: 4))
        #expect(failureKind(answer) == .cannotOpenFile)
        #expect(detail(answer).contains("3 bytes"))
        #expect(content(of: directory.body) == Array("abc".utf8))
        #expect(descriptor(of: directory.body) == nil, "no other download could go on from it")
    }

    @Test func `two downloads never write to the same file`() throws {
        let directory = try ScratchDirectory()
        #expect(put("abcdef", into: directory.body))
        let first = DownloadFile(task: task)
        #expect(first.perform(.open(path: directory.body, offset: 4)) == .fileOpened(task))
        #expect(first.perform(.write(ByteBuffer(string: "gh"))) == .fileWrote(task, bytes: 2))
        let second = DownloadFile(task: TaskID(8))
        #expect(failureKind(second.perform(.open(path: directory.body, offset: 4))) == .cannotOpenFile)
        #expect(content(of: directory.body) == Array("abcdgh".utf8), "the second one cuts nothing")
        #expect(first.perform(.close(renamedTo: nil)) == .fileClosed(task))
        #expect(second.perform(.open(path: directory.body, offset: 4)) == .fileOpened(TaskID(8)))
    }

    @Test func `a file that has another name as well is left alone`() throws {
        let directory = try ScratchDirectory()
        #expect(put("abcdef", into: directory.body))
        #expect(link(directory.body, directory.path + "/link") == 0)
        let answer = DownloadFile(task: task).perform(.open(path: directory.body, offset: 4))
        #expect(failureKind(answer) == .cannotOpenFile)
        #expect(content(of: directory.body) == Array("abcdef".utf8))
    }

    @Test func `a path that is no regular file is refused`() throws {
        let directory = try ScratchDirectory()
        #expect(put("abc", into: directory.body))
        #expect(symlink(directory.body, directory.path + "/link") == 0)
        let link = DownloadFile(task: task).perform(.open(path: directory.path + "/link", offset: 1))
        #expect(detail(link).contains("ELOOP"))
        #expect(mkfifo(directory.path + "/pipe", 0o600) == 0)
        let pipe = DownloadFile(task: task).perform(.open(path: directory.path + "/pipe", offset: 1))
        #expect(detail(pipe).contains("ENXIO"))
        let device = DownloadFile(task: task).perform(.open(path: "/dev/null", offset: 1))
        #expect(detail(device).contains("is not a file"))
        let truncated = DownloadFile(task: task).perform(.open(path: directory.body + "\0x", offset: 1))
        #expect(failureKind(truncated) == .cannotOpenFile)
    }

    // BEHAVIOUR 1.B12-file
    @Test func `a missing directory or file is named`() throws {
        let directory = try ScratchDirectory()
        let create = DownloadFile(task: task).perform(.open(path: directory.path + "/none/body", offset: 0))
        #expect(failureKind(create) == .cannotCreateFile)
        #expect(detail(create).contains("ENOENT"))
        let reopen = DownloadFile(task: task).perform(.open(path: directory.body, offset: 1))
        #expect(failureKind(reopen) == .cannotOpenFile)
    }

    // BEHAVIOUR 1.B12-file
    /// The file's descriptor is swapped for /dev/full, which answers every write with ENOSPC.
    @Test func `a write that the disk refuses fails once, and nothing follows it into the file`() throws {
        let file = DownloadFile(task: task)
        let directory = try ScratchDirectory()
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        let full = open("/dev/full", O_WRONLY)
        #expect(full >= 0)
        let own = try #require(descriptor(of: directory.body))
        #expect(dup2(full, own) == own)
        _ = close(full)
        let first = file.perform(.write(ByteBuffer(string: "abc")))
        #expect(failureKind(first) == .cannotWriteToFile)
        #expect(detail(first).contains("ENOSPC"))
        #expect(file.perform(.write(ByteBuffer(string: "d"))) == nil)
    }

    // BEHAVIOUR 1.B12-disk
    @Test func `a planted fault strikes where it stands, with the error of the real one`() throws {
        let directory = try ScratchDirectory()
        let full = DownloadFile(task: task, faults: [DiskFault(at: .write(from: 5), do: .full)])
        #expect(full.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(full.perform(.write(ByteBuffer(string: "abc"))) == .fileWrote(task, bytes: 3))
        let refused = full.perform(.write(ByteBuffer(string: "defg")))
        #expect(failureKind(refused) == .cannotWriteToFile)
        #expect(detail(refused).contains("ENOSPC"))
        #expect(content(of: directory.body) == Array("abcde".utf8))
        #expect(full.perform(.close(renamedTo: nil)) == .fileClosed(task))

        let denied = DownloadFile(task: task, faults: [DiskFault(at: .open, do: .denied)])
        #expect(failureKind(denied.perform(.open(path: directory.path + "/other", offset: 0))) == .cannotCreateFile)
        #expect(failureKind(denied.perform(.open(path: directory.body, offset: 1))) == .cannotOpenFile)

        let broken = DownloadFile(task: task, faults: [DiskFault(at: .close, do: .broken)])
        #expect(broken.perform(.open(path: directory.body, offset: 1)) == .fileOpened(task))
        let closed = broken.perform(.close(renamedTo: nil))
        #expect(failureKind(closed) == .cannotCloseFile)
        #expect(detail(closed).contains("EIO"))
    }

    @Test func `a fault strikes a continued file where it stands in the whole`() throws {
        let directory = try ScratchDirectory()
        #expect(put("abcd", into: directory.body))
        let faults = [
            DiskFault(at: .write(from: 6), do: .full), DiskFault(at: .write(from: 5), do: .delay(.seconds(1))),
        ]
        let file = DownloadFile(task: task, faults: faults)
        #expect(file.perform(.open(path: directory.body, offset: 4)) == .fileOpened(task))
        let write = FileAction.write(ByteBuffer(string: "efg"))
        #expect(file.delay(of: write) == .seconds(1))
        #expect(failureKind(file.perform(write)) == .cannotWriteToFile)
        #expect(content(of: directory.body) == Array("abcdef".utf8))
    }

    @Test func `a slow disk takes its time from a place on`() throws {
        let directory = try ScratchDirectory()
        let slow = DownloadFile(task: task, faults: [DiskFault(at: .write(from: 3), do: .delay(.seconds(2)))])
        #expect(slow.delay(of: .open(path: directory.body, offset: 0)) == .zero)
        #expect(slow.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        let write = FileAction.write(ByteBuffer(string: "abc"))
        #expect(slow.delay(of: write) == .zero)
        #expect(slow.perform(write) == .fileWrote(task, bytes: 3))
        #expect(slow.delay(of: write) == .seconds(2))
    }

    @Test func `a slow disk takes its time to open and to close, each delay by itself and all together`() {
        let faults = [DiskFault.Landmark.open, .open, .close].map { DiskFault(at: $0, do: .delay(.seconds(1))) }
        let slow = DownloadFile(task: task, faults: faults)
        #expect(slow.delay(of: .open(path: "x", offset: 0)) == .seconds(2))
        #expect(slow.delay(of: .close(renamedTo: nil)) == .seconds(1))
        for action in [FileAction.write(ByteBuffer(string: "x")), .discard, .remove(path: "x")] {
            #expect(slow.delay(of: action) == .zero)
        }
    }

    @Test func `a file that could not take all is closed, whatever else goes wrong then`() throws {
        let directory = try ScratchDirectory()
        let faults = [DiskFault(at: .write(from: 1), do: .full), DiskFault(at: .close, do: .broken)]
        let file = DownloadFile(task: task, faults: faults)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(failureKind(file.perform(.write(ByteBuffer(string: "ab")))) == .cannotWriteToFile)
        #expect(file.perform(.close(renamedTo: nil)) == .fileClosed(task))
        #expect(content(of: directory.body) == Array("a".utf8))
    }

    /// The number under which this process has the file open.
    private func descriptor(of path: String) -> Int32? {
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return nil }
        return (0..<1024).first { number in
            var status = stat()
            return fstat(number, &status) == 0 && status.st_ino == wanted.st_ino && status.st_dev == wanted.st_dev
        }
    }

    @Test(arguments: [false, true])
    func `discard removes the file, open or closed`(closedBefore: Bool) throws {
        let directory = try ScratchDirectory()
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        if closedBefore { #expect(file.perform(.close(renamedTo: nil)) == .fileClosed(task)) }
        #expect(file.perform(.discard) == nil)
        #expect(content(of: directory.body) == nil)
        #expect(file.perform(.discard) == nil)
    }

    @Test func `actions out of order are answered with failures`() {
        let file = DownloadFile(task: task)
        #expect(failureKind(file.perform(.write(ByteBuffer(string: "a")))) == .cannotWriteToFile)
        #expect(failureKind(file.perform(.close(renamedTo: nil))) == .cannotCloseFile)
        #expect(file.perform(.discard) == nil)
    }

    // BEHAVIOUR 1.F3-gone
    @Test func `a file that is closed under another name is not opened under its old one`() throws {
        let directory = try ScratchDirectory()
        #expect(put("ab", into: directory.body))
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 1)) == .fileOpened(task))
        #expect(file.perform(.write(ByteBuffer(string: "c"))) == .fileWrote(task, bytes: 1))
        #expect(file.perform(.close(renamedTo: directory.whole)) == .fileClosed(task))

        let second = DownloadFile(task: task)
        #expect(failureKind(second.perform(.open(path: directory.body, offset: 1))) == .cannotOpenFile)
        #expect(content(of: directory.whole) == Array("ac".utf8))
        #expect(file.perform(.discard) == nil)
        #expect(content(of: directory.whole) == nil)
    }

    @Test func `discard of a closed file leaves alone what has taken its name since`() throws {
        let directory = try ScratchDirectory()
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(file.perform(.write(ByteBuffer(string: "mine"))) == .fileWrote(task, bytes: 4))
        #expect(file.perform(.close(renamedTo: nil)) == .fileClosed(task))
        #expect(unlink(directory.body) == 0)
        #expect(put("ab", into: directory.body))
        #expect(file.perform(.discard) == nil)
        #expect(content(of: directory.body) == Array("ab".utf8))
    }

    // BEHAVIOUR 1.F3-gone
    @Test(arguments: [nil, "another", "directory"])
    func `a file whose name names something else by now fails to close`(replacement: String?) throws {
        let directory = try ScratchDirectory()
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(unlink(directory.body) == 0)
        switch replacement {
        case "another": #expect(put("ab", into: directory.body))
        case "directory": #expect(mkdir(directory.body, 0o700) == 0)
        default: break
        }
        #expect(failureKind(file.perform(.close(renamedTo: nil))) == .cannotCloseFile)
        #expect(file.perform(.discard) == nil)
        if replacement == "another" { #expect(content(of: directory.body) == Array("ab".utf8)) }
        _ = rmdir(directory.body)
    }

    // BEHAVIOUR 1.F3-gone
    @Test func `after a write that failed, what has the file's name by now is left alone`() throws {
        let directory = try ScratchDirectory()
        let file = DownloadFile(task: task, faults: [DiskFault(at: .write(from: 1), do: .full)])
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(failureKind(file.perform(.write(ByteBuffer(string: "ab")))) == .cannotWriteToFile)
        #expect(unlink(directory.body) == 0)
        #expect(put("xyz", into: directory.body))
        #expect(failureKind(file.perform(.close(renamedTo: directory.whole))) == .cannotCloseFile)
        #expect(content(of: directory.whole) == nil)
        #expect(file.perform(.discard) == nil)
        #expect(content(of: directory.body) == Array("xyz".utf8))
    }

    @Test func `a file that cannot have its other name fails to close and is discarded`() throws {
        let directory = try ScratchDirectory()
        #expect(put("ab", into: directory.body))
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 1)) == .fileOpened(task))
        #expect(failureKind(file.perform(.close(renamedTo: "/nowhere/whole"))) == .cannotCloseFile)
        #expect(file.perform(.discard) == nil)
        #expect(content(of: directory.body) == nil)
    }

    @Test func `a task may start its file anew, but not while it is open`() throws {
        let directory = try ScratchDirectory()
        let file = DownloadFile(task: task)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
        #expect(failureKind(file.perform(.open(path: directory.body, offset: 0))) == .cannotOpenFile)
        #expect(file.perform(.write(ByteBuffer(string: "ab"))) == .fileWrote(task, bytes: 2))
        #expect(file.perform(.close(renamedTo: nil)) == .fileClosed(task))
        #expect(file.perform(.open(path: directory.body, offset: 1)) == .fileOpened(task))
        #expect(file.perform(.discard) == nil)
        #expect(file.perform(.open(path: directory.body, offset: 0)) == .fileOpened(task))
    }
}
