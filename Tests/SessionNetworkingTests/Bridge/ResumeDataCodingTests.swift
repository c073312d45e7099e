import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

@Suite struct ResumeDataCodingTests {
    private func token(
        url: String = "http://amy:pw@h:81/a?b", offset: Int64 = 1 << 40, validator: String = "\"tag\"",
        path: String = "/tmp/understudy-download-7f.tmp", total: DeclaredLength? = nil,
        fields: [(String, String)] = [("B", "1"), ("A", "ü"), ("C", "a\u{11}\u{7F}b")]
    ) throws -> ResumeToken {
        ResumeToken(
            url: try #require(URLReference(url)), fields: Fields(fields.map { Fields.Field($0.0, $0.1) }),
            offset: offset, validator: validator, path: path, total: total)
    }

    // BEHAVIOUR 1.F3
    @Test func `a token survives`() throws {
        let token = try token()
        let data = try #require(ResumeDataCoding.encode(token))
        #expect(ResumeDataCoding.decode(data) == token)
        #expect(ResumeDataCoding.encode(token) == data)
    }

    // BEHAVIOUR 1.C3-additional
    @Test(arguments: [
        ("https://first:444", "https://first:444"), ("http://H:81", nil), ("app://first", "app://first:0"),
        ("app:first", "app://:0"),
    ])
    func `a token knows where the first request went, if it was elsewhere`(first: String, kept: String?) throws {
        var token = try token()
        token = ResumeToken(
            url: token.url, fields: token.fields, offset: token.offset, validator: token.validator, path: token.path,
            total: token.total, home: URLReference(first)?.nominalOrigin)
        let decoded = try #require(ResumeDataCoding.encode(token).flatMap(ResumeDataCoding.decode))
        #expect(decoded == token)
        #expect(decoded.home?.description == kept)
    }

    // BEHAVIOUR 1.F3, 1.F3-invalid
    @Test func `data of others is refused`() throws {
        let foreign = ["NSURLSessionDownloadURL": "http://h/", "NSURLSessionResumeInfoVersion": 2] as [String: Any]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: foreign, format: format, options: 0)
            #expect(ResumeDataCoding.decode(data) == nil)
        }
        #expect(ResumeDataCoding.decode(Data()) == nil)
        #expect(ResumeDataCoding.decode(Data("bplist00".utf8)) == nil)
        #expect(ResumeDataCoding.decode(Data("bplist00".utf8) + Data(repeating: 255, count: 64)) == nil)
        #expect(ResumeDataCoding.decode(Data(repeating: 0, count: 2 << 20)) == nil)
    }

    // BEHAVIOUR 1.F3-invalid
    @Test func `an envelope around another form of list is refused, unread`() throws {
        #expect(ResumeDataCoding.seal(inner: Data()).flatMap(ResumeDataCoding.decode) == nil)
        let sealed = try #require(try ResumeDataCoding.encode(token()))
        let envelope = try PropertyListSerialization.propertyList(from: sealed, format: nil) as? [String: Any]
        let inner = try #require(envelope?["token"] as? Data)
        #expect(ResumeDataCoding.seal(inner: inner) == sealed)
        let list = try PropertyListSerialization.propertyList(from: inner, format: nil)
        let xml = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        #expect(ResumeDataCoding.seal(inner: xml).flatMap(ResumeDataCoding.decode) == nil)
    }

    @Test func `every shortened form is refused`() throws {
        let data = try #require(ResumeDataCoding.encode(try token()))
        for count in 0..<data.count { #expect(ResumeDataCoding.decode(data.prefix(count)) == nil) }
    }

    // BEHAVIOUR 1.F3
    @Test(arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func `no damaged byte gives another token`(mask: UInt8) throws {
        let token = try token()
        let data = try #require(ResumeDataCoding.encode(token))
        for index in data.indices {
            var damaged = data
            damaged[index] ^= mask
            let read = ResumeDataCoding.decode(damaged)
            #expect(read == nil || read == token)
        }
    }

    @Test func `tokens that nobody can continue are refused`() throws {
        let bad = [
            try token(url: "relative"), try token(offset: 0), try token(offset: .max), try token(validator: ""),
            try token(validator: "a\r\nb"), try token(path: "relative"), try token(path: ""),
            try token(path: "/a\u{0}b"), try token(path: "/etc/passwd"),
            try token(path: "/tmp/understudy-download-.tmp"), try token(path: "/tmp/understudy-download-7f.tmp/../a"),
            try token(path: "understudy-download-7f.tmp"), try token(fields: [("A", "x\r\ny")]),
            try token(fields: [("", "x")]),
        ]
        for token in bad {
            let data = try #require(ResumeDataCoding.encode(token))
            #expect(ResumeDataCoding.decode(data) == nil, "\(token)")
        }
    }

    @Test func `a negative offset is not written`() throws {
        #expect(ResumeDataCoding.encode(try token(offset: -1)) == nil)
    }

    @Test func `a token too large to be honest is not written`() throws {
        let token = try token(fields: [("A", String(repeating: "x", count: 2 << 20))])
        #expect(ResumeDataCoding.encode(token) == nil)
    }
}
