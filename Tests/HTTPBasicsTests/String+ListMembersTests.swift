import Testing

@testable import HTTPBasics

@Suite struct ListMembersTests {
    @Test(arguments: [
        ("", []), (",, ,", [" "]), ("a", ["a"]), ("gzip, br", ["gzip", " br"]), ("a,,b,", ["a", "b"]),
        ("é,ü", ["é", "ü"]),
    ])
    func `members stand between commas`(list: String, members: [Substring]) {
        #expect(list.listMembers == members)
    }

    // BEHAVIOUR 2.F21-list
    @Test(arguments: [(17, "17"), (18, "17,18"), (19, "17,18,19")])
    func `what stands behind the first sixteen commas is one member`(count: Int, last: Substring) {
        let list = (1...count).map(String.init).joined(separator: ",")
        #expect(list.listMembers == (1...16).map { Substring(String($0)) } + [last])
    }
}
