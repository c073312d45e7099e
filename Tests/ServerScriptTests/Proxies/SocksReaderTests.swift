import NIOCore
import Testing

@testable import ServerScript

@Suite struct SocksReaderTests {
    private static func first(_ bytes: [UInt8], _ expected: SocksReader.Expected = .anything) -> SocksReader.Message? {
        var reader = SocksReader()
        reader.expected = expected
        reader.receive(ByteBuffer(bytes: bytes))
        return reader.next()
    }

    @Test func `requests are read in all their forms`() {
        let name = Array("a.test".utf8)
        #expect(Self.first([5, 2, 0, 2]) == .greeting(methods: [0, 2]))
        #expect(Self.first([1, 1, 97, 0], .login) == .login(user: [97], password: []))
        for (bytes, expected, version, host) in [
            ([5, 1, 0, 1, 1, 2, 3, 4, 0, 80], .request, 5, "1.2.3.4"),
            ([5, 1, 0, 3, 6] + name + [0, 80], .request, 5, "a.test"),
            ([4, 1, 0, 80, 1, 2, 3, 4, 0], .anything, 4, "1.2.3.4"),
            ([4, 1, 0, 80, 0, 0, 0, 9, 0] + name + [0], .anything, 4, "a.test"),
        ] as [([UInt8], SocksReader.Expected, Int, String)] {
            let request = SocksReader.Request(version: version, host: host, port: 80, user: [])
            #expect(Self.first(bytes, expected) == .request(request))
            for count in bytes.indices { #expect(Self.first(Array(bytes.prefix(count)), expected) == nil) }
        }
    }

    @Test(
        arguments: [
            ([6], .anything), ([5, 0], .anything), ([5, 2, 0, 0], .anything), ([2, 1, 97, 0], .login),
            ([1, 0, 0], .login),
            ([4, 1, 0, 80], .request), ([5, 2, 0, 1], .request), ([5, 1, 1, 1], .request), ([5, 1, 0, 2], .request),
            ([5, 1, 0, 3, 0], .request), ([5, 1, 0, 3, 1, 32, 0, 80], .request),
            ([5, 1, 0, 1, 1, 2, 3, 4, 0, 0], .request),
            ([4, 2, 0, 80, 1, 2, 3, 4, 0], .anything), ([4, 1, 0, 80, 0, 0, 0, 9, 0, 0], .anything),
            ([4, 1, 0, 80, 1, 2, 3, 4] + [UInt8](repeating: 97, count: 256), .anything),
        ] as [([UInt8], SocksReader.Expected)])
    func `what bends the protocol is malformed`(bytes: [UInt8], expected: SocksReader.Expected) {
        guard case .malformed = Self.first(bytes, expected) else {
            Issue.record("read as \(String(describing: Self.first(bytes, expected)))")
            return
        }
    }
}
