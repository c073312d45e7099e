import Testing

@testable import Judge

@Suite("Expected against got")
struct DiffTextTests {
    @Test("Two aligned lists with a mark at the first difference")
    func aligned() {
        let lines = DiffText.lines(expected: ["response", "complete: ok"], got: ["response", "data"], markAt: 1)
        #expect(
            lines == [
                "    expected     | got",
                "    response     | response",
                "  > complete: ok | data",
            ])
    }

    @Test("What is missing is marked behind the last event")
    func missing() {
        #expect(DiffText.lines(expected: ["a"], got: [], markAt: 0).last == "  > a        | (nothing more)")
        #expect(DiffText.lines(expected: [], got: [], markAt: 0).last == "  >          | (nothing more)")
    }
}
