import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct ResponseTests {
    private static func response(status: Int = 200, path: String = "/a", length: Int64 = 3) -> Response {
        let url = URLReference(scheme: "http", host: "h", path: path)
        return Response(head: ResponseHead(status: status, Fields()), url: url, expectedLength: DeclaredLength(length))
    }

    @Test func `responses are equal by what they say`() {
        let response = Self.response()
        #expect(response == response)
        #expect(response == Self.response())
        #expect(response != Self.response(status: 201))
        #expect(response != Self.response(path: "/b"))
        #expect(response != Self.response(length: 4))
    }
}
