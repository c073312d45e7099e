import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct StoredResponseTests {
    @Test func `two are the same if all is the same that was received`() {
        let one = response(), other = response()
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(Set([one, response(404), response(value: "b"), response(asked: 2), response(received: 4)]).count == 5)
        var secure = one, varied = one
        secure.isProtected = true
        varied.variant = Variant(values: ["a": "b"])
        #expect(Set([one, secure, varied]).count == 3)
    }

    private func response(
        _ status: Int = 200, value: String = "a", asked: Int64 = 1, received: Int64 = 3
    ) -> StoredResponse {
        StoredResponse(
            status: status, fields: Fields([Fields.Field("ETag", value)]), asked: UnixTime(seconds: asked),
            received: UnixTime(seconds: received))
    }
}
