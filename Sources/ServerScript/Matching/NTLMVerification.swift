import Digests
import HTTPBasics

/// Reads an Authorization value of NTLM and proves it with a script's credentials, as a server does (MS-NLMP 3.3.2).
///
/// What it says holds no proof and no name of a user.
package struct NTLMVerification {
    private let rule: NTLMRule
    private let head: ReceivedHead

    package init(_ rule: NTLMRule, _ head: ReceivedHead) {
        self.rule = rule
        self.head = head
    }

    /// Nil if everything fits.
    package func difference() -> String? { problem().map { "\(head.authorizationField): \($0)" } }

    /// The message that a field carries; nil if it carries none.
    static func message(in values: [String]) -> [UInt8]? {
        // Every request is asked for it; to word what is missing would cost each of them.
        guard !values.isEmpty else { return nil }
        return (try? CredentialsField.content(of: values, scheme: "NTLM")).flatMap { Base64.decode($0.dropFirst()) }
    }

    private func problem() -> String? {
        let values = head.fields.values(head.authorizationField)
        let what = "a message of NTLM", message: [UInt8]
        do throws(Malformed) {
            message = try CredentialsField.token(of: values, scheme: "NTLM", what)
        } catch {
            return error.text
        }
        guard let bytes = NTLMReader(message) else { return "wanted \(what), got something else" }
        let wanted = rule == .begins ? 1 : 3
        guard bytes.kind == wanted else { return "wanted message \(wanted) of NTLM, got message \(bytes.kind)" }
        switch rule {
        // NTLM, and at least one kind of letters (MS-NLMP 2.2.2.5).
        case .begins:
            let isNTLM = bytes.flags(at: 12).map { $0 & 0x200 != 0 && $0 & 3 != 0 } ?? false
            return isNTLM ? nil : "wanted message 1 of NTLM, got one that does not offer it"
        case .proves(let credentials, let domain): return problem(bytes, credentials, domain)
        }
    }

    private func problem(_ message: NTLMReader, _ credentials: BasicCredentials, _ domain: String) -> String? {
        guard let exchange = head.ntlm, exchange.second.count >= 32 else {
            return "wanted message 3 of NTLM behind message 2 on this connection"
        }
        guard let response = message.part(at: 20), let name = message.part(at: 36), let place = message.part(at: 28),
            response.count >= 16 + 28
        else { return "wanted message 3 of NTLM in its second version, got something else" }
        guard name == NTLMText.utf16(credentials.user), place == NTLMText.utf16(domain) else {
            return "wanted the user of the script, got another one"
        }
        let nonce = Array(exchange.second[24..<32]), claim = Array(response[16...])
        let user = NTLMText.utf16(Self.upperCase(credentials.user) + domain)
        let secret = MD4.hash(NTLMText.utf16(credentials.password))
        guard let key = HashFunction.md5.authenticationCode(key: secret, user),
            let proof = HashFunction.md5.authenticationCode(key: key, nonce + claim),
            let session = HashFunction.md5.authenticationCode(key: key, proof)
        else { return "no such hash on this system" }
        guard proof == Array(response[..<16]) else { return "wanted a proof of the script's password, got another one" }
        guard claim.starts(with: [1, 1]) else { return "wanted a claim of the second version, got another one" }
        return wholeDiffers(message, claim, exchange, session)
    }

    /// Where the client says so in its attributes, the three messages have a code (MS-NLMP 3.2.5.1.2).
    private func wholeDiffers(
        _ message: NTLMReader, _ claim: [UInt8], _ exchange: NTLMExchange, _ session: [UInt8]
    ) -> String? {
        let says =
            NTLMReader.attribute(6, in: Array(claim[28...])).map { $0.first.map { $0 & 2 != 0 } ?? false } ?? false
        let hasTime = NTLMReader.attribute(7, in: Array(claim[28...])) != nil
        guard says || !hasTime else { return "wanted a code of all messages, got none" }
        guard says else { return nil }
        guard message.bytes.count >= 88 else { return "wanted a code of all messages, got a short message" }
        var plain = message.bytes
        plain.replaceSubrange(72..<88, with: Array(repeating: 0, count: 16))
        let code = HashFunction.md5.authenticationCode(key: session, exchange.first + exchange.second + plain)
        return code == Array(message.bytes[72..<88]) ? nil : "wanted a code of all messages, got another one"
    }

    /// Letter by letter: what would become two stays as it is.
    private static func upperCase(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { letter in
                    let upper = Array(letter.properties.uppercaseMapping.unicodeScalars)
                    return upper.count == 1 ? upper[0] : letter
                }))
    }
}

/// A message of NTLM as a server reads it.
struct NTLMReader {
    let bytes: [UInt8]
    /// 1 or 3.
    let kind: Int

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: NTLMText.signature), let kind = Self.number(bytes, 8, 4), kind == 1 || kind == 3
        else { return nil }
        self.bytes = bytes
        self.kind = Int(kind)
    }

    func flags(at place: Int) -> UInt32? { Self.number(bytes, place, 4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The bytes that a pair of length and offset names.
    func part(at place: Int) -> [UInt8]? {
        guard let length = Self.number(bytes, place, 2), let offset = Self.number(bytes, place + 4, 4),
            let start = Int(exactly: offset), let count = Int(exactly: length), start <= bytes.count,
            count <= bytes.count - start
        else { return nil }
        return Array(bytes[start..<start + count])
    }

    /// The value of the first attribute with that number.
    static func attribute(_ number: UInt64, in bytes: [UInt8]) -> [UInt8]? {
        var place = 0
        while let id = self.number(bytes, place, 2), let length = self.number(bytes, place + 2, 2), id != 0 {
            let start = place + 4, count = Int(length)
            guard count <= bytes.count - start else { return nil }
            if id == number { return Array(bytes[start..<start + count]) }
            place = start + count
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> UInt64? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        return bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
