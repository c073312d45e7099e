import NIOCore
import Testing

@testable import ClientMachines

@Suite struct ComposedBodyTests {
    private static let file = BodyFile(path: "/f", version: FileVersion(size: 10, modified: 1))

    private static func bytes(_ text: String) -> BodyStretch { .bytes(ByteBuffer(string: text)) }

    @Test func `short stretches of memory become one, and no other`() {
        let long = ByteBuffer(repeating: 0, count: 100_000)
        let body = ComposedBody([
            Self.bytes("a"), Self.bytes(""), Self.bytes("b"), .file(Self.file, 2..<7), Self.bytes("c"), .bytes(long),
            Self.bytes("d"), Self.bytes("e"),
        ])
        let wanted = [
            Self.bytes("ab"), .file(Self.file, 2..<7), Self.bytes("c"), .bytes(long), Self.bytes("de"),
        ]
        #expect(body.stretches == wanted)
        #expect(body.length == 100_010)
    }

    @Test func `the beginning can be left out, up to any byte, and no file is forgotten`() {
        let body = ComposedBody([Self.bytes("abc"), .file(Self.file, 4..<7), .file(Self.file, 0..<0), Self.bytes("de")])
        let rests: [[BodyStretch]] = [
            [Self.bytes("abc"), .file(Self.file, 4..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [Self.bytes("bc"), .file(Self.file, 4..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [Self.bytes("c"), .file(Self.file, 4..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [.file(Self.file, 4..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [.file(Self.file, 5..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [.file(Self.file, 6..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [.file(Self.file, 7..<7), .file(Self.file, 0..<0), Self.bytes("de")],
            [.file(Self.file, 7..<7), .file(Self.file, 0..<0), Self.bytes("e")],
            [.file(Self.file, 7..<7), .file(Self.file, 0..<0)], [.file(Self.file, 7..<7), .file(Self.file, 0..<0)],
        ]
        for (count, rest) in rests.enumerated() {
            let dropped = body.dropFirst(Int64(count))
            #expect(dropped.stretches == rest)
            #expect(dropped.length == Int64(max(0, 8 - count)))
        }
        #expect(body.dropFirst(-1) == body)
    }

    @Test func `a cursor goes through all stretches, the empty ones too`() {
        var cursor = BodyCursor(ComposedBody([Self.bytes("abc"), .file(Self.file, 3..<3), .file(Self.file, 4..<7)]))
        #expect(cursor.stretch == Self.bytes("abc"))
        cursor.advance(by: 2)
        #expect(cursor.stretch == Self.bytes("c"))
        cursor.advance(by: 1)
        #expect(cursor.stretch == .file(Self.file, 3..<3))
        cursor.advance(by: 0)
        #expect(cursor.stretch == .file(Self.file, 4..<7))
        cursor.advance(by: 2)
        #expect(cursor.stretch == .file(Self.file, 6..<7))
        cursor.advance(by: 1)
        #expect(cursor.stretch == nil)
        cursor.advance(by: 1)
        #expect(cursor.stretch == nil)
    }
}
