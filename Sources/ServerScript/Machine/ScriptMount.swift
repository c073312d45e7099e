import HTTPBasics

/// A further script of a shared server, for requests that begin with a path of its own, that name a host, or that come
/// to a port.
package struct ScriptMount: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// Such as `/users`: the script sees what is behind it.
        case prefix(String)
        /// Of the Host field, in small letters, without a port.
        case host(String)
        /// A port that nothing else listens on.
        case port(Int)

        /// For messages.
        var text: String {
            switch self {
            case .prefix(let path): path
            case .host(let name): "Host: \(name)"
            case .port(let port): "port \(port)"
            }
        }
    }

    package var place: Place
    package var script: Script

    package init(_ place: Place, _ script: Script) {
        self.place = place
        self.script = script
    }

    /// The name of its scope; those that requests name there stand behind it and a colon.
    package var label: String {
        switch place {
        case .prefix(let path): path
        case .host(let name): "//\(name)"
        case .port(let port): "//:\(port)"
        }
    }

    /// The one that it has for itself.
    package var port: Int? {
        if case .port(let port) = place { port } else { nil }
    }

    /// Whether connections are this scope's from their beginning, before a request names one.
    package static func hasOwnConnections(_ label: String) -> Bool {
        label.hasPrefix("//:") && DecimalNumber.port(label.dropFirst(3)) != nil
    }

    /// The mount that a scope is one of; empty for those of requests that come to none.
    package static func label(of scope: String) -> String {
        guard scope.hasPrefix("/") else { return "" }
        let end = scope.dropFirst(scope.hasPrefix("//:") ? 3 : 0).firstIndex(of: ":") ?? scope.endIndex
        return String(scope[..<end])
    }

    /// Why a script cannot be one among several on a server.
    ///
    /// - Parameter label: Of its place.
    package static func objection(to script: Script, at label: String) -> String? {
        if script.hosts.count > 1 { return "it has more than one host" }
        if !script.tls.isEmpty { return "its host speaks TLS" }
        if !script.proxies.isEmpty { return "its host is a proxy" }
        if !script.listenFaults.isEmpty { return "its host does not listen" }
        return hasOwnConnections(label) ? nil : objectionToConnections(of: script)
    }

    /// Connections are this scope's only from the first request on that names it: what is to happen to one before that
    /// never does.
    package static func objectionToConnections(of script: Script) -> String? {
        guard let step = script.stepsOfFreshConnections.first else { return nil }
        return "\(step.mark.map { "\($0): " } ?? "")this step is about a connection before its first request"
    }

    /// How a server reads that has no script but these: strictly, if only one wants it, since a connection may ask for
    /// any of them.
    package static func reading(of mounts: [ScriptMount]) -> Reading {
        mounts.allSatisfy { $0.port != nil || $0.script.reading == .lenient } ? .lenient : .strict
    }

    /// The script as one of the only host that it can have here, which is the server's first.
    func renamed(to host: String) -> Script {
        var script = script
        script.hosts = [host]
        for index in script.steps.indices {
            script.steps[index].host = nil
            guard case .exchange(let exchange) = script.steps[index].action else { continue }
            script.steps[index].action = .exchange(moved(exchange))
        }
        for index in script.routes.indices {
            script.routes[index].host = nil
            script.routes[index].exchange = moved(script.routes[index].exchange)
        }
        return script
    }

    /// An upload's path is told to clients, who know of the prefix.
    private func moved(_ exchange: Exchange) -> Exchange {
        guard case .prefix(let path) = place, let resumable = exchange.resumable else { return exchange }
        var exchange = exchange
        exchange.resumable = resumable.moved(below: path)
        return exchange
    }

    /// Where clients find it, seen from the URL of the server's first host.
    func origin(_ url: String) -> String {
        switch place {
        case .prefix(let path): return url + path
        case .host(let name):
            let port = url.lastIndex(of: ":").map { String(url[$0...]) } ?? ""
            let scheme = url.firstRange(of: "://").map { String(url[..<$0.lowerBound]) } ?? "http"
            return "\(scheme)://\(name)\(port)"
        case .port(let port):
            return "\(url[..<(url.lastIndex(of: ":") ?? url.endIndex)]):\(port)"
        }
    }

    /// The target as the script sees it; nil for a request that is for another one.
    func target(of head: ReceivedHead) -> String? {
        switch place {
        case .port: return nil
        case .host(let name):
            guard let field = head.fields.first("Host") else { return nil }
            let end = field.lastIndex(of: ":").flatMap { field[$0...].contains("]") ? nil : $0 } ?? field.endIndex
            return field[..<end].equalsIgnoringCase(name) ? head.target : nil
        case .prefix(let path):
            guard head.target.utf8.starts(with: path.utf8) else { return nil }
            let rest = head.target.utf8.dropFirst(path.utf8.count)
            switch rest.first {
            case nil: return "/"
            case UInt8(ascii: "/"): return String(decoding: rest, as: UTF8.self)
            case UInt8(ascii: "?"): return "/" + String(decoding: rest, as: UTF8.self)
            default: return nil
            }
        }
    }
}

/// A mount as a machine has it.
struct PreparedMount {
    let mount: ScriptMount
    /// What its scopes begin with.
    var template: PreparedScript
}
