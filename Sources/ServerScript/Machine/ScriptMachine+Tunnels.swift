import HTTPBasics
import NIOCore

/// Connections that go on through a proxy of the script: from then on they are those of another host.
extension ScriptMachine {
    /// The host that a request to a proxy wants to be tunnelled to.
    func tunnelled(_ head: ReceivedHead, _ connection: ServerConnection) -> String? {
        guard head.method == "CONNECT", head.named != nil else { return nil }
        return connection.state.proxied.host(authority: head.target)
    }

    /// What a proxy does with a CONNECT that the script says nothing of.
    func tunnel(to host: String, _ connection: ServerConnection) {
        write(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"), on: connection)
        journal(.answered(status: 200), connection)
        openTunnel(to: host, connection)
    }

    /// Raw bytes open a tunnel too, if one of their heads says so, whatever else it says.
    func openTunnel(by bytes: [UInt8], _ connection: ServerConnection) {
        guard let host = connection.unanswered else { return }
        let heads = String(decoding: bytes, as: UTF8.self).split(
            separator: "\r\n\r\n", omittingEmptySubsequences: false)
        guard heads.dropLast().contains(where: { $0.hasPrefix("HTTP/1.") && $0.dropFirst(9).first == "2" }) else {
            return
        }
        connection.unanswered = nil
        openTunnel(to: host, connection)
    }

    /// Nothing of what the proxy was asked is left: it is as if the host had just accepted the connection.
    func openTunnel(to host: String, _ connection: ServerConnection) {
        let early = connection.reader.takeRaw(.max)
        (connection.host, connection.servedHost) = (host, host)
        let state = connection.state
        connection.reader = RequestReader(state.script.reading)
        connection.isFresh = true
        connection.ntlm = nil
        connection.waitingSince = moment.instant
        journal(.tunnelled(host: host), connection)
        if state.script.tls[host] != nil {
            let isSpoilt = spoilsHandshake(of: connection)
            emit(.secure(connection.id, host: host, early: early, isSpoilt: isSpoilt))
        } else {
            connection.reader.receive(early)
        }
        if connection.lane == nil, let lane = laneForAccepted(connection) {
            state.board.bind(lane, to: connection.id)
            if state.board.lanes[lane].label != nil { connection.lane = lane }
        }
    }
}

extension Script {
    /// Targets that name a host's URL stand for it as a proxy is asked for it.
    mutating func renameTargets(by hosts: ProxiedHosts) {
        guard !proxies.isEmpty else { return }
        for index in steps.indices {
            guard case .exchange(var exchange) = steps[index].action, let target = exchange.request.target else {
                continue
            }
            exchange.request.target = hosts.named(target)
            steps[index].action = .exchange(exchange)
        }
        for index in routes.indices {
            guard let target = routes[index].exchange.request.target else { continue }
            routes[index].exchange.request.target = hosts.named(target)
        }
    }
}
