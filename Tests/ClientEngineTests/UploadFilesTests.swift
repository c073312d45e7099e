import BodyFiles
import ClientMachines
import Glibc
import HTTPBasics
import MachineContract
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct UploadFilesTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let recorder = InputRecorder()
    private let files: UploadFiles
    private let transport: SocketTransport
    private let task = TaskID(1)
    private let id = ConnectionID(1)

    init() {
        // On one thread, so that files are opened one after another.
        files = UploadFiles(eventLoop: loop, threads: BlockingThreads(limit: 1))
        transport = SocketTransport(eventLoop: loop, resolver: FixedResolver([:]))
    }

    /// A file of so many bytes, which tell where they stand.
    private func makeFile(_ size: Int) throws -> String {
        var template = Array("/tmp/upload-files-tests-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        // They repeat themselves after each block, which is quicker to make than all of them.
        let block = (0..<7 * 256 * 64).map { UInt8(truncatingIfNeeded: $0 / 7) }
        for start in stride(from: 0, to: size, by: block.count) {
            let count = min(block.count, size - start)
            #expect(Glibc.write(descriptor, block, count) == count)
        }
        _ = close(descriptor)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func open(_ path: String, _ version: FileVersion? = nil) async throws {
        let file = BodyFile(path: path, version: version)
        try await loop.run { [files, recorder, task] in files.open(file, for: task, recorder) }
    }

    private func version(_ path: String) throws -> FileVersion { try SourceFile(path: path).version() }

    private func count() async throws -> Int { try await loop.run { [files] in files.count } }

    private func connect(_ address: NetworkAddress) async throws {
        try await loop.run { [transport, recorder, id] in transport.connect(id, to: address, for: recorder) }
        #expect(await recorder.next()?.isConnected(id) == true)
    }

    private func send(_ regions: [Range<Int>]) async throws {
        try await loop.run { [transport, files, task, id] in
            transport.write(ByteBuffer(string: "head"), to: id)
            for region in regions {
                guard let file = files[task] else { return }
                transport.write(file, offset: Int64(region.lowerBound), count: region.count, to: id)
            }
            transport.flush()
        }
    }

    @Test func `regions go out behind what was written before, and are reported with it`() async throws {
        let path = try makeFile(3 << 20)
        defer { _ = unlink(path) }
        let listener = try RawListener(backlog: 4)
        try await open(path)
        #expect(try await recorder.next() == .bodyFileOpened(task, version(path)))
        try await connect(listener.address)
        let peer = try listener.accept()
        try await send([0..<1 << 20, 1 << 20..<3 << 20])
        // Over for its task, and still on its way out.
        try await loop.run { [files, task] in files.finish(task) }
        #expect(try await count() == 0)
        #expect(peer.receive(4) == Array("head".utf8))
        let bytes = peer.receive(3 << 20)
        #expect(bytes.count == 3 << 20)
        #expect(bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 / 7) })
        #expect(await recorder.next() == .wrote(id, bytes: 4 + 3 << 20))
        try await loop.run { [transport, recorder, id] in transport.close(id, for: recorder) }
    }

    @Test func `a file that cannot be opened is reported and not kept`() async throws {
        try await open("/nowhere/at/all")
        guard case .bodyFileFailed(task, .fileDoesNotExist, let detail)? = await recorder.next() else {
            Issue.record("no failure")
            return
        }
        #expect(detail == "There is no file /nowhere/at/all.")
        #expect(try await count() == 0)
    }

    @Test func `a task that ends while its file is being opened leaves nothing`() async throws {
        let path = try makeFile(1)
        defer { _ = unlink(path) }
        try await loop.run { [files, recorder, task] in
            files.open(BodyFile(path: path), for: task, recorder)
            files.finish(task)
        }
        // Had the first been answered, its answer would come before this one.
        try await loop.run { [files, recorder] in files.open(BodyFile(path: path), for: TaskID(2), recorder) }
        #expect(try await recorder.next() == .bodyFileOpened(TaskID(2), version(path)))
        try await loop.run { [files] in files.finish(TaskID(2)) }
    }

    // BEHAVIOUR 1.I5-shorter
    @Test(arguments: [false, true]) func `a file that has become shorter ends its connection`(
        isOnItsWay: Bool
    ) async throws {
        let path = try makeFile(32 << 20)
        defer { _ = unlink(path) }
        let listener = try RawListener(backlog: 4)
        try await open(path)
        #expect(try await recorder.next() == .bodyFileOpened(task, version(path)))
        try await connect(listener.address)
        let peer = try listener.accept()
        if !isOnItsWay { #expect(truncate(path, 7) == 0) }
        // More than the kernel's buffers hold, so that some of it waits in ours.
        try await send([0..<32 << 20])
        if isOnItsWay { #expect(truncate(path, 7) == 0) }
        guard case .bodyFileFailed(task, .requestBodyStreamExhausted, _)? = await recorder.next() else {
            Issue.record("no failure")
            return
        }
        #expect(await recorder.next() == .closed(id))
        peer.close()
    }

    // BEHAVIOUR 1.I5-same, 1.I5-shorter
    @Test func `a file that is open is looked at once more, whatever its name stands for by then`() async throws {
        let path = try makeFile(10), other = path + "-moved"
        defer { _ = unlink(other) }
        let known = try version(path)
        try await open(path)
        #expect(try await recorder.next() == .bodyFileOpened(task, known))
        #expect(rename(path, other) == 0)
        try await open(path)
        #expect(try await recorder.next() == .bodyFileOpened(task, known))
        #expect(truncate(other, 9) == 0)
        try await open(path)
        guard case .bodyFileFailed(task, .requestBodyStreamExhausted, _)? = await recorder.next() else {
            Issue.record("no failure")
            return
        }
        try await loop.run { [files, task] in files.finish(task) }
    }

    // BEHAVIOUR 3.A1-changed
    @Test(arguments: [false, true]) func `a file of a version that was written to ends its connection`(
        isOnItsWay: Bool
    ) async throws {
        let path = try makeFile(1 << 20)
        defer { _ = unlink(path) }
        let listener = try RawListener(backlog: 4)
        try await open(path, try version(path))
        #expect(try await recorder.next() == .bodyFileOpened(task, version(path)))
        try await connect(listener.address)
        let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        let task = task, id = id
        try await loop.run { [transport, files] in
            guard let file = files[task] else { return }
            if !isOnItsWay { _ = utimensat(AT_FDCWD, path, times, 0) }
            transport.write(file, offset: 0, count: 100, to: id)
            // Handed over, and not taken by the kernel before the flush.
            if isOnItsWay { _ = utimensat(AT_FDCWD, path, times, 0) }
            transport.flush()
        }
        guard case .bodyFileFailed(task, .requestBodyStreamExhausted, let detail)? = await recorder.next() else {
            Issue.record("no failure")
            return
        }
        #expect(detail.contains("it was written to"))
        #expect(await recorder.next() == .closed(id))
    }

    @Test func `a file takes the place of the one before, which is still sent to its end`() async throws {
        let first = try makeFile(32 << 20), second = try makeFile(10)
        defer { for path in [first, second] { _ = unlink(path) } }
        let listener = try RawListener(backlog: 4)
        try await open(first)
        #expect(try await recorder.next() == .bodyFileOpened(task, version(first)))
        try await connect(listener.address)
        let peer = try listener.accept()
        // More than the kernel's buffers hold.
        try await send([0..<32 << 20])
        try await open(second)
        #expect(try await recorder.next() == .bodyFileOpened(task, version(second)))
        #expect(try await count() == 1)
        #expect(peer.receive(4 + 32 << 20).count == 4 + 32 << 20)
        #expect(await recorder.next() == .wrote(id, bytes: 4 + 32 << 20))
        try await loop.run { [transport, recorder, files, id, task] in
            files.finish(task)
            transport.close(id, for: recorder)
        }
    }
}
