import ClientMachines
import Foundation
import Glibc
import HTTPBasics
import NIOCore
import Testing

@testable import SessionNetworking

@Suite struct RequestBodyDataTests {
    /// Zeros that take no memory until they are written to; nil where the system gives no such place.
    private static func zeros(_ count: Int) -> Data? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let place = mmap(nil, count, PROT_READ, Int32(flags), -1, 0), place != MAP_FAILED else { return nil }
        return Data(bytesNoCopy: place, count: count, deallocator: .unmap)
    }

    // BEHAVIOUR 1.I1-large
    @Test(arguments: [16 << 20, 5 << 30]) func `a large body is not copied, and sent to its last byte`(
        count: Int
    ) throws {
        let data = try #require(Self.zeros(count))
        guard case .composed(let body) = RequestBody(data) else { throw URLError(.unknown) }
        #expect(body.length == Int64(count))
        var place = BodyCursor(body.dropFirst(Int64(count) - 3))
        guard case .memory(let memory, let range)? = place.stretch else { throw URLError(.unknown) }
        #expect(memory.bytes.copy(range) == ByteBuffer(repeating: 0, count: 3))
        place.advance(by: 3)
        #expect(place.stretch == nil)
    }

    @Test func `a body below the bound is a buffer`() {
        #expect(RequestBody(Data("abc".utf8)) == .bytes(ByteBuffer(string: "abc")))
        #expect(RequestBody(Data()) == .bytes(ByteBuffer()))
    }

    // BEHAVIOUR 1.I1-large
    @Test func `a request with 5 GiB comes back as its caller gave it`() throws {
        let data = try #require(Self.zeros(5 << 30))
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "POST"
        request.httpBody = data
        let (client, refusal) = RequestBridge.clientRequest(request)
        #expect(refusal == nil)
        #expect(client.bodyLength == 5_368_709_120)
        let again = RequestBridge.urlRequest(client, basedOn: request)
        #expect(again.httpBody?.count == data.count)
        #expect(again.httpBodyStream == nil)
        let task = FakeWorld().makeSession().uploadTask(with: request, from: data)
        #expect(task.countOfBytesExpectedToSend == 5 << 30)
    }
}
