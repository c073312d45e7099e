import HTTPBasics
import NIOCore

/// Connections to a SOCKS proxy of the script, until they are let through.
extension ScriptMachine {
    func startSocks(on connection: ServerConnection) {
        if case .socks(let rule) = connection.state.script.proxies[connection.host] {
            connection.phase = .socks(SocksTalk(rule))
        }
    }

    func advanceSocks(_ talk: SocksTalk, _ connection: ServerConnection) -> Bool {
        if let bytes = talk.held {
            talk.held = nil
            write(bytes, on: connection)
            if let host = talk.way { return letThrough(to: host, talk, connection) }
            return goOn(talk, connection)
        }
        talk.reader.receive(connection.reader.takeRaw(.max))
        guard let message = talk.reader.next() else {
            if connection.inputClosed { close(connection) }
            return false
        }
        connection.isFresh = false
        switch message {
        case .malformed(let text): return refuse(text, connection)
        case .greeting(let methods): return greeted(methods, talk, connection)
        case .login(let user, let password):
            let wanted = talk.rule.credentials
            let isKnown =
                user == Array((wanted?.user ?? "").utf8) && password == Array((wanted?.password ?? "").utf8)
            talk.reader.expected = .request
            talk.isOver = !isKnown && talk.rule.answers[.login] == nil
            return answer([1, isKnown ? 0 : 1], at: .login, talk, connection)
        case .request(let request): return requested(request, talk, connection)
        }
    }

    private func greeted(_ methods: [UInt8], _ talk: SocksTalk, _ connection: ServerConnection) -> Bool {
        if talk.rule.version == 4 { return refuse("SOCKS: version 5, not 4", connection) }
        let method: UInt8 = talk.rule.credentials == nil ? 0 : 2
        let isOffered = methods.contains(method)
        talk.reader.expected = method == 2 ? .login : .request
        talk.isOver = !isOffered && talk.rule.answers[.greeting] == nil
        return answer([5, isOffered ? method : 0xFF], at: .greeting, talk, connection)
    }

    private func requested(_ request: SocksReader.Request, _ talk: SocksTalk, _ connection: ServerConnection) -> Bool {
        if let version = talk.rule.version, version != request.version {
            return refuse("SOCKS: version \(request.version), not \(version)", connection)
        }
        guard let host = connection.state.proxied.host(request.host, port: request.port) else {
            return refuse("SOCKS: no host of the script is \(request.host):\(request.port)", connection)
        }
        let isVersion4 = request.version == 4
        let isKnown =
            !isVersion4 || talk.rule.credentials.map { Array($0.user.utf8) == request.user } ?? request.user.isEmpty
        let code = talk.rule.code ?? (isVersion4 ? (isKnown ? 90 : 93) : 0)
        talk.reader.expected = .nothing
        let own: [UInt8] = isVersion4 ? [0, code, 0, 0, 0, 0, 0, 0] : [5, code, 0, 1, 0, 0, 0, 0, 0, 0]
        let bytes = talk.rule.answers[.request] ?? own
        let isThrough = bytes.count > 1 && bytes[1] == (isVersion4 ? 90 : 0)
        if isThrough { talk.way = host } else { talk.isOver = true }
        return answer(own, at: .request, talk, connection)
    }

    private func answer(
        _ own: [UInt8], at phase: SocksRule.Phase, _ talk: SocksTalk, _ connection: ServerConnection
    ) -> Bool {
        let bytes = talk.rule.answers[phase] ?? own
        guard let fault = talk.rule.fault, fault.phase == phase else {
            talk.held = ByteBuffer(bytes: bytes)
            return true
        }
        let before = bytes.prefix(fault.offset)
        if !before.isEmpty { write(ByteBuffer(bytes: before), on: connection) }
        if case .delay(let span) = fault.effect {
            talk.held = ByteBuffer(bytes: bytes.dropFirst(fault.offset))
            wait(span, connection)
            return true
        }
        talk.way = nil
        apply(fault.effect, to: connection)
        return true
    }

    private func goOn(_ talk: SocksTalk, _ connection: ServerConnection) -> Bool {
        if talk.isOver { close(connection) }
        return !talk.isOver
    }

    private func letThrough(to host: String, _ talk: SocksTalk, _ connection: ServerConnection) -> Bool {
        connection.phase = .idle
        connection.reader.receive(talk.reader.takeRest())
        openTunnel(to: host, connection)
        return true
    }

    private func refuse(_ text: String, _ connection: ServerConnection) -> Bool {
        touch(connection.scope.state)
        journal(.violation(Violation(text, kind: .malformed)), connection)
        close(connection)
        return true
    }
}

/// Where a client stands with a SOCKS proxy.
final class SocksTalk {
    let rule: SocksRule
    var reader = SocksReader()
    /// An answer that is to go out next.
    var held: ByteBuffer?
    /// The connection ends behind that.
    var isOver = false
    /// The host to which it goes on behind that.
    var way: String?

    init(_ rule: SocksRule) { self.rule = rule }
}
