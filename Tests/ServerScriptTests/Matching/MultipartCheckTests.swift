import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct MultipartCheckTests {
    private func differences(_ part: MultipartRule.Part, content: String) -> [String] {
        let match = RequestMatch(multipart: MultipartRule(parts: [part]))
        let fields = Fields([.init("Content-Type", "multipart/form-data; boundary=cut")])
        let store = ContentStore()
        var checks = BodyCheck.all(
            for: match, head: ReceivedHead(method: "POST", target: "/", fields: fields), store: store)
        let body = "--cut\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(content)\r\n--cut--\r\n"
        return checks.indices.flatMap { index in
            for byte in body.utf8 { checks[index].take(ByteBuffer(bytes: [byte])) }
            return checks[index].finish()
        }
    }

    @Test func `a part may be demanded by size and digest`() {
        let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        let part = MultipartRule.Part(name: "a", size: 5, sha256: digest)
        #expect(differences(part, content: "hello").isEmpty)
        #expect(differences(part, content: "hallo").count == 1)
        let all = differences(part, content: "hello!")
        #expect(all.first == "multipart: part 1: wanted 5 bytes, got 6")
        #expect(all.last?.hasPrefix("multipart: part 1 SHA-256: wanted \"\(digest)\", got ") == true)
    }
}
