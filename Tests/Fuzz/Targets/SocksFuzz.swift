import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript

/// What a client of SOCKS says, as the scripted server reads it: splits do not matter; and the password that the server
/// finds is what traces and journals hide, and nothing besides. And of three lines - user,
/// password, host - what our client makes: the server, which shares no code with it, reads just that.
enum SocksFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let whole = messages([bytes])
        try demand(
            messages(bytes.readableBytesView.map { ByteBuffer(bytes: [$0]) }), equals: whole,
            "split bytes are read as something else")
        try checkSecrets(bytes, whole)
        let lines = String(buffer: bytes).split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return }
        try checkClient(user: String(lines[0]), password: String(lines[1]), host: String(lines[2]))
    }

    private static func checkSecrets(_ bytes: ByteBuffer, _ messages: [SocksReader.Message]) throws {
        let hidden = secrets([bytes])
        try demand(
            secrets(bytes.readableBytesView.map { ByteBuffer(bytes: [$0]) }), equals: hidden,
            "in split bytes something else is hidden")
        guard messages.count > 1, case .greeting = messages[0], case .login(_, let password) = messages[1] else {
            return
        }
        try demand(hidden.map { bytes.readableBytesView[$0] }, equals: password, "something else than the password")
    }

    /// Where the bytes are that are hidden.
    private static func secrets(_ pieces: [ByteBuffer]) -> [Int] {
        var login = SocksLogin()
        var start = 0
        var found: [Int] = []
        for piece in pieces {
            for range in login.secrets(in: piece.readableBytesView) { found += range.map { $0 + start } }
            start += piece.readableBytes
        }
        return found
    }

    private static func messages(_ pieces: [ByteBuffer]) -> [SocksReader.Message] {
        var reader = SocksReader()
        var found: [SocksReader.Message] = []
        for piece in pieces {
            reader.receive(piece)
            while let message = reader.next() {
                found.append(message)
                switch message {
                case .greeting(let methods): reader.expected = methods.contains(2) ? .login : .request
                case .login: reader.expected = .request
                case .request, .malformed: reader.expected = .nothing
                }
            }
        }
        return found
    }

    private static func checkClient(user: String, password: String, host: String) throws {
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return }
        let origin = Origin(scheme: "http", host: host, port: 80)
        let credential = Credential(user: user, password: password)
        for kind in [Proxy.Kind.socks4, .socks5] {
            let proxy = Proxy(kind, host: "s.test", port: 1080, credential: credential)
            var tunnel = Tunnel(to: origin, through: proxy, ClientSettings())
            var reader = SocksReader()
            var step = tunnel.begin()
            while case .send(let bytes) = step {
                reader.receive(bytes)
                switch reader.next() {
                case .greeting:
                    reader.expected = .login
                    step = tunnel.received(ByteBuffer(bytes: [5, 2]))
                case .login(let name, let word):
                    try demand(name, equals: Array(user.utf8), "another user")
                    try demand(word, equals: Array(password.utf8), "another password")
                    reader.expected = .request
                    step = tunnel.received(ByteBuffer(bytes: [1, 0]))
                case .request(let request):
                    try demand(request.port, equals: 80, "another port")
                    let isName = !request.host.utf8.allSatisfy { ASCII.isHexDigit($0) || $0 == 46 || $0 == 58 }
                    if isName { try demand(request.host, equals: origin.host, "another host") }
                    step = .wait
                case .malformed(let text): throw Violation(description: "the client's own words: \(text)")
                case nil: throw Violation(description: "the client's own words are not whole")
                }
            }
        }
    }
}
