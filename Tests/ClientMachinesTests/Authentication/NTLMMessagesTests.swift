import Digests
import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct NTLMMessagesTests {
    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8.filter { $0 != 0x20 })
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private static let user = NTLMUser(Credential(user: "Domain\\User", password: "Password"))

    /// Message 2 of MS-NLMP 4.2.4.3, with the attributes of 4.2.4.1.3.
    private static let message = bytes(
        "4e544c4d53535000 02000000 0c000c0038000000 33828ae2 0123456789abcdef 0000000000000000 24002400 44000000"
            + "06007017 0000000f 53006500720076006500720002000c0044006f006d00610069006e0001000c0053006500720076006500"
            + "720000000000")

    // MS-NLMP 4.2.4.1.1
    @Test func `the key is that of the standard's example`() {
        #expect(Self.user.key?.hexadecimal == "0c868a403bfd7a93a3001ef22ef02e3f")
    }

    // MS-NLMP 4.2.4.2
    @Test func `the proofs are those of the standard's example`() throws {
        let challenge = try #require(NTLMMessages.ServerMessage(Self.message))
        let nonce = [UInt8](repeating: 0xAA, count: 8)
        let message = try #require(NTLMMessages.authenticate(Self.user, challenge, nonce: nonce, time: 0))
        #expect(message[88..<112].hexadecimal == "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa")
        #expect(message[112..<128].hexadecimal == "68cd0ab851e51c96aabc927bebef6a1c")
        let claim =
            "0101000000000000 0000000000000000 aaaaaaaaaaaaaaaa 00000000 02000c0044006f006d00610069006e00"
            + "01000c00530065007200760065007200 00000000 00000000"
        #expect(Array(message[128..<128 + Self.bytes(claim).count]) == Self.bytes(claim))
        // Domain and user in UTF-16 follow; nobody signs, so that there is no key.
        #expect(message.suffix(20).hexadecimal == "44006f006d00610069006e005500730065007200")
        #expect(
            message[12..<20].hexadecimal == "1800180058000000" && message[52..<60].hexadecimal.hasPrefix("00000000"))
        #expect(message[72..<88].allSatisfy { $0 == 0 })
    }

    @Test func `message 1 says what we can do, and no name`() {
        #expect(
            NTLMMessages.negotiate.hexadecimal
                == "4e544c4d5353500001000000058208000000000000000000" + "00000000000000000000000000000000")
    }

    // BEHAVIOUR 2.A34
    @Test func `where the server says its clock the messages have a code, and no answer of the old form is sent`()
        throws
    {
        // Message 2 with a clock in front of its attributes.
        var message = Self.message
        message.insert(contentsOf: [7, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8], at: 68)
        message.replaceSubrange(40..<44, with: [0x30, 0, 0x30, 0])
        let challenge = try #require(NTLMMessages.ServerMessage(message))
        #expect(challenge.time == 0x0807_0605_0403_0201)
        let answer = try #require(
            NTLMMessages.authenticate(Self.user, challenge, nonce: Array(repeating: 1, count: 8), time: 99))
        #expect(answer[88..<112].allSatisfy { $0 == 0 } && !answer[72..<88].allSatisfy { $0 == 0 })
        #expect(answer[136..<144].elementsEqual([1, 2, 3, 4, 5, 6, 7, 8]))
    }

    // BEHAVIOUR 2.A34-none
    @Test func `what is no message 2 is none`() {
        for count in 0..<32 { #expect(NTLMMessages.ServerMessage(Array(Self.message.prefix(count))) == nil) }
        // The oldest servers say no more than this.
        #expect(NTLMMessages.ServerMessage(Array(Self.message.prefix(32)))?.attributes == [0, 0, 0, 0])
        for (place, byte) in [(0, 0), (8, 1), (20, 0x32), (40, 0xFF), (44, 0xFF), (47, 0x80)] as [(Int, UInt8)] {
            var damaged = Self.message
            damaged[place] = byte
            #expect(NTLMMessages.ServerMessage(damaged) == nil, "\(place)")
        }
        #expect(NTLMMessages.ServerMessage(Self.message + Array(repeating: 0, count: 8_192)) == nil)
        // A clock of no byte, and flags of two.
        for attribute in [[7, 0, 0, 0], [6, 0, 2, 0, 2, 0]] as [[UInt8]] {
            var message = Self.message
            message.insert(contentsOf: attribute, at: 68)
            message[40] += UInt8(attribute.count)
            message[42] += UInt8(attribute.count)
            #expect(NTLMMessages.ServerMessage(message) == nil)
        }
    }

    // BEHAVIOUR 2.A38
    @Test(arguments: [
        ("ann", "ann", ""), ("OFFICE\\ann", "ann", "OFFICE"), ("a\\b\\c", "b\\c", "a"), ("\\ann", "ann", ""),
        ("ann@office.test", "ann@office.test", ""), ("", "", ""),
    ])
    func `a domain stands before the user`(text: String, name: String, domain: String) {
        let user = NTLMUser(Credential(user: text, password: "p"))
        #expect(user.name == name && user.domain == domain)
    }

    @Test func `a dump shows no password`() {
        var text = ""
        let user = ConnectionUser(Credential(user: "ann", password: "Password"), .ntlm, isOfProxy: false)
        dump((Self.user, user), to: &text)
        #expect(text.contains("User") && !text.contains("Password"))
    }
}
