import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.C22-suffix
@Suite struct PublicSuffixesTests {
    @Test(arguments: [
        ("com", true), ("example.com", false), ("co.uk", true), ("example.co.uk", false), ("co.com", false),
        ("uk", true), ("ac.at", true), ("a.at", false),
    ])
    func `what belongs to no one alone`(domain: String, isPublic: Bool) {
        #expect(UsualSuffixes().isPublic(domain) == isPublic)
    }

    @Test(arguments: [("co.uk.", true), ("uk..", true), ("example.co.uk.", false), (".", true), ("com", true)])
    func `dots behind it change nothing`(domain: Substring, isPublic: Bool) {
        #expect(UsualSuffixes().isPublicSuffix(domain) == isPublic)
    }

    // BEHAVIOUR 2.C2
    @Test(arguments: [
        ("www.example.com", "example.com"), ("example.com", "example.com"), ("a.b.co.uk", "b.co.uk"),
        ("co.uk", "co.uk"), ("a.b.co.uk.", "b.co.uk."),
        ("localhost", "localhost"), ("1.2.3.4", "1.2.3.4"),
    ])
    func `a site is the shortest name that belongs to somebody`(host: String, site: Substring) {
        #expect(UsualSuffixes().site(of: host) == site)
    }
}
