import Digests
import HTTPBasics

/// The three messages of NTLM, of its second version (MS-NLMP 2.2.1). Numbers are little-endian; texts are UTF-16.
package enum NTLMMessages {
    /// What we and the server can do (MS-NLMP 2.2.2.5): Unicode, the server's name, NTLM, extended session security.
    /// Nothing is signed or sealed: HTTP has no use for it.
    private static let flags: UInt32 = unicode | 0x4 | 0x200 | 0x8000 | 0x8_0000
    private static let unicode: UInt32 = 0x1
    private static let signature = Array("NTLMSSP\0".utf8)

    /// Message 1: what we can do. We name no domain, workstation or version; their places are there all the same, for
    /// servers that insist on them (gss-ntlmssp).
    package static let negotiate: [UInt8] = signature + bytes(UInt32(1)) + bytes(flags) + Array(repeating: 0, count: 24)

    /// Message 2: what the server is, and what it wants to be answered.
    package struct ServerMessage: Hashable, Sendable {
        /// As it came.
        let message: [UInt8]
        let nonce: [UInt8]
        /// Attributes of the server, which the answer protects: pairs of a number and a value (MS-NLMP 2.2.2.1).
        let attributes: [UInt8]
        /// The server's clock, if it says it: in tenths of microseconds since 1601.
        let time: UInt64?

        /// All three messages are to be protected by a code: who knows the server's clock can do it, and who says so
        /// already must.
        var wantsCode: Bool { time != nil || flags & 2 != 0 }

        private var flags: UInt32 {
            let value = (Self.pairs(attributes) ?? []).first { $0.id == 6 }.map(\.value) ?? []
            return NTLMMessages.number(value, at: 0, UInt32.self) ?? 0
        }

        /// Longer ones are none: a server has a few names to say.
        package static let mostBytes = 8_192

        /// Nil where it is no such message, or one of a server that knows no Unicode.
        package init?(_ message: [UInt8]) {
            guard message.count <= Self.mostBytes, message.count >= 32, message.starts(with: signature),
                NTLMMessages.number(message, at: 8, UInt32.self) == 2,
                let flags = NTLMMessages.number(message, at: 20, UInt32.self), flags & unicode != 0
            else { return nil }
            self.message = message
            nonce = Array(message[24..<32])
            // The oldest servers end here, without attributes.
            guard message.count >= 48 else {
                (attributes, time) = ([0, 0, 0, 0], nil)
                return
            }
            guard let length = NTLMMessages.number(message, at: 40, UInt16.self).map(Int.init),
                let offset = NTLMMessages.number(message, at: 44, UInt32.self).map(Int.init),
                length == 0 || offset <= message.count && length <= message.count - offset
            else { return nil }
            let found = length == 0 ? [] : Array(message[offset..<offset + length])
            guard let pairs = Self.pairs(found) else { return nil }
            attributes = found.isEmpty ? [0, 0, 0, 0] : found
            time = pairs.first { $0.id == 7 }.flatMap { NTLMMessages.number($0.value, at: 0, UInt64.self) }
        }

        /// Nil if they do not end as they must, or one has not the size that it must have.
        private static func pairs(_ bytes: [UInt8]) -> [(id: UInt16, value: [UInt8])]? {
            var found: [(id: UInt16, value: [UInt8])] = []
            var place = 0
            while !bytes.isEmpty {
                guard let id = NTLMMessages.number(bytes, at: place, UInt16.self),
                    let length = NTLMMessages.number(bytes, at: place + 2, UInt16.self).map(Int.init),
                    length <= bytes.count - place - 4
                else { return nil }
                if id == 0 { return found }
                // The server's flags and its clock have one size; what they say is not guessed from another.
                guard id != 6 || length == 4, id != 7 || length == 8 else { return nil }
                found.append((id, Array(bytes[place + 4..<place + 4 + length])))
                place += 4 + length
            }
            return found
        }

        /// The attributes with the word that the answer's messages are protected as a whole.
        fileprivate var protectedAttributes: [UInt8] {
            let pairs = Self.pairs(attributes) ?? []
            var result: [UInt8] = []
            for pair in pairs where pair.id != 6 {
                result += NTLMMessages.bytes(pair.id) + NTLMMessages.bytes(UInt16(pair.value.count)) + pair.value
            }
            return result + [6, 0, 4, 0] + NTLMMessages.bytes(flags | 2) + [0, 0, 0, 0]
        }
    }

    /// Message 3: who we are, and the proof (MS-NLMP 3.3.2, 3.1.5.1.2).
    ///
    /// - Parameters:
    ///   - nonce: Eight bytes of our own.
    ///   - time: Of our clock, in tenths of microseconds since 1601, for a server that does not say its own.
    /// - Returns: Nil where the system refuses to carry out MD5, or a name is too long.
    package static func authenticate(
        _ user: NTLMUser, _ challenge: ServerMessage, nonce: [UInt8], time: UInt64
    ) -> [UInt8]? {
        let isProtected = challenge.wantsCode
        let attributes = isProtected ? challenge.protectedAttributes : challenge.attributes
        let claim: [UInt8] =
            [1, 1, 0, 0, 0, 0, 0, 0] + bytes(challenge.time ?? time) + nonce + [0, 0, 0, 0] + attributes + [0, 0, 0, 0]
        guard let key = user.key,
            let proof = HashFunction.md5.authenticationCode(key: key, challenge.nonce + claim),
            let short = HashFunction.md5.authenticationCode(key: key, challenge.nonce + nonce),
            let session = HashFunction.md5.authenticationCode(key: key, proof)
        else { return nil }
        // Who knows the server's clock sends no answer of the older form.
        let old = isProtected ? Array(repeating: 0, count: 24) : short + nonce
        let parts = [old, proof + claim, utf16(user.domain), utf16(user.name), [], []]
        guard parts.allSatisfy({ $0.count <= UInt16.max }) else { return nil }
        let header = signature + bytes(UInt32(3))
        var fields: [UInt8] = [], payload: [UInt8] = []
        for part in parts {
            // Behind the header, the fields, the flags, a version and the code of the whole.
            let length = bytes(UInt16(part.count))
            fields += length + length + bytes(UInt32(12 + 48 + 4 + 8 + 16 + payload.count))
            payload += part
        }
        let front = header + fields + bytes(flags) + Array(repeating: 0, count: 8)
        let whole = front + Array(repeating: 0, count: 16) + payload
        guard isProtected else { return whole }
        let code = HashFunction.md5.authenticationCode(key: session, negotiate + challenge.message + whole)
        return code.map { front + $0 + payload }
    }

    static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { bytes($0) } }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    private static func number<Number: FixedWidthInteger>(
        _ bytes: [UInt8], at place: Int, _ type: Number.Type
    ) -> Number? {
        let size = MemoryLayout<Number>.size
        guard place >= 0, place <= bytes.count - size else { return nil }
        return bytes[place..<place + size].reversed().reduce(Number(0)) { ($0 << 8) | Number(truncatingIfNeeded: $1) }
    }
}

/// Whom a credential names to a server of Windows.
package struct NTLMUser: Hashable, Sendable, CustomReflectable {
    let name: String
    /// Empty where the credential names none: the server takes its own then.
    let domain: String
    private let password: String

    /// `DOMAIN\user` names both (BEHAVIOUR 2.A38).
    package init(_ credential: Credential) {
        let parts = credential.user.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(parts.count > 1 ? parts[1] : parts[0])
        domain = parts.count > 1 ? String(parts[0]) : ""
        password = credential.password
    }

    /// What proofs are made with (NTOWFv2).
    var key: [UInt8]? {
        let hash = MD4.hash(NTLMMessages.utf16(password))
        return HashFunction.md5.authenticationCode(key: hash, NTLMMessages.utf16(Self.upperCase(name) + domain))
    }

    /// Letter by letter, as Windows does it: none becomes two.
    private static func upperCase(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let upper = scalar.properties.uppercaseMapping.unicodeScalars
            result.append(upper.count == 1 ? upper.first ?? scalar : scalar)
        }
        return String(result)
    }

    package var customMirror: Mirror { Mirror(self, children: ["name": name, "domain": domain]) }
}
