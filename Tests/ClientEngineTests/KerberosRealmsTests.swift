import RuntimeLibraries
import Testing

@testable import ClientEngine

@Suite struct KerberosRealmsTests {
    /// With or without Kerberos on this machine.
    @Test func `a host has a realm, or none is said`() {
        let realms = RuntimeLibrary("libgssapi_krb5.so.2").flatMap { KerberosRealms($0) }
        for host in ["a.invalid", "", "127.0.0.1", "::1", String(repeating: "a", count: 5_000)] {
            #expect((realms?.realm(of: host) ?? "").utf8.count < 5_000)
        }
    }

    @Test func `another library has none of this`() throws {
        #expect(KerberosRealms(try #require(RuntimeLibrary("libc.so.6"))) == nil)
    }
}
