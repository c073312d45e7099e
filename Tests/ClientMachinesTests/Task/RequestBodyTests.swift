import HTTPBasics
import NIOCore
import Testing

@testable import ClientMachines

@Suite struct RequestBodyTests {
    private static func request(_ body: RequestBody?, length: String? = nil) -> ClientRequest {
        var request = ClientRequest(method: "PUT", url: TaskBuilder.url)
        request.body = body
        if let length { request.fields.set("Content-Length", length) }
        return request
    }

    // BEHAVIOUR 1.I1-stream
    @Test(
        arguments: [
            (request(nil), 0), (request(.bytes(ByteBuffer())), 0), (request(.bytes(ByteBuffer(string: "abc"))), 3),
            (request(.stream(.first)), nil), (request(.stream(.first), length: "7"), 7),
            (request(.stream(.first), length: "x"), nil),
            (request(.file(BodyFile(path: "/f"))), nil),
            (request(.file(BodyFile(path: "/f", version: FileVersion(size: 10, modified: 1)), from: 4)), 6),
            (request(.composed(ComposedBody([.file(BodyFile(path: "/f"), 3..<10)]))), 7),
        ] as [(ClientRequest, DeclaredLength?)])
    func `the length of a body is known unless it is an open-ended stream or a file of any version`(
        request: ClientRequest, length: DeclaredLength?
    ) {
        #expect(request.bodyLength == length)
    }
}
