import Testing

@testable import Harness

@Suite struct ProgressLineTests {
    private func drawn(
        columns: Int, _ done: Int, of planned: Int, failures: Int = 0, name: String = "redirect/loop"
    ) -> String {
        var text = ""
        let line = ProgressLine(colors: .none, columns: { columns }) { text += $0 }
        line.show(done, of: planned, failures: failures, name: name)
        #expect(text.hasPrefix("\r\u{1B}[2K"))
        return String(text.dropFirst(5))
    }

    @Test func `it has a bar, counts and a name`() {
        #expect(drawn(columns: 80, 1, of: 2) == "━━━━━━━━━━────────── 1/2  redirect/loop")
        #expect(drawn(columns: 80, 2, of: 2, failures: 1) == "━━━━━━━━━━━━━━━━━━━━ 2/2  1 failed  redirect/loop")
    }

    @Test(arguments: 1...90) func `it never fills the terminal's line, so that it never wraps`(columns: Int) {
        let name = "redirect/" + String(repeating: "long-", count: 12) + "end"
        let text = drawn(columns: columns, 123, of: 8595, failures: 17, name: name)
        #expect(text.count < columns)
        #expect("123/8595".hasPrefix(text) || text.contains("123/8595"))
        if columns == 80 { #expect(text.hasSuffix("-long-long-end")) }
    }

    @Test func `it is drawn again in the same place, and not too often`() {
        var writes: [String] = []
        let line = ProgressLine(colors: .none, columns: { 80 }) { writes.append($0) }
        for done in 1...1000 { line.show(done, of: 1000, name: "a") }
        #expect(writes.count < 1000)
        #expect(writes.allSatisfy { $0.hasPrefix("\r\u{1B}[2K") && !$0.contains("\n") })
        #expect(writes.last?.contains("1000/1000") == true)
    }

    @Test func `it is cleared once`() {
        var writes: [String] = []
        let line = ProgressLine(colors: .none, columns: { 80 }) { writes.append($0) }
        line.clear()
        #expect(writes.isEmpty)
        line.show(1, of: 2, name: "a")
        line.clear()
        line.clear()
        #expect(writes.count == 2 && writes.last == "\r\u{1B}[2K")
    }
}
