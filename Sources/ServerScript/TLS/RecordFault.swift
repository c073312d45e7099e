import TLSBasics

/// Something that goes wrong with the protection of a connection while its messages are as they should be.
package enum RecordFault: Hashable, Sendable {
    /// A record that nobody can open, then FIN.
    case badRecord
    /// The beginning of one that is longer than any may be, then FIN.
    case longRecord
    /// Text in clear in the place of a record, then FIN.
    case clearText
    /// This alert, protected as everything else is, then FIN.
    case alert(TLSAlert)
    /// New keys, then things go on. TLS 1.3 has them.
    case keyUpdate
    /// So many new keys, each to be answered, that the answers fill every buffer on the way; then silence, and the
    /// server reads nothing more. TLS 1.3 has it.
    case keyFlood
    /// The client is asked to agree anew; one that declines is refused. TLS up to 1.2 has it.
    case renegotiation
    /// The layer says that nothing follows it, as at an end in order, then FIN: alone, where there are two.
    case closeNotify

    package enum Sequel: Sendable {
        /// FIN.
        case end
        /// Nothing is sent, and nothing read.
        case silence
        /// The rest of the exchange.
        case exchange
    }

    package var sequel: Sequel {
        switch self {
        case .badRecord, .longRecord, .clearText, .alert, .closeNotify: .end
        case .keyFlood: .silence
        case .keyUpdate, .renegotiation: .exchange
        }
    }

    /// Those that are one word in a scenario file.
    package static let words: [(word: String, fault: RecordFault)] = [
        ("bad-record", .badRecord), ("long-record", .longRecord), ("clear-text", .clearText),
        ("key-update", .keyUpdate), ("key-flood", .keyFlood),
        ("renegotiate", .renegotiation), ("close-notify", .closeNotify),
    ]
}

extension RecordFault: CustomStringConvertible {
    package var description: String {
        if case .alert(let alert) = self { return "alert \(alert)" }
        return Self.words.first { $0.fault == self }?.word ?? ""
    }
}
