import Digests
import HTTPBasics

/// An NTLM challenge as a script writes it.
package enum ServerNTLM: Hashable, Sendable {
    /// The scheme alone: the client may begin.
    case offer
    /// Message 2 (MS-NLMP 2.2.1.2), in answer to message 1.
    ///
    /// - Parameters:
    ///   - nonce: Its eight bytes, the first one highest.
    ///   - target: The domain that the server is of.
    ///   - hasTime: It says its clock, so that the client has to protect the messages as a whole.
    case message(nonce: UInt64, target: String, hasTime: Bool)
    /// This text in place of message 2.
    case token(String)

    /// The value of the field.
    var text: String {
        switch self {
        case .offer: "NTLM"
        case .token(let token): "NTLM \(token)"
        case .message: "NTLM \(Base64.encode(bytes ?? []))"
        }
    }

    /// As a script writes it.
    package static func text(of nonce: UInt64) -> String { nonce.hexadecimal }

    /// Message 2; nil for the others.
    package var bytes: [UInt8]? {
        guard case .message(let nonce, let target, let hasTime) = self else { return nil }
        let name = NTLMText.utf16(target)
        // MsvAvNbDomainName, MsvAvNbComputerName, MsvAvTimestamp, MsvAvEOL (2.2.2.1).
        var attributes = Self.attribute(2, name) + Self.attribute(1, NTLMText.utf16("SERVER"))
        if hasTime { attributes += Self.attribute(7, NTLMText.number(Self.time)) }
        attributes += Self.attribute(0, [])
        // Unicode, target name, NTLM, always sign, a domain, extended session security, attributes (2.2.2.5).
        let flags: UInt32 = 0x1 | 0x4 | 0x200 | 0x8000 | 0x1_0000 | 0x8_0000 | 0x80_0000
        let start = 56
        var message = NTLMText.signature + NTLMText.number(UInt32(2))
        message += Self.place(of: name.count, at: start) + NTLMText.number(flags)
        message += withUnsafeBytes(of: nonce.bigEndian, Array.init) + Array(repeating: 0, count: 8)
        message += Self.place(of: attributes.count, at: start + name.count) + Array(repeating: 0, count: 8)
        return message + name + attributes
    }

    /// The second of January 2026.
    private static let time: UInt64 = 134_117_856_000_000_000

    private static func place(of count: Int, at offset: Int) -> [UInt8] {
        let length = NTLMText.number(UInt16(clamping: count))
        return length + length + NTLMText.number(UInt32(clamping: offset))
    }

    private static func attribute(_ number: UInt16, _ value: [UInt8]) -> [UInt8] {
        NTLMText.number(number) + NTLMText.number(UInt16(clamping: value.count)) + value
    }
}

/// What NTLM's messages are made of.
enum NTLMText {
    static let signature = Array("NTLMSSP\0".utf8)

    static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { number($0) } }

    static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }
}

/// Which message of NTLM an Authorization field must carry.
package enum NTLMRule: Hashable, Sendable {
    /// Message 1.
    case begins
    /// Message 3, behind a message 2 on the same connection.
    case proves(BasicCredentials, domain: String)
}

/// The messages of NTLM that went over a connection before a request.
package struct NTLMExchange: Hashable, Sendable {
    /// From the client.
    package var first: [UInt8]
    /// From the server.
    package var second: [UInt8]

    package init(first: [UInt8] = [], second: [UInt8] = []) {
        self.first = first
        self.second = second
    }
}
