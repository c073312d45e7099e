import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct NTLMVerificationTests {
    private static let second = ServerNTLM.message(nonce: 0x0123_4567_89AB_CDEF, target: "Server", hasTime: false)

    /// Message 3 of MS-NLMP 4.2.4.3: user "User" of "Domain", password "Password", from "COMPUTER".
    private static let third = bytes(
        "4e544c4d5353500003000000180018006c00000054005400840000000c000c00480000000800080054000000100010005c000000"
            + "00000000d8000000358288e2" + "060070170000000f" + "44006f006d00610069006e00" + "5500730065007200"
            + "43004f004d0050005500540045005200" + "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa"
            + "68cd0ab851e51c96aabc927bebef6a1c" + "01010000000000000000000000000000aaaaaaaaaaaaaaaa00000000"
            + "02000c0044006f006d00610069006e0001000c005300650072007600650072000000000000000000")

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private func difference(
        _ message: [UInt8]?, user: String = "User", password: String = "Password", domain: String = "Domain",
        behind: NTLMExchange? = NTLMExchange(second: second.bytes ?? [])
    ) -> String? {
        let fields = message.map { [Fields.Field("Authorization", "NTLM " + Base64.encode($0))] } ?? []
        let head = ReceivedHead(method: "GET", target: "/", fields: Fields(fields), ntlm: behind)
        let rule = NTLMRule.proves(BasicCredentials(user: user, password: password), domain: domain)
        return NTLMVerification(rule, head).difference()
    }

    @Test func `the standard's example is proved`() { #expect(difference(Self.third) == nil) }

    @Test func `everything else is told apart`() {
        #expect(difference(nil) == "Authorization: wanted NTLM, got none")
        #expect(difference(Self.third, user: "user")?.contains("another one") == true)
        #expect(difference(Self.third, domain: "DOMAIN")?.contains("another one") == true)
        #expect(difference(Self.third, password: "password")?.contains("a proof") == true)
        #expect(difference(Self.third, behind: nil)?.contains("behind message 2") == true)
        let other = NTLMExchange(second: ServerNTLM.message(nonce: 1, target: "Server", hasTime: false).bytes ?? [])
        #expect(difference(Self.third, behind: other)?.contains("a proof") == true)
        #expect(difference(Array("no message".utf8))?.contains("something else") == true)
    }

    @Test func `no byte of a message makes it trap`() {
        for place in Self.third.indices {
            for byte in [0, 0x7F, 0xFF] as [UInt8] {
                var damaged = Self.third
                damaged[place] = byte
                _ = difference(damaged)
            }
            _ = difference(Array(Self.third.prefix(place)))
        }
    }

    // MS-NLMP 2.2.1.2
    @Test func `message 2 says what it must`() throws {
        let message = try #require(Self.second.bytes)
        #expect(message.starts(with: Array("NTLMSSP\0".utf8) + [2, 0, 0, 0, 12, 0, 12, 0, 56, 0, 0, 0]))
        #expect(message[24..<32].elementsEqual([0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]))
        #expect(ServerNTLM.offer.text == "NTLM" && ServerNTLM.token("x").text == "NTLM x")
    }
}
