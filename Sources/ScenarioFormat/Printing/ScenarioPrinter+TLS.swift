import ServerScript
import TLSBasics

extension ScenarioPrinter {
    func tls(_ tls: HostTLS) -> ShownValue {
        if tls == HostTLS(tls.certificate) { return .word(tls.certificate.rawValue) }
        let usual = HostTLS()
        let versions = TLSVersion.allCases.filter(tls.versions.contains).map { ShownValue.word($0.word) }
        var client: String?, alert: TLSAlert?
        switch tls.clientCertificate {
        case .none: break
        case .optional: client = "optional"
        case .required: client = "required"
        case .refused(let with): (client, alert) = ("refused", with)
        }
        return .fields([
            ("certificate", .word(tls.certificate.rawValue)),
            ("staple", tls.staple.map { .word($0.rawValue) }),
            ("versions", tls.versions == usual.versions ? nil : .list(versions)),
            ("ciphers", tls.ciphers.isEmpty ? nil : .list(tls.ciphers.map { .word($0.rawValue) })),
            ("client-certificate", client.map { .word($0) }), ("alert", alert.map { .word($0.description) }),
            ("tickets", tls.tickets == usual.tickets ? nil : .word(String(tls.tickets))),
            (
                "protocols",
                tls.applicationProtocols == usual.applicationProtocols
                    ? nil : .list(tls.applicationProtocols.map { .text($0) })
            ),
            ("fault", tls.fault.map(fault)), ("record-size", tls.recordSize.map { .word(String($0)) }),
        ])
    }

    private func fault(_ fault: HandshakeFault) -> ShownValue {
        let effect: ShownValue =
            switch fault.effect {
            case .alert(let alert): .map([("alert", .word(alert.description))])
            case .delay(let span): .map([("delay", duration(span))])
            case .fin, .reset, .stall, .garbage, .flood, .split:
                .word(HandshakeFault.Effect.words.first { $0.effect == fault.effect }?.word ?? "")
            }
        let place = fault.landmark.rawValue + (fault.offset > 0 ? "+\(fault.offset)" : "")
        return .fields([
            ("at", .word(place)), ("do", effect), ("delay", fault.pace.map(duration)),
            ("connection", fault.connection.map { .word(String($0)) }),
        ])
    }
}
