import ServerScript

/// `role:` of a host, and `proxy:` of a session.
extension CaseDecoder {
    func proxyRole(_ map: MappingReader) -> ProxyRole? {
        let role = map.word("role")
        let rule = map.map("socks", .socksProxy).map(socksRule)
        if rule != nil, role != "socks-proxy" {
            log.error("'socks' goes with 'role: socks-proxy'", at: map.keyNode("socks"))
        }
        if role == "socks-proxy", map.has("tls") {
            log.error("a SOCKS proxy speaks no TLS of its own", at: map.keyNode("tls"), remedy: "leave out 'tls'")
        }
        switch role {
        case "http-proxy": return .http
        case "socks-proxy": return .socks(rule ?? SocksRule())
        default: return nil
        }
    }

    private func socksRule(_ map: MappingReader) -> SocksRule {
        var rule = SocksRule(
            version: map.word("version").flatMap { Int($0) },
            credentials: map.map("credentials", .credentials).flatMap(credentials),
            code: map.count("code", in: 0...255).map { UInt8($0) },
            fault: map.map("fault", .socksFault).flatMap(socksFault))
        for phase in SocksRule.Phase.allCases {
            if let node = map.value(phase.rawValue) { rule.answers[phase] = rawBytes(node) }
        }
        return rule
    }

    private func socksFault(_ map: MappingReader) -> SocksRule.Break? {
        guard let node = map.value("at"),
            let (phase, offset) = place(SocksRule.Phase.self, at: node, "phase", of: "SOCKS"),
            let action = map.value("do"), let effect = effect(action)
        else { return nil }
        switch effect {
        case .fin, .reset, .stall, .garbage, .delay: break
        case .halfClose, .truncate, .record:
            log.error("'\(action.scalar ?? "")' makes no sense here", at: action, remedy: "fin, reset, stall, garbage")
        }
        return SocksRule.Break(at: phase, plus: offset, do: effect)
    }

    /// The name of a proxy, or a map.
    func sessionProxy(_ node: SourceNode) -> SessionProxy? {
        guard node.isMapping else {
            guard let name = proxyName(node) else { return nil }
            if case .socks = proxies[name] { return SessionProxy(socks: name) }
            if tls[name] != nil { refuseDictionary(of: name, at: node) }
            return SessionProxy(http: name, https: name)
        }
        guard let map = session.map(node, .sessionProxy) else { return nil }
        let names = ["http", "https", "socks"].map { map.value($0).flatMap(proxyName) }
        let proxy = SessionProxy(
            http: names[0], https: names[1], socks: names[2],
            socksVersion: map.word("socks-version").flatMap { Int($0) },
            credentials: map.map("credentials", .credentials).flatMap(credentials),
            secureCredentials: map.map("https-credentials", .credentials).flatMap(credentials),
            exceptions: map.has("exceptions") ? map.texts("exceptions") : [],
            excludesSimpleNames: map.yesNo("exclude-simple-names") ?? false,
            form: map.word("by", as: SessionProxy.Telling.self) ?? .dictionary)
        if proxy.secureCredentials != nil, !proxy.isNamedByVariables {
            log.error(
                "a dictionary has one user for all proxies", at: map.keyNode("https-credentials"),
                remedy: "write 'by: environment'")
        }
        let secure = [names[0], names[1]].compactMap(\.self).first { tls[$0] != nil }
        if !proxy.isNamedByVariables, let name = secure {
            refuseDictionary(of: name, at: node)
        }
        if names.allSatisfy({ $0 == nil }) { map.missing("a proxy needs one of http, https, socks") }
        return proxy
    }

    private func refuseDictionary(of name: String, at node: SourceNode) {
        log.error(
            "\(name) speaks TLS, and no dictionary can say so", at: node,
            remedy: "{http: \(name), https: \(name), by: environment}")
    }

    private func proxyName(_ node: SourceNode) -> String? {
        guard let name = session.text(node) else { return nil }
        if hosts.contains(name) { return name }
        log.error("no host '\(name)' in 'hosts'", at: node, remedy: Suggestion.remedy(for: name, among: hosts))
        return nil
    }
}
