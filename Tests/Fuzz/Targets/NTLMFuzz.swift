import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript

/// Messages of NTLM: a line with a user, one with a password, then bytes. As message 2 the client answers them, and the
/// server, which shares no code with it, proves the answer. As message 1 or 3 the server reads them.
enum NTLMFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let parts = bytes.readableBytesView.split(
            separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return }
        let user = String(decoding: parts[0], as: UTF8.self), message = Array(parts[2])
        let credential = Credential(user: user, password: String(decoding: parts[1], as: UTF8.self))
        for rule in [NTLMRule.begins, .proves(BasicCredentials(user: user, password: ""), domain: "")] {
            _ = NTLMVerification(rule, head(message, NTLMExchange(second: message))).difference()
        }
        guard let challenge = NTLMMessages.ServerMessage(message) else { return }
        let answer = NTLMMessages.authenticate(
            NTLMUser(credential), challenge, nonce: [1, 2, 3, 4, 5, 6, 7, 8], time: 1)
        guard let answer else { return }
        let names = user.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rule = NTLMRule.proves(
            BasicCredentials(user: names.last ?? "", password: credential.password),
            domain: names.count > 1 ? names[0] : "")
        let exchange = NTLMExchange(first: NTLMMessages.negotiate, second: message)
        try demand(NTLMVerification(rule, head(answer, exchange)).difference(), equals: nil, "the server's verdict")
        let other = NTLMExchange(first: NTLMMessages.negotiate, second: message.map { $0 ^ 1 })
        try demand(
            NTLMVerification(rule, head(answer, other)).difference() != nil, "the proof is good for another message")
    }

    private static func head(_ message: [UInt8], _ exchange: NTLMExchange) -> ReceivedHead {
        ReceivedHead(
            method: "GET", target: "/",
            fields: Fields([Fields.Field("Authorization", "NTLM " + Base64.encode(message))]), ntlm: exchange)
    }
}
