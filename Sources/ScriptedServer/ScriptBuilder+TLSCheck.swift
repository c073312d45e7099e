import ServerScript
import TLSBasics

/// Mistakes about TLS that no server can play.
extension ScriptBuilder {
    var complaintsAboutTLS: [String] {
        script.tls.keys.sorted().flatMap { host -> [String] in
            guard let tls = script.tls[host] else { return [] }
            let missing = script.hosts.contains(host) ? [] : ["no host '\(host)': name it with hosts(…)"]
            return missing + Self.complaints(about: tls).map { "\(host): \($0)" }
        } + complaintsAboutRecords
    }

    private static func complaints(about tls: HostTLS) -> [String] {
        var complaints: [String] = []
        if tls.staple != nil, !tls.certificate.canBeStapled {
            complaints.append("nobody can sign a response about the certificate '\(tls.certificate.rawValue)'")
        }
        for suite in tls.ciphers where !suite.versions.overlaps(tls.versions) {
            complaints.append("'\(suite.rawValue)' is of \(suite.versions.upperBound), which it does not speak")
        }
        if case .refused(let alert) = tls.clientCertificate, !TLSAlert.refusals.contains(alert) {
            complaints.append("no certificate is refused with '\(alert)'")
        }
        for name in tls.applicationProtocols where !(1...255).contains(name.utf8.count) {
            complaints.append("a protocol's name has 1 to 255 bytes, not \(name.utf8.count)")
        }
        if !(0...8).contains(tls.tickets) { complaints.append("it cannot give \(tls.tickets) tickets: 0 to 8") }
        if let size = tls.recordSize, !(1...16_384).contains(size) {
            complaints.append("a record cannot protect \(size) bytes: 1 to 16,384")
        }
        if let number = tls.fault?.connection, number < 1 {
            complaints.append("there is no connection \(number): they count from 1")
        }
        return complaints
    }

    /// Faults of records, which only hosts have that speak TLS.
    private var complaintsAboutRecords: [String] {
        let ofSteps = script.steps.compactMap { step -> (String?, Exchange)? in
            if case .exchange(let exchange) = step.action { (step.host, exchange) } else { nil }
        }
        return (ofSteps + script.routes.map { ($0.host, $0.exchange) }).flatMap { host, exchange in
            [exchange.fault, exchange.reply?.fault].compactMap(\.self).compactMap { complaint(about: $0, on: host) }
                .map { "\(Self.name(exchange).trimmingPrefix(" ")): \($0)" }
        }
    }

    private func complaint(about fault: Fault, on host: String?) -> String? {
        guard case .record(let record) = fault.effect, let host = host ?? script.hosts.first else { return nil }
        guard let tls = script.tls[host] else {
            return "\(host) speaks no TLS, so it has no records: secure(…)"
        }
        switch record {
        case .keyUpdate where !tls.versions.contains(.tls13), .keyFlood where !tls.versions.contains(.tls13):
            return "\(host) does not speak TLS 1.3, which alone has new keys"
        case .renegotiation where tls.versions.upperBound > .tls12: return "only TLS up to 1.2 agrees anew"
        case .alert where tls.versions.lowerBound < .tls12:
            return "an alert behind the handshake needs TLS 1.2 or 1.3"
        default: return nil
        }
    }
}
