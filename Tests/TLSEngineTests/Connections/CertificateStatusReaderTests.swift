import TLSBasics
import Testing

@testable import TLSEngine

@Suite struct CertificateStatusReaderTests {
    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type, UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xFF), UInt8(body.count & 0xFF)] + body
    }

    /// In records of at most so many bytes.
    private static func records(_ bytes: [UInt8], _ most: Int = 16_384, type: UInt8 = 22) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: most).flatMap { start in
            let piece = bytes[start..<min(bytes.count, start + most)]
            return [type, 3, 3, UInt8(piece.count >> 8), UInt8(piece.count & 0xFF)] + piece
        }
    }

    private static func status(_ response: [UInt8], kind: UInt8 = 1) -> [UInt8] {
        let count = [UInt8(response.count >> 16), UInt8(response.count >> 8 & 0xFF), UInt8(response.count & 0xFF)]
        return message(22, [kind] + count + response)
    }

    private static let hello = message(2, [1, 2, 3])
    private static let certificate = message(11, Array(repeating: 22, count: 300))
    private static let done = message(14, [])
    private static let response: [UInt8] = [9, 8, 7]

    private static func read(_ bytes: [UInt8], pieces: Int = .max) -> CertificateStatusReader {
        var reader = CertificateStatusReader()
        for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
            reader.read(bytes[start..<min(bytes.count, start + min(pieces, bytes.count))])
        }
        return reader
    }

    @Test(arguments: [1, 3, 100, 16_384], [1, 7, Int.max])
    func theResponseIsFoundHoweverItIsCut(record: Int, pieces: Int) {
        let flight = Self.hello + Self.certificate + Self.status(Self.response) + Self.done
        let reader = Self.read(Self.records(flight, record), pieces: pieces)
        #expect(reader.isDone)
        #expect(reader.response == Self.response)
    }

    @Test func nothingIsKnownBeforeItsLastByte() {
        let flight = Self.records(Self.hello + Self.certificate + Self.status(Self.response))
        for count in 1..<flight.count { #expect(!Self.read(Array(flight.prefix(count))).isDone) }
        var reader = Self.read(Array(flight.dropLast()))
        reader.end()
        #expect(reader.isDone)
        #expect(reader.response == nil)
    }

    @Test(arguments: [
        // Another message behind the certificate; another kind of response; an empty one, a broken one.
        records(hello + certificate + done), records(hello + certificate + status(response, kind: 2)),
        records(hello + certificate + status([])), records(hello + certificate + message(22, [1])),
        records(hello + certificate + message(22, [])),
        // Not behind the certificate.
        records(hello + status(response) + certificate), records(hello + certificate + done + status(response)),
        // An alert; TLS 1.3, in which all else is encrypted; no TLS.
        records(hello + certificate) + records([2, 40], type: 21), records(hello) + records([1], type: 20),
        records(hello) + records(status(response), type: 23), Array("HTTP/1.1 400 Bad Request".utf8),
    ])
    func otherwiseThereIsNone(bytes: [UInt8]) {
        for pieces in [1, Int.max] {
            let reader = Self.read(bytes, pieces: pieces)
            #expect(reader.isDone)
            #expect(reader.response == nil)
        }
    }

    @Test func neitherLongOnesNorRecordsWithoutEndAreWaitedFor() {
        let most = PeerCertificates.longestResponse
        let longest = [UInt8](repeating: 5, count: most)
        let first = Self.hello + Self.certificate
        #expect(Self.read(Self.records(first + Self.status(longest))).response == longest)
        let reader = Self.read(Self.records(first + Self.status(longest + [5]).prefix(4)))
        #expect(reader.isDone)
        #expect(reader.response == nil)
        let empty = Array([[UInt8]](repeating: [22, 3, 3, 0, 0], count: 10_000).joined())
        #expect(Self.read(Self.records(first) + empty).isDone)
    }
}
