import ServerScript
import TLSBasics

/// `tls:` of a host.
extension CaseDecoder {
    func hostTLS(_ node: SourceNode) -> HostTLS? {
        guard node.isMapping else {
            let names = CertificatePreset.allCases.map(\.rawValue)
            return session.word(node, among: names).flatMap(CertificatePreset.init).map { HostTLS($0) }
        }
        guard let map = session.map(node, .hostTLS) else { return nil }
        var tls = HostTLS(map.word("certificate", as: CertificatePreset.self) ?? .valid)
        if let versions = versions(map) { tls.versions = versions }
        let alert = map.word("alert").flatMap { TLSAlert(name: $0) }
        switch map.word("client-certificate") {
        case "optional": tls.clientCertificate = .optional
        case "required": tls.clientCertificate = .required
        case "refused": tls.clientCertificate = .refused(alert ?? .badCertificate)
        default: break
        }
        if map.has("alert"), case .refused = tls.clientCertificate {
        } else if map.has("alert") {
            log.error("'alert' goes with 'client-certificate: refused'", at: map.keyNode("alert"))
        }
        if let staple = map.word("staple", as: StaplePreset.self) {
            tls.staple = staple
            if !tls.certificate.canBeStapled {
                log.error(
                    "nobody can sign a response about '\(tls.certificate.rawValue)'", at: map.keyNode("staple"),
                    remedy: "the key of its authority is not there: take a certificate that `intermediate` has signed")
            }
        }
        if let tickets = map.count("tickets", in: 0...8) { tls.tickets = tickets }
        if map.has("protocols") { tls.applicationProtocols = map.texts("protocols") }
        if let size = map.count("record-size", in: 1...16384) { tls.recordSize = size }
        if let fault = map.map("fault", .handshakeFault) { tls.fault = handshakeFault(fault) }
        return tls
    }

    private func versions(_ map: MappingReader) -> ClosedRange<TLSVersion>? {
        let words = TLSVersion.allCases.map(\.word)
        let found = map.list("versions")?.compactMap { session.word($0, among: words) }.compactMap(
            TLSVersion.init(word:))
        guard let found, let least = found.min(), let most = found.max() else { return nil }
        if Set(found) != Set(TLSVersion.allCases.filter { (least...most).contains($0) }) {
            log.error("a server speaks all versions between two that it speaks", at: map.keyNode("versions"))
        }
        return least...most
    }

    private func handshakeFault(_ map: MappingReader) -> HandshakeFault? {
        guard let node = map.value("at"),
            let (landmark, offset) = place(HandshakeFault.Landmark.self, at: node, "landmark", of: "a handshake"),
            let action = map.value("do"), let effect = handshakeEffect(action)
        else { return nil }
        return HandshakeFault(at: landmark, plus: offset, do: effect, connection: map.count("connection", in: 1...1000))
    }

    private func handshakeEffect(_ node: SourceNode) -> HandshakeFault.Effect? {
        if node.isMapping {
            guard let map = session.map(node, .effect) else { return nil }
            if map.has("delay") { log.error("a handshake has no 'delay'", at: map.keyNode("delay"), remedy: "stall") }
            guard let name = map.word("alert") else {
                map.missing(
                    "a fault of a handshake needs an 'alert' here", remedy: "such as {alert: handshake_failure}")
                return nil
            }
            return TLSAlert(name: name).map { .alert($0) }
        }
        let words = HandshakeFault.Effect.words
        return session.word(node, among: words.map(\.word)).flatMap { word in words.first { $0.word == word }?.effect }
    }
}
