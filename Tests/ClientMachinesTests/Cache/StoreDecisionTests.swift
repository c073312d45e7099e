import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct StoreDecisionTests {
    private func isKept(
        _ status: Int = 200, _ control: String? = nil, method: String = "GET", sent: (String, String)...
    ) -> Bool {
        let fields = FieldBlock(Fields(control.map { [.init("Cache-Control", $0)] } ?? []))
        let sent = Fields(sent.map { Fields.Field($0, $1) })
        return StoreDecision.decide(method, sent: sent, status: status, fields: fields) == .keep
    }

    @Test func `what a GET got is kept unless somebody forbids it`() {
        #expect(isKept() && isKept(200, "private") && isKept(200, "no-cache") && isKept(200, "max-age=0"))
        #expect(isKept(200, nil, sent: ("Authorization", "Basic x")))
        #expect(!isKept(200, "no-store") && !isKept(200, nil, sent: ("Cache-Control", "no-store")))
        for method in ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get"] { #expect(!isKept(method: method)) }
    }

    @Test func `what may not be kept ends what is, unless its server is in trouble`() {
        func ends(_ status: Int, _ control: String, sent: String? = nil) -> Bool {
            StoreDecision.decide(
                "GET", sent: Fields(sent.map { [.init($0, "x")] } ?? []), status: status,
                fields: FieldBlock(Fields([.init("Cache-Control", control)]))) == .outdate
        }
        #expect(ends(200, "no-store") && ends(302, "max-age=1, no-store") && ends(404, "no-store"))
        #expect(!ends(200, "private") && !ends(500, "no-store") && !ends(401, "no-store") && !ends(304, "no-store"))
        #expect(!ends(200, "no-store", sent: "Range") && !ends(200, "no-store", sent: "If-None-Match"))
    }

    @Test func `must-understand replaces no-store where the status is understood`() {
        #expect(isKept(200, "no-store, must-understand") && !isKept(299, "no-store, must-understand, public"))
        #expect(!isKept(299, "must-understand, max-age=1") && isKept(299, "max-age=1"))
    }

    @Test(
        "Statuses that say nothing of a cache are kept when the server does",
        arguments: [
            (202, false), (299, false), (301, true), (308, true), (404, true), (410, true), (302, false), (403, false),
            (500, false),
        ])
    func statuses(status: Int, isKept: Bool) {
        #expect(self.isKept(status) == isKept)
        #expect(["max-age=1", "public", "private=\"x\""].allSatisfy { self.isKept(status, $0) })
    }

    @Test func `a part is not kept, nor is the answer to a condition of the caller's`() {
        #expect(!isKept(206, "max-age=1") && !isKept(304, "max-age=1") && !isKept(100, "max-age=1"))
        #expect(!isKept(200, nil, sent: ("Range", "bytes=0-")))
        for name in ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"] {
            #expect(!isKept(200, nil, sent: (name, "x")))
        }
    }
}
