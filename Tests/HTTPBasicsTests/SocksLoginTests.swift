import HTTPBasics
import Testing

@Suite struct SocksLoginTests {
    private static let greeting: [UInt8] = [5, 2, 0, 2]
    private static let login: [UInt8] = [1, 3] + Array("ann".utf8) + [9] + Array("hunter2zz".utf8)

    @Test func `of a login the password is hidden, however the bytes are divided`() {
        let whole = Self.greeting + Self.login + [5, 1, 0, 3, 6] + Array("a.test".utf8) + [0, 80]
        for length in 1...whole.count {
            var wire = WireText()
            var seen = "", rest = whole[...]
            while !rest.isEmpty {
                seen += wire.text(rest.prefix(length), limit: 160)
                rest = rest.dropFirst(length)
            }
            let shown = seen.replacing("***", with: "")
            #expect(shown == #"\x05\x02\x00\x02\x01\x03ann\x09\x05\x01\x00\x03\x06a.test\x00P"#)
            #expect(seen.contains("***"))
        }
    }

    @Test(
        arguments: [
            [1, 3, 97, 110, 110, 1, 120], [5, 1, 0, 5, 1, 0, 1, 1, 1, 1, 1, 0, 80], [4, 1, 0, 80, 0, 0, 0, 1, 97, 0],
            Array("GET / HTTP/1.1".utf8), [5, 2, 0, 2, 1, 0, 0], [5], [],
        ] as [[UInt8]])
    func `others have none`(bytes: [UInt8]) {
        var login = SocksLogin()
        #expect(login.secrets(in: bytes).isEmpty)
    }

    @Test func `a password that looks like a URL or a field is hidden once`() {
        let password = Array("//a@b\nCookie: c".utf8)
        var wire = WireText()
        _ = wire.text(Self.greeting, limit: 160)
        let seen = wire.text([1, 1, 120, UInt8(password.count)] + password + [5, 1, 0], limit: 160)
        // The line that seems to be a field's is hidden to its end.
        #expect(seen == #"\x01\x01x\x0f***"#)
    }
}
