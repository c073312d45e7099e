import Foundation
import Testing

@testable import Serving

@Suite struct JSONLineTests {
    @Test func `members keep their order, and every text comes back as it was`() throws {
        let text = "a\"b\\c\n\t\u{1}\u{7f}é😀/"
        var line = JSONLine(type: "x")
        line.add("text", text)
        line.add("count", -3)
        line.add("is", true)
        line.add("list", ["1", text])
        #expect(line.line.hasPrefix(#"{"type":"x","text":"a\"b"#) && !line.line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.line.utf8)) as? [String: Any]
        #expect(object?["text"] as? String == text)
        #expect(object?["count"] as? Int == -3 && object?["is"] as? Bool == true)
        #expect(object?["list"] as? [String] == ["1", text])
    }
}
