import Foundation
import Testing

@testable import SessionNetworking

@Suite struct CredentialRecordsTests {
    private func record(_ user: String, _ password: String? = "p", realm: String = "r", isDefault: Bool = false)
        -> CredentialRecord
    {
        CredentialRecord(
            host: "h", port: 80, scheme: "http", proxyType: nil, realm: realm,
            method: NSURLAuthenticationMethodHTTPBasic, user: user, password: password,
            persistence: URLCredential.Persistence.permanent.rawValue, isDefault: isDefault)
    }

    private func records(_ edits: CredentialEdit...) -> CredentialRecords {
        edits.reduce(into: CredentialRecords()) { $0.apply($1) }
    }

    @Test func `a user has one credential in a space, and a space one default`() {
        let all = records(
            .keep(record("ann", isDefault: true)), .keep(record("bob")), .keep(record("ann", "new")),
            .keep(record("bob", realm: "other", isDefault: true)))
        #expect(all.list.map(\.user) == ["bob", "ann", "bob"])
        #expect(all.list.map(\.isDefault) == [false, true, true])
        var changed = all
        changed.apply(.keep(record("bob", isDefault: true)))
        #expect(changed.list.filter { $0.realm == "r" && $0.isDefault }.map(\.user) == ["bob"])
    }

    @Test func `what is written reads back`() {
        let all = records(.keep(record("änn\u{0}\"\\\n", "p\u{1F511}", isDefault: true)), .keep(record("bob", nil)))
        #expect(CredentialRecords(all.bytes) == all)
    }

    @Test func `a removal names a password, or means any`() {
        let all = records(.keep(record("ann")), .keep(record("bob")))
        var changed = all
        changed.apply(.remove(record("ann", "other"), anyPassword: false))
        #expect(changed == all)
        changed.apply(.remove(record("ann", "other"), anyPassword: true))
        changed.apply(.remove(record("bob"), anyPassword: false))
        #expect(changed.list.isEmpty)
    }

    @Test func `there is a bound to everything`() throws {
        var all = CredentialRecords()
        for number in 0..<1_100 { all.apply(.keep(record("\(number)"))) }
        #expect(all.list.count == CredentialRecords.most && all.list.first?.user == "100")
        all.apply(.keep(record("large", String(repeating: "x", count: CredentialRecords.mostOfOne))))
        #expect(all.list.last?.user == "1099")
        for number in 0..<40 {
            all.apply(.keep(record("\(number)", String(repeating: "x", count: 60_000))))
        }
        #expect(all.bytes.count <= CredentialRecords.mostBytes)
        let read = try #require(CredentialRecords(all.bytes))
        #expect(read.list.last?.user == "39" && read.list.count < all.list.count)
    }

    @Test func `no description shows a password`() {
        var text = "\(record("ann", "s3cret-word"))"
        dump(records(.keep(record("ann", "s3cret-word"))), to: &text)
        #expect(text.contains("ann") && !text.contains("s3cret-word"))
    }
}
