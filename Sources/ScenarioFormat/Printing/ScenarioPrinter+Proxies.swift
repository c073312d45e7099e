import ServerScript

extension ScenarioPrinter {
    func proxy(_ role: ProxyRole?) -> [(String, ShownValue?)] {
        switch role {
        case .http: [("role", .word("http-proxy"))]
        case .socks(let rule): [("role", .word("socks-proxy")), ("socks", socks(rule))]
        case nil: []
        }
    }

    private func socks(_ rule: SocksRule) -> ShownValue? {
        var entries: [(String, ShownValue?)] = [
            ("version", rule.version.map { .word(String($0)) }), ("credentials", rule.credentials.map(credentials)),
            ("code", rule.code.map { .word(String($0)) }),
        ]
        for phase in SocksRule.Phase.allCases { entries.append((phase.rawValue, rule.answers[phase].map(bytes))) }
        if let fault = rule.fault {
            let place = fault.phase.rawValue + (fault.offset > 0 ? "+\(fault.offset)" : "")
            entries.append(("fault", .fields([("at", .word(place)), ("do", effect(fault.effect))])))
        }
        let value = ShownValue.fields(entries)
        return value.isEmpty ? nil : value
    }

    func proxy(_ proxy: SessionProxy) -> ShownValue {
        .fields([
            ("http", proxy.http.map { .text($0) }), ("https", proxy.https.map { .text($0) }),
            ("socks", proxy.socks.map { .text($0) }),
            ("socks-version", proxy.socksVersion.map { .word(String($0)) }),
            ("credentials", proxy.credentials.map(credentials)),
            ("https-credentials", proxy.secureCredentials.map(credentials)),
            ("exceptions", proxy.exceptions.isEmpty ? nil : .list(proxy.exceptions.map { .text($0) })),
            ("exclude-simple-names", proxy.excludesSimpleNames ? .word("yes") : nil),
            ("by", proxy.form == .dictionary ? nil : .word(proxy.form.rawValue)),
        ])
    }
}
