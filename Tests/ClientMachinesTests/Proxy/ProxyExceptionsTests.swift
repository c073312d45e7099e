import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.E2
@Suite struct ProxyExceptionsTests {
    private static func covers(_ patterns: [String], _ host: String, port: Int = 80, _ style: ProxyExceptions.Dialect)
        -> Bool
    {
        ProxyExceptions(patterns, style).cover(Origin(scheme: "http", host: host, port: port))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false), ("10/8", "10.1.2.3", true),
        ("169.254/16", "169.254.0.9", true), ("10.1.2.128/25", "10.1.2.129", true),
        ("10.1.2.128/25", "10.1.2.127", false), ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3/32", "10.1.2.4", false),
        ("0.0.0.0/0", "9.9.9.9", true), ("10.0.0.0/33", "10.0.0.1", false), ("10.0.0.0/8", "a.test", false),
        ("fe80::/10", "fe80::1", true), ("fe80::/10", "fe80::1%eth0", true), ("fe80::/10", "fec0::1", false),
        ("::ffff:1.2.3.4", "::ffff:102:304", true), ("[2001:db8::1]", "2001:db8::1", true),
        ("[2001:db8::1]:80", "2001:db8::1", true), ("[2001:db8::1]:81", "2001:db8::1", false),
        ("10.1.2.3:81", "10.1.2.3", false), ("a.test:80", "a.test", true), ("a.test:0", "a.test", false),
        ("a.test.", "a.test", true), ("a.test", "a.test.", true), ("a*", "abc", true), ("a*c", "abc", true),
        ("ab*bc", "abc", false), ("", "a.test", false), (".", "a.test", false), ("*.*", "a.test", true),
        ("*.*", "a.b.test", false), ("a..test", "a.b.test", true),
    ])
    func `a list has names, labels, addresses and networks`(pattern: String, host: String, isCovered: Bool) {
        #expect(Self.covers([pattern], host, .list) == isCovered)
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "localhost.", "127.1", "0x7f.0.0.1",
        "2130706433",
        "0177.1", "::ffff:127.0.0.1", "::FFFF:7f00:1",
    ])
    func `this machine is asked directly, unless the list says otherwise`(host: String) {
        #expect(Self.covers([], host, .list) && Self.covers([], host, .environment))
        #expect(!Self.covers(["<-loopback>"], host, .list) && !Self.covers(["<-Loopback>"], host, .environment))
    }

    @Test(arguments: [
        ("test", "a.test", true), (".test", "a.test", true), ("a.test", "b.a.test", true), ("a.test", "ba.test", false),
        ("*", "x", true), ("10.0.0.0/8", "10.0.0.1", true), ("a.test:81", "a.test", false),
    ])
    func `a variable's entries are ends of names`(pattern: String, host: String, isCovered: Bool) {
        #expect(Self.covers([pattern], host, .environment) == isCovered)
    }

    @Test func `names without a dot count if they are to, and a list has a bound`() {
        var exceptions = ProxyExceptions()
        #expect(!exceptions.cover(Origin(scheme: "http", host: "intranet", port: 80)))
        exceptions.includesSimpleNames = true
        #expect(exceptions.cover(Origin(scheme: "http", host: "intranet", port: 80)))
        #expect(!exceptions.cover(Origin(scheme: "http", host: "a.test", port: 80)))
        #expect(!exceptions.cover(Origin(scheme: "http", host: "2001:db8::1", port: 80)))
        let many = (0..<2000).map { "h\($0).test" }
        #expect(Self.covers(many, "h9.test", .list) && !Self.covers(many, "h1999.test", .list))
    }
}
