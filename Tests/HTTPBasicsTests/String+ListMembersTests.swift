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
    @Test func `what follows the first sixteen is one member`() {
        let list = (1...18).map(String.init).joined(separator: ",")
        #expect(list.listMembers == (1...16).map { Substring(String($0)) } + ["17,18"])
    }
}
