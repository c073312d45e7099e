import ClientMachines
import Foundation
import MachineContract
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct BodyStreamTests {
    /// Runs jobs at once.
    private final class AtOnce: CallExecutor {
        func run(_ job: @escaping @Sendable () -> Void) { job() }
    }

    private final class Pieces: @unchecked Sendable {  // Safety: filled and read on one thread.
        var list: [BodyPiece] = []
    }

    private func read(_ stream: InputStream, times: Int = 1) -> [BodyPiece] {
        let body = BodyStream(stream, executor: AtOnce())
        let pieces = Pieces()
        for _ in 0..<times { body.read { pieces.list.append($0) } }
        return pieces.list
    }

    // BEHAVIOUR 1.I1-stream
    @Test func `a stream is opened, read in pieces of 64 KiB, and ends`() {
        let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let stream = InputStream(data: data)
        let pieces = read(stream, times: 3)
        #expect(pieces.count == 3)
        #expect(pieces.first == .bytes(ByteBuffer(bytes: data.prefix(65_536))))
        #expect(pieces.dropFirst().first == .bytes(ByteBuffer(bytes: data.dropFirst(65_536))))
        #expect(pieces.last == .end)
    }

    // BEHAVIOUR 1.I1-broken
    @Test func `what cannot be read fails`() throws {
        let missing = try #require(InputStream(fileAtPath: "/nowhere/at/all"))
        let closed = InputStream(data: Data("abc".utf8))
        closed.open()
        closed.close()
        let begun = InputStream(data: Data("abc".utf8))
        begun.open()
        var byte: UInt8 = 0
        #expect(begun.read(&byte, maxLength: 1) == 1)
        for stream in [missing, closed, begun, BrokenStream(data: Data())] {
            guard case .failed(let why)? = read(stream).first else {
                Issue.record("\(stream) could be read")
                continue
            }
            #expect(why.hasSuffix("."))
        }
    }

    /// `hasBytesAvailable` denies what is still to come.
    @Test func `a stream that denies having bytes is read`() {
        let stream = DenyingStream(data: Data("abc".utf8))
        #expect(read(stream, times: 2) == [.bytes(ByteBuffer(string: "abc")), .end])
    }

    @Test func `a stream is closed when its task is over`() throws {
        let world = FakeWorld()
        let session = world.makeSession()
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "PUT"
        let stream = InputStream(data: Data("abc".utf8))
        request.httpBodyStream = stream
        let task = session.dataTask(with: request)
        task.resume()
        world.engine.say(.readBody(TaskID(task.taskIdentifier), .first))
        world.tell(task, .complete(nil))
        world.queue.runAll()
        world.queue.runAll()
        #expect(stream.streamStatus == .closed)
        #expect(task.body(from: stream) == nil, "it is over")
    }

    @Test func `a stream is closed when another takes its place`() {
        let first = InputStream(data: Data("abc".utf8)), second = InputStream(data: Data("abc".utf8))
        var streams = BodyStreams()
        for stream in [first, second] {
            let id = streams.add(BodyStream(stream, executor: AtOnce()))
            streams[id]?.read { _ in }
        }
        #expect(first.streamStatus == .closed)
        #expect(second.streamStatus != .closed)
    }

    // BEHAVIOUR 1.H2-sent
    @Test(arguments: [(nil, -1), ("3", 3)] as [(String?, Int64)])
    func `what will be sent is what Content-Length says`(field: String?, expected: Int64) {
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("abc".utf8))
        request.setValue(field, forHTTPHeaderField: "Content-Length")
        let task = FakeWorld().makeSession().dataTask(with: request)
        #expect(task.countOfBytesExpectedToSend == expected)
    }
}

private final class BrokenStream: InputStream {
    override var streamStatus: Stream.Status { .notOpen }
    override func open() {}
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { -1 }
}

private final class DenyingStream: InputStream {
    override var hasBytesAvailable: Bool { false }
}
