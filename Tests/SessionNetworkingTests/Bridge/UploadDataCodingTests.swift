import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 1.I6-data, 1.I6-resume
@Suite struct UploadDataCodingTests {
    private static func token(path: String?) -> UploadToken {
        UploadToken(
            method: "PUT", url: Sample.reference, fields: Fields([Fields.Field("X-A", "b")]), version: .five,
            location: URLReference(scheme: "http", host: "example.com", path: "/u/1"), length: 20, sent: 7,
            file: path.map { BodyFile(path: $0, version: FileVersion(size: 20, modified: 1_700_000_000_123_456_789)) })
    }

    @Test(arguments: [nil, "/nowhere/at/all"]) func `a token comes back as it was`(path: String?) throws {
        let data = try #require(UploadDataCoding.encode(Self.token(path: path)))
        #expect(UploadDataCoding.decode(data) == Self.token(path: path))
    }

    // BEHAVIOUR 1.C3-additional
    @Test func `a token knows where the first request went`() throws {
        var token = Self.token(path: nil)
        token.home = URLReference("http://[::1]:8080")?.origin
        #expect(UploadDataCoding.decode(try #require(UploadDataCoding.encode(token))) == token)
    }

    @Test func `what is no upload's is refused`() throws {
        let upload = try #require(UploadDataCoding.encode(Self.token(path: nil)))
        let download = try #require(ResumeDataCoding.encode(Sample.token))
        #expect(UploadDataCoding.decode(download) == nil)
        #expect(ResumeDataCoding.decode(upload) == nil)
        #expect(UploadDataCoding.decode(Data()) == nil)
        #expect(UploadDataCoding.decode(Data("bplist00".utf8)) == nil)
        for index in stride(from: 8, to: upload.count, by: 7) {
            var damaged = upload
            damaged[index] ^= 0x55
            let decoded = UploadDataCoding.decode(damaged)
            #expect(decoded == nil || decoded == Self.token(path: nil))
        }
    }

    @Test func `a token that could not be sent is refused`() throws {
        var token = Self.token(path: nil)
        token.fields = Fields([Fields.Field("X-A", "b\r\nX-B: c")])
        #expect(try UploadDataCoding.decode(#require(UploadDataCoding.encode(token))) == nil)
        (token.fields, token.sent) = (Fields(), .max)
        #expect(try UploadDataCoding.decode(#require(UploadDataCoding.encode(token))) == nil)
        token.sent = -1
        #expect(UploadDataCoding.encode(token) == nil)
        #expect(try UploadDataCoding.decode(#require(UploadDataCoding.encode(Self.token(path: "relative")))) == nil)
    }

    /// As a library wrote them that compared lengths alone.
    @Test func `a file without its version is refused`() throws {
        var token = Self.token(path: nil)
        token.file = BodyFile(path: "/nowhere/at/all")
        #expect(try UploadDataCoding.decode(#require(UploadDataCoding.encode(token))) == nil)
    }

    @Test func `data that is no upload's makes a task that fails`() {
        let world = FakeWorld()
        world.makeSession().uploadTask(withResumeData: Data("garbage".utf8)).resume()
        #expect(world.engine.takePlans().map(\.refusal) == [.unsupportedURL])
    }
}
