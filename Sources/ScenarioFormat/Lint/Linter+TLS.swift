import ServerScript
import TLSBasics

/// Faults of records, which only hosts have that speak TLS.
extension Linter {
    func checkRecordFaults(_ script: Script) {
        for step in script.steps {
            switch step.action {
            case .exchange(let exchange): check(exchange, on: step.host, script)
            case .accept(let fault): check(fault, on: step.host, script)
            case .read, .write, .close: break
            }
        }
        for route in script.routes { check(route.exchange, on: route.host, script) }
        if let fault = script.otherwise?.fault, script.tls.isEmpty { check(fault, on: nil, script) }
    }

    private func check(_ exchange: Exchange, on host: String?, _ script: Script) {
        check(exchange.fault, on: host, script)
        check(exchange.reply?.fault, on: host, script)
    }

    private func check(_ fault: Fault?, on host: String?, _ script: Script) {
        guard let fault, case .record(let record) = fault.effect, let host = host ?? script.hosts.first else { return }
        if fault.isOfProxy {
            if !script.hosts.contains(where: { script.proxies[$0] != nil && script.tls[$0] != nil }) {
                error("no proxy of the script speaks TLS", at: fault.mark, remedy: "'tls: valid' on the proxy")
            }
            return
        }
        guard let tls = script.tls[host] else {
            return error(
                "\(host) speaks no TLS, so it has no records", at: fault.mark, remedy: "'tls: valid' on the host")
        }
        switch record {
        case .keyUpdate where !tls.versions.contains(.tls13), .keyFlood where !tls.versions.contains(.tls13):
            error("\(host) does not speak TLS 1.3, which alone has new keys", at: fault.mark)
        case .renegotiation where tls.versions.upperBound > .tls12:
            error(
                "only TLS up to 1.2 has 'renegotiate'", at: fault.mark, remedy: "'tls: {versions: [1.2]}' on the host")
        case .alert where tls.versions.lowerBound < .tls12:
            error("an 'alert' behind the handshake needs TLS 1.2 or 1.3", at: fault.mark)
        case .alert where tls.sealsNoAlert:
            error(
                "an 'alert' behind the handshake needs a cipher suite with GCM or ChaCha20-Poly1305", at: fault.mark)
        default: break
        }
    }
}

extension HostTLS {
    /// Whether whatever is agreed upon is of a kind with which only OpenSSL seals.
    fileprivate var sealsNoAlert: Bool {
        TLSVersion.allCases.filter(versions.contains).allSatisfy { version in
            let named = ciphers.filter { $0.versions.contains(version) }
            return !named.isEmpty && !named.contains(where: \.sealsAlerts)
        }
    }
}
