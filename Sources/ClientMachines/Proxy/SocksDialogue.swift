import HTTPBasics
import NIOCore

/// SOCKS 4a, and SOCKS 5 with or without a password (RFC 1928, RFC 1929). The proxy looks the name up
/// (BEHAVIOUR 2.E8).
struct SocksDialogue {
    private enum Phase {
        case greeting, login, request
        case over
    }

    /// The most that any answer has: of version 5 with a name as its address.
    private static let mostBytes = 262

    private let origin: Origin
    private let proxy: Proxy
    private var phase = Phase.over
    private var input = ByteBuffer()

    init(to origin: Origin, through proxy: Proxy) {
        self.origin = origin
        self.proxy = proxy
    }

    mutating func begin() -> Tunnel.Advance {
        phase = proxy.kind == .socks4 ? .request : .greeting
        guard proxy.kind == .socks5 else { return request4() }
        return .send(ByteBuffer(bytes: proxy.credential == nil ? [5, 1, 0] : [5, 2, 0, 2]))
    }

    mutating func received(_ bytes: ByteBuffer) -> Tunnel.Advance {
        input.writeImmutableBuffer(bytes)
        switch phase {
        case .greeting: return greeted()
        case .login: return loggedIn()
        case .request: return proxy.kind == .socks4 ? answered4() : answered5()
        case .over: return .wait
        }
    }

    func ended() -> Tunnel.Advance {
        let detail = "The SOCKS proxy ended the connection before it had answered."
        return .failed(proxy.kind == .socks4 ? .socks4RequestFailed : .socks5BadState, detail: detail)
    }

    // MARK: Version 5

    private mutating func greeted() -> Tunnel.Advance {
        guard let answer = input.readBytes(length: 2) else { return .wait }
        if answer[0] != 5 { return failed(.socksUnsupportedServerVersion, "It speaks version \(answer[0]).") }
        switch answer[1] {
        case 0: return request5()
        case 2 where proxy.credential != nil: return login()
        case 0xFF: return failed(.socks5NoAcceptableMethod, "It takes none of the methods that it was offered.")
        default: return failed(.socks5UnsupportedNegotiationMethod, "It wants method \(answer[1]).")
        }
    }

    private mutating func login() -> Tunnel.Advance {
        let user = Array((proxy.credential?.user ?? "").utf8), password = Array((proxy.credential?.password ?? "").utf8)
        guard 1...255 ~= user.count, password.count <= 255 else {
            return failed(.socks5BadCredentials, "A user name has 1 to 255 bytes, and a password 255 at most.")
        }
        phase = .login
        return .send(
            ByteBuffer(bytes: [1, UInt8(user.count)] + user + [UInt8(password.count)] + password))
    }

    private mutating func loggedIn() -> Tunnel.Advance {
        guard let answer = input.readBytes(length: 2) else { return .wait }
        // Some proxies write 5 here in place of 1.
        guard answer[0] == 1 || answer[0] == 5 else { return failed(.socks5BadState, "Its answer is none of a login.") }
        guard answer[1] == 0 else { return failed(.socks5BadCredentials, "It refuses user name or password.") }
        return request5()
    }

    private mutating func request5() -> Tunnel.Advance {
        phase = .request
        var bytes: [UInt8] = [5, 1, 0]
        if let address = IPNetwork.IPAddress(origin.host) {
            bytes += [address.bytes.count == 4 ? 1 : 4] + address.bytes
        } else {
            let name = Array(origin.host.utf8)
            guard 1...255 ~= name.count else {
                return failed(.socks5BadResponseAddress, "The name of the host has more than 255 bytes.")
            }
            bytes += [3, UInt8(name.count)] + name
        }
        return .send(ByteBuffer(bytes: bytes + port))
    }

    private mutating func answered5() -> Tunnel.Advance {
        guard let head = input.getBytes(at: input.readerIndex, length: 2) else { return .wait }
        if head[0] != 5 { return failed(.socksUnsupportedServerVersion, "It speaks version \(head[0]).") }
        if head[1] != 0 { return failed(.socks5BadState, Self.meaning(head[1])) }
        guard let kind = input.getBytes(at: input.readerIndex, length: 5) else { return .wait }
        let length: Int
        switch kind[3] {
        case 1: length = 4
        case 4: length = 16
        case 3: length = 1 + Int(kind[4])
        default: return failed(.socks5BadResponseAddress, "Its answer has an address of type \(kind[3]).")
        }
        return opened(behind: 4 + length + 2)
    }

    private static func meaning(_ code: UInt8) -> String {
        switch code {
        case 1: "It failed (code 1)."
        case 2: "Its rules do not allow this (code 2)."
        case 3: "The network cannot be reached from there (code 3)."
        case 4: "The host cannot be reached from there (code 4)."
        case 5: "The host refused the connection (code 5)."
        case 6: "The host is too far away (code 6)."
        case 7: "It does not know the command (code 7)."
        case 8: "It does not know the type of address (code 8)."
        default: "It answered with code \(code)."
        }
    }

    // MARK: Version 4

    private mutating func request4() -> Tunnel.Advance {
        let user = Array((proxy.credential?.user ?? "").utf8), name = Array(origin.host.utf8)
        guard !user.contains(0), !name.contains(0), user.count <= 255, name.count <= 255 else {
            return failed(.socks4RequestFailed, "A name has 255 bytes at most, and no NUL.")
        }
        let bytes: [UInt8] = [4, 1] + port
        if let address = IPNetwork.IPAddress(origin.host) {
            guard address.bytes.count == 4 else {
                return failed(.socks4RequestFailed, "Version 4 knows no addresses of IPv6.")
            }
            return .send(ByteBuffer(bytes: bytes + address.bytes + user + [0]))
        }
        // An address that cannot be: the name follows (SOCKS 4a).
        return .send(ByteBuffer(bytes: bytes + [0, 0, 0, 1] + user + [0] + name + [0]))
    }

    private mutating func answered4() -> Tunnel.Advance {
        guard let head = input.getBytes(at: input.readerIndex, length: 2) else { return .wait }
        if head[0] != 0 { return failed(.socksUnsupportedServerVersion, "Its answer begins with \(head[0]).") }
        switch head[1] {
        case 90: return opened(behind: 8)
        case 91: return failed(.socks4RequestFailed, "It failed (code 91).")
        case 92: return failed(.socks4IdentdFailed, "It cannot ask who the user is (code 92).")
        case 93: return failed(.socks4IDConflict, "It was told of another user (code 93).")
        default: return failed(.socks4UnknownStatusCode, "It answered with code \(head[1]).")
        }
    }

    // MARK: Both

    private var port: [UInt8] {
        let port = UInt16(clamping: origin.port)
        return [UInt8(port >> 8), UInt8(port & 0xFF)]
    }

    private mutating func opened(behind count: Int) -> Tunnel.Advance {
        guard count <= Self.mostBytes, input.readSlice(length: count) != nil else { return .wait }
        phase = .over
        return .open(unread: input)
    }

    private mutating func failed(_ kind: Failure.Kind, _ detail: String) -> Tunnel.Advance {
        phase = .over
        return .failed(kind, detail: "The SOCKS proxy does not connect. \(detail)")
    }
}
