import TLSBasics

extension Script {
    /// A fault of records that can never strike where it stands.
    package struct RecordObjection: Sendable {
        package let fault: Fault
        /// Nil in a connection step, and in `otherwise`.
        package let exchange: Exchange?
        package let objection: Objection
    }

    /// Faults of records are for hosts that speak TLS, and some for certain versions of it.
    package var recordObjections: [RecordObjection] {
        var found: [RecordObjection] = []
        func judge(_ fault: Fault?, _ exchange: Exchange?, on hosts: [String]) {
            guard let fault, case .record(let record) = fault.effect else { return }
            let objections = hosts.map { fault.isOfProxy ? objectionToProxies : objection(to: record, on: $0) }
            // What answers for all hosts has to suit one of them.
            guard let first = objections.first.flatMap(\.self), objections.allSatisfy({ $0 != nil }) else { return }
            found.append(RecordObjection(fault: fault, exchange: exchange, objection: first))
        }
        func judge(_ exchange: Exchange, on host: String?) {
            for fault in exchange.allFaults {
                judge(fault, exchange, on: [host ?? hosts.first].compactMap(\.self))
            }
        }
        for step in steps {
            switch step.action {
            case .exchange(let exchange): judge(exchange, on: step.host)
            case .accept(let fault): judge(fault, nil, on: [step.host ?? hosts.first].compactMap(\.self))
            case .read, .write, .close: break
            }
        }
        for route in routes { judge(route.exchange, on: route.host) }
        for fault in otherwise?.faults ?? [] { judge(fault, nil, on: hosts) }
        return found
    }

    /// Which proxy a request takes, and with what, is up to the client.
    private var objectionToProxies: Objection? {
        if hosts.contains(where: { proxies[$0] != nil && tls[$0] != nil }) { return nil }
        return Objection("no proxy of the script speaks TLS", remedy: "'tls: valid' on the proxy")
    }

    private func objection(to record: RecordFault, on host: String) -> Objection? {
        guard let tls = tls[host] else {
            return Objection("\(host) speaks no TLS, so it has no records", remedy: "'tls: valid' on the host")
        }
        switch record {
        case .keyUpdate where !tls.versions.contains(.tls13), .keyFlood where !tls.versions.contains(.tls13):
            return Objection("\(host) does not speak TLS 1.3, which alone has new keys")
        case .renegotiation where tls.versions.upperBound > .tls12:
            return Objection("only TLS up to 1.2 has 'renegotiate'", remedy: "'tls: {versions: [1.2]}' on the host")
        case .alert where tls.versions.lowerBound < .tls12:
            return Objection("an 'alert' behind the handshake needs TLS 1.2 or 1.3")
        case .alert where tls.sealsNoAlert:
            return Objection("an 'alert' behind the handshake needs \(HostTLS.suitesThatSealAlerts)")
        default: return nil
        }
    }
}
