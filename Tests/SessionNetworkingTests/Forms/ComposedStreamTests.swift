import Foundation
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

    private func stretches(_ folder: TestFolder) throws -> [BodyStretch] {
        let file = try folder.write("of a file "), empty = try folder.write("", as: "empty")
        return try [
            .bytes(Data("from memory ".utf8)), .bytes(Data()), .file(file, SourceFile(file).version()),
            .file(empty, SourceFile(empty).version()), .bytes(Data("xand again".utf8).dropFirst()),
        ]
    }

    private let whole = "from memory of a file and again"

    // BEHAVIOUR 3.A1-parts
    @Test(arguments: [1, 2, 7, 31, 1000]) func `all stretches come in order, whatever is asked for`(size: Int) throws {
        let folder = try TestFolder()
        #expect(read(ComposedStream(try stretches(folder)), by: size) == Data(whole.utf8))
    }

    @Test func `it may begin anywhere, and be made again`() throws {
        let folder = try TestFolder()
        let stretches = try stretches(folder)
        for start in 0...whole.utf8.count {
            let stream = ComposedStream(stretches, from: Int64(start))
            let rest = Data(whole.utf8.dropFirst(start))
            #expect(read(stream) == rest)
            #expect(read(stream.fresh()) == rest)
        }
        #expect(read(ComposedStream(stretches, from: 1000)) == Data())
        #expect(read(ComposedStream(stretches, from: -1)) == Data(whole.utf8))
    }

    // BEHAVIOUR 3.A1-changed
    @Test(arguments: ["", "of a fi", "of a FILE ", "of a file that grew"])
    func `a file that has changed fails the stream, with the reason`(content: String) throws {
        let folder = try TestFolder()
        let stream = ComposedStream(try stretches(folder))
        try folder.overwrite(folder.url.appendingPathComponent("file.txt"), with: content)
        #expect(read(stream) == nil)
        #expect(stream.streamStatus == .closed)
        #expect(stream.reason?.contains("has changed since") == true)
        #expect(stream.streamError is URLError)
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `a file that changes while it is read fails the stream`() throws {
        let folder = try TestFolder()
        let stream = ComposedStream(try stretches(folder))
        var piece = [UInt8](repeating: 0, count: 15)
        stream.open()
        #expect(stream.read(&piece, maxLength: 15) == 15, "it is open now")
        try folder.overwrite(folder.url.appendingPathComponent("file.txt"), with: "of A FILE ")
        #expect(stream.read(&piece, maxLength: 15) == -1)
        #expect(stream.streamStatus == .error)
        #expect(stream.read(&piece, maxLength: 15) == -1)
    }

    // BEHAVIOUR 3.A1-missing
    @Test func `a file that is gone fails the stream, with the reason`() throws {
        let folder = try TestFolder()
        let stream = ComposedStream(try stretches(folder))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("file.txt"))
        #expect(read(stream) == nil)
        #expect(stream.reason?.contains("There is no file") == true)
    }

    @Test func `what is not open, or over, gives nothing`() {
        let stream = ComposedStream([.bytes(Data("abc".utf8))])
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
