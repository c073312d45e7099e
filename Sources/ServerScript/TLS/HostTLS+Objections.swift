import TLSBasics

extension HostTLS {
    /// What of a host's TLS is wrong.
    package enum ObjectionPlace: Hashable, Sendable {
        case certificate, staple, alert, tickets, recordSize
        /// By its place in the list.
        case cipher(Int)
        case applicationProtocol(Int)
        case faultPlace, faultEffect, faultConnection
    }

    /// Why a host cannot speak so, or would do it in vain. So are files, scripts in Swift and `serve --tls` judged.
    package var objections: [(place: ObjectionPlace, objection: Objection)] {
        var found: [(place: ObjectionPlace, objection: Objection)] = []
        func object(_ place: ObjectionPlace, _ text: String, remedy: String? = nil) {
            found.append((place, Objection(text, remedy: remedy)))
        }
        if certificate.keyKind == .ed25519, versions.upperBound < .tls12 {
            object(.certificate, "'\(certificate.rawValue)' needs TLS 1.2 or 1.3")
        }
        if staple != nil, !certificate.canBeStapled {
            object(
                .staple, "nobody can sign a response about '\(certificate.rawValue)'",
                remedy: "the key of its authority is not there: take a certificate that `intermediate` has signed")
        }
        for (index, suite) in ciphers.enumerated() { objection(to: suite).map { found.append((.cipher(index), $0)) } }
        if case .refused(let alert) = clientCertificate, !TLSAlert.refusals.contains(alert) {
            object(.alert, "no certificate is refused with '\(alert)'")
        }
        for (place, name) in applicationProtocols.enumerated() where !(1...255).contains(name.utf8.count) {
            // RFC 7301 3.1: one byte says how long a name is, and none is empty.
            let count = name.utf8.count
            object(.applicationProtocol(place), "a protocol's name has 1 to 255 bytes, and this one has \(count)")
        }
        if !(0...8).contains(tickets) { object(.tickets, "it cannot give \(tickets) tickets: 0 to 8") }
        if let recordSize, !(1...16_384).contains(recordSize) {
            object(.recordSize, "a record cannot protect \(recordSize) bytes: 1 to 16,384")
        }
        return found + (fault.map(objections) ?? [])
    }

    private func objection(to suite: CipherSuite) -> Objection? {
        guard suite.versions.overlaps(versions) else {
            let word = suite.versions.upperBound.word
            return Objection("'\(suite.rawValue)' is of TLS \(word), which this host does not speak")
        }
        guard let wanted = suite.keyKinds, !wanted.contains(certificate.keyKind) else { return nil }
        let kinds = wanted.map(\.rawValue).joined(separator: " or ")
        return Objection(
            "'\(suite.rawValue)' needs a key of \(kinds), and '\(certificate.rawValue)' has one of "
                + certificate.keyKind.rawValue)
    }

    private func objections(to fault: HandshakeFault) -> [(place: ObjectionPlace, objection: Objection)] {
        var found: [(place: ObjectionPlace, objection: Objection)] = []
        if fault.landmark == .clientHello, fault.offset != 0 {
            found.append(
                (
                    .faultPlace,
                    Objection(
                        "no bytes come before a fault at 'client-hello'",
                        remedy: "'server-hello+\(fault.offset)' is behind so many of the first flight")
                ))
        }
        if case .alert = fault.effect, fault.landmark == .finished, sealsNoAlert(behindBytes: fault.offset) {
            found.append((.faultEffect, Objection("an 'alert' there needs \(Self.suitesThatSealAlerts)")))
        }
        if let number = fault.connection, number < 1 {
            found.append((.faultConnection, Objection("there is no connection \(number): they count from 1")))
        }
        return found
    }

    // MARK: - Alerts

    static let suitesThatSealAlerts = "a cipher suite with GCM or ChaCha20-Poly1305"

    /// Whether whatever is agreed upon is of a kind with which only OpenSSL seals.
    var sealsNoAlert: Bool { TLSVersion.allCases.filter(versions.contains).allSatisfy(sealsNoAlert) }

    private func sealsNoAlert(in version: TLSVersion) -> Bool {
        if version < .tls12 { return true }
        let named = ciphers.filter { $0.versions.contains(version) }
        return !named.isEmpty && !named.contains(where: \.sealsAlerts)
    }

    /// The same of an alert behind so many bytes of the last flight. In TLS 1.2 nothing is protected before the words
    /// that say so, which are the first if no ticket is given.
    private func sealsNoAlert(behindBytes offset: Int) -> Bool {
        TLSVersion.allCases.filter(versions.contains).allSatisfy { version in
            (version == .tls13 || offset > 0 && tickets == 0) && sealsNoAlert(in: version)
        }
    }
}
