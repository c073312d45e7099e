import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct RefusedAnswerTests {
    @Test(arguments: ["GET", "HEAD"])
    func `it says why, and how long that is; HEAD gets the head alone`(method: String) {
        let head = ReceivedHead(method: method, target: "/a", fields: Fields([.init("Host", "a.test")]))
        let refusal = RefusedAnswer(Violation("why"), of: head, status: 404, isShared: false)
        let text = String(buffer: refusal.bytes(date: UnixTime(seconds: 0)))
        #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/"))
        #expect(text.contains("\r\nConnection: close\r\n\r\n"))
        #expect(text.contains("why") == (method == "GET"))
    }
}
