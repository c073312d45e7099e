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
        let ciphers = ciphers(map)
        tls.ciphers = ciphers.map(\.suite)
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
        }
        if let tickets = map.count("tickets", in: 0...8) { tls.tickets = tickets }
        let protocols = protocols(map)
        if map.has("protocols") { tls.applicationProtocols = protocols.map(\.name) }
        if let size = map.count("record-size", in: 1...16384) { tls.recordSize = size }
        let fault = map.map("fault", .handshakeFault)
        tls.fault = fault.flatMap(handshakeFault)
        for (place, objection) in tls.objections {
            let node =
                switch place {
                case .cipher(let index): ciphers[index].node
                case .applicationProtocol(let index): protocols.isEmpty ? node : protocols[index].node
                case .certificate: map.value("certificate") ?? node
                case .staple: map.keyNode("staple")
                case .alert: map.keyNode("alert")
                case .tickets: map.keyNode("tickets")
                case .recordSize: map.keyNode("record-size")
                case .faultPlace: fault?.value("at") ?? node
                case .faultEffect: fault?.value("do") ?? node
                case .faultConnection: fault?.value("connection") ?? node
                }
            log.error(objection.text, at: node, remedy: objection.remedy)
        }
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

    private func ciphers(_ map: MappingReader) -> [(suite: CipherSuite, node: SourceNode)] {
        let words = CipherSuite.allCases.map(\.rawValue)
        return (map.list("ciphers") ?? []).compactMap { node in
            session.word(node, among: words).flatMap(CipherSuite.init).map { ($0, node) }
        }
    }

    private func protocols(_ map: MappingReader) -> [(name: String, node: SourceNode)] {
        (map.list("protocols") ?? []).compactMap { node in session.text(node).map { ($0, node) } }
    }

    private func handshakeFault(_ map: MappingReader) -> HandshakeFault? {
        guard let node = map.value("at"),
            let (landmark, offset) = place(HandshakeFault.Landmark.self, at: node, "landmark", of: "a handshake"),
            let action = map.value("do"), let effect = handshakeEffect(action)
        else { return nil }
        let pace = map.duration("delay")
        if pace != nil, effect != .split {
            log.error(
                "'delay' goes with 'do: split'", at: map.keyNode("delay"), remedy: "'do: {delay: 300ms}' is one pause")
        }
        return HandshakeFault(
            at: landmark, plus: offset, do: effect, pace: pace, connection: map.count("connection", in: 1...1000),
            mark: map.node.mark)
    }

    private func handshakeEffect(_ node: SourceNode) -> HandshakeFault.Effect? {
        if node.isMapping {
            guard let map = session.map(node, .effect) else { return nil }
            if map.only(of: ["alert", "delay"]) == nil {
                map.missing(
                    "a fault of a handshake needs an 'alert' or a 'delay' here",
                    remedy: "such as {alert: handshake_failure}")
            }
            if let name = map.word("alert") { return TLSAlert(name: name).map { .alert($0) } }
            return map.duration("delay").map { .delay($0) }
        }
        let words = HandshakeFault.Effect.words
        return session.word(node, among: words.map(\.word)).flatMap { word in words.first { $0.word == word }?.effect }
    }
}
