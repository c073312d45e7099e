import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

@Suite struct KeptHeadTests {
    private static func head() -> KeptHead {
        let variant: [String: String?] = ["accept-language": "de", "x-none": nil, "x-empty": ""]
        var record = StoredResponse(
            status: 203, fields: Fields([.init("ETag", "\"é\""), .init("X-Two", ""), .init("x-two", "b")]),
            asked: UnixTime(seconds: -1), received: UnixTime(seconds: .max),
            variant: Variant(values: variant))
        record.isProtected = true
        return KeptHead(record, url: "https://a.test/x?y=ü")
    }

    @Test func `what was written is read again`() {
        #expect(KeptHead(Self.head().bytes) == Self.head())
        let time = UnixTime(seconds: 0)
        let plain = KeptHead(StoredResponse(status: 0, fields: Fields(), asked: time, received: time), url: "")
        #expect(KeptHead(plain.bytes) == plain)
    }

    @Test func `what is cut, longer, or of another version is none`() {
        let bytes = Self.head().bytes
        for count in 0..<bytes.count { #expect(KeptHead(Array(bytes[..<count])) == nil, "\(count) bytes") }
        #expect(KeptHead(bytes + [0]) == nil)
        #expect(KeptHead([2] + bytes.dropFirst()) == nil)
    }

    @Test func `lengths that lie end where the bytes do`() {
        var bytes = Self.head().bytes
        for place in bytes.indices {
            let byte = bytes[place]
            bytes[place] = 0xFF
            _ = KeptHead(bytes)
            bytes[place] = byte
        }
        #expect(KeptHead(bytes) == Self.head())
    }

    @Test func `a secret that an answer varies by is not written`() {
        var record = Self.head().record
        let named = URL(string: "https://me:secret@a.test/x?y=1")
        #expect(KeptHead(writing: record, url: named)?.url == "https://a.test/x?y=1")
        let url = URL(string: "http://a.test/")
        #expect(KeptHead(writing: record, url: url) != nil)
        #expect(KeptHead(writing: record, url: nil) == nil)
        for name in ["authorization", "cookie", "x-api-key"] {
            record.variant = Variant(values: [name: String?.none])
            #expect(KeptHead(writing: record, url: url) == nil)
        }
    }
}
