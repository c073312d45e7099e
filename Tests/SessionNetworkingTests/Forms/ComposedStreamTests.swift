import BodyFiles
import ClientMachines
import Foundation
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct ComposedStreamTests {
    /// Everything that it gives, read in pieces of that size; nil when it fails.
    private func read(_ stream: InputStream, by size: Int = 7) -> Data? {
        stream.open()
        defer { stream.close() }
        var whole = Data()
        var piece = [UInt8](repeating: 0, count: size)
        while true {
            let count = stream.read(&piece, maxLength: size)
            guard count > 0 else { return count == 0 ? whole : nil }
            whole += piece.prefix(count)
        }
    }

    private func body(_ folder: TestFolder) throws -> ComposedBody {
        let file = try folder.write("part of a file "), empty = try folder.write("", as: "empty")
        func identity(_ url: URL) throws -> BodyFile {
            BodyFile(path: url.path, version: try SourceFile.version(of: url))
        }
        return try ComposedBody([
            .bytes(ByteBuffer(string: "from memory ")), .file(identity(file), 5..<15), .file(identity(empty), 0..<0),
            .bytes(ByteBuffer(string: "and again")), .file(identity(file), 0..<4),
        ])
    }

    private let whole = "from memory of a file and againpart"

    // BEHAVIOUR 3.A1-parts
    @Test(arguments: [1, 2, 7, 31, 1000]) func `all stretches come in order, whatever is asked for`(size: Int) throws {
        let folder = try TestFolder()
        #expect(read(ComposedStream(try body(folder)), by: size) == Data(whole.utf8))
    }

    @Test func `it may begin anywhere`() throws {
        let folder = try TestFolder()
        let body = try body(folder)
        for start in 0...whole.utf8.count {
            #expect(read(ComposedStream(body.dropFirst(Int64(start)))) == Data(whole.utf8.dropFirst(start)))
        }
    }

    // BEHAVIOUR 3.A1-changed
    @Test(arguments: ["", "part of a fi", "part of a FILE ", "part of a file that grew"])
    func `a file that has changed fails the stream, with the reason`(content: String) throws {
        let folder = try TestFolder()
        let stream = ComposedStream(try body(folder))
        try folder.overwrite(folder.url.appendingPathComponent("file.txt"), with: content)
        #expect(read(stream) == nil)
        #expect(stream.streamStatus == .closed)
        #expect((stream.streamError as? URLError)?.code == .requestBodyStreamExhausted)
        #expect(stream.streamError?.localizedDescription.contains("has changed since") == true)
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `a file that changes while it is read fails the stream`() throws {
        let folder = try TestFolder()
        let stream = ComposedStream(try body(folder))
        var piece = [UInt8](repeating: 0, count: 15)
        stream.open()
        #expect(stream.read(&piece, maxLength: 15) == 15, "it is open now")
        try folder.overwrite(folder.url.appendingPathComponent("file.txt"), with: "part of A FILE ")
        #expect(stream.read(&piece, maxLength: 15) == -1)
        #expect(stream.streamStatus == .error)
        #expect(stream.read(&piece, maxLength: 15) == -1)
    }

    // BEHAVIOUR 3.A1-missing
    @Test func `a file that is gone fails the stream, with the reason`() throws {
        let folder = try TestFolder()
        let stream = ComposedStream(try body(folder))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("file.txt"))
        #expect(read(stream) == nil)
        #expect(stream.streamError?.localizedDescription.contains("There is no file") == true)
    }

    @Test func `what is not open, or over, gives nothing`() {
        let stream = ComposedStream(ComposedBody([.bytes(ByteBuffer(string: "abc"))]))
        var piece = [UInt8](repeating: 0, count: 8)
        #expect(stream.read(&piece, maxLength: 8) == -1)
        stream.open()
        #expect(stream.hasBytesAvailable)
        #expect(stream.read(&piece, maxLength: 8) == 3)
        #expect(stream.read(&piece, maxLength: 8) == 0)
        #expect(stream.streamStatus == .atEnd)
        #expect(stream.read(&piece, maxLength: 8) == 0)
        stream.close()
        stream.open()
        #expect(stream.read(&piece, maxLength: 8) == -1)
    }
}
