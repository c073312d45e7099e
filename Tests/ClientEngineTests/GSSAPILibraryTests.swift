import Testing

@testable import ClientEngine

@Suite struct GSSAPILibraryTests {
    /// BEHAVIOUR 2.A37-name
    @Test(arguments: ["a/b", "a@B.TEST", "a\\", "", ".", "a b", "a\u{0}b"])
    func `what a name of Kerberos would read as more than a host is none`(host: String) {
        #expect(GSSAPILibrary.system?.service(of: host) == nil)
    }
}
