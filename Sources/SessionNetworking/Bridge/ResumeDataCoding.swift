#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Resume tokens as the opaque data that callers keep, possibly on disk and into another process (BEHAVIOUR 1.F3).
///
/// A binary property list in a binary property list: the outer one says whose and which version, and holds a checksum
/// over the inner one. The checksum finds damage, not malice.
package enum ResumeDataCoding {
    private static let version = 1
    /// Far above any token, far below what would hurt to parse.
    private static let byteLimit = 1 << 20
    /// No partial file is larger: sums with what is added to it fit.
    static let largestFile: Int64 = 1 << 62
    private static let magic = Array("bplist00".utf8)

    private struct Envelope: Codable {
        var understudyResumeData: Int
        var checksum: String
        var token: Data
    }

    private struct Content: Codable {
        var url: String
        var fields: [ArchivedField]
        var offset: DeclaredLength
        var validator: String
        var path: String
        var total: DeclaredLength?
        /// Missing where it is the origin of `url`.
        var home: String?
    }

    /// Nil only for a token that is too large to be honest.
    package static func encode(_ token: ResumeToken) -> Data? {
        guard let offset = DeclaredLength(token.offset) else { return nil }
        let content = Content(
            url: token.url.string,
            fields: token.fields.list.map { ArchivedField(name: $0.name, value: $0.value) },
            offset: offset, validator: token.validator, path: token.path, total: token.total,
            home: token.home?.description)
        return seal(content)
    }

    static func seal(_ content: some Encodable) -> Data? {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return (try? encoder.encode(content)).flatMap(seal(inner:))
    }

    /// `inner` is what the envelope holds.
    package static func seal(inner: Data) -> Data? {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let envelope = Envelope(understudyResumeData: version, checksum: checksum(of: inner), token: inner)
        guard let data = try? encoder.encode(envelope), data.count <= byteLimit else { return nil }
        return data
    }

    /// Nil for data from another library, of another version, or damaged.
    package static func decode(_ data: Data) -> ResumeToken? {
        open(data, as: Content.self).flatMap(token)
    }

    /// Content of one kind; nil for another kind as well.
    static func open<Sealed: Decodable>(_ data: Data, as kind: Sealed.Type) -> Sealed? {
        guard data.count <= byteLimit, data.starts(with: magic) else { return nil }
        let decoder = PropertyListDecoder()
        guard let envelope = try? decoder.decode(Envelope.self, from: data),
            envelope.understudyResumeData == version, envelope.checksum == checksum(of: envelope.token),
            // Foundation's reader of XML lists traps on some that are malformed; ours are binary.
            envelope.token.starts(with: magic)
        else { return nil }
        return try? decoder.decode(kind, from: envelope.token)
    }

    private static func token(_ content: Content) -> ResumeToken? {
        // No download stops before its first byte.
        guard let url = URLReference(content.url), url.origin != nil,
            let offset = content.offset.bounded(by: largestFile), offset > 0, PartialFile.mayBe(content.path),
            !content.validator.isEmpty,
            RequestFields.canBeSent("If-Range", content.validator),
            content.fields.allSatisfy({ RequestFields.canBeSent($0.name, $0.value) })
        else { return nil }
        let fields = Fields(content.fields.map { Fields.Field($0.name, $0.value) })
        return ResumeToken(
            url: url, fields: fields, offset: offset, validator: content.validator, path: content.path,
            total: content.total, home: content.home.flatMap(URLReference.init)?.nominalOrigin)
    }

    private static func checksum(of data: Data) -> String {
        var checksum = Checksum()
        data.withUnsafeBytes { checksum.update($0) }
        return String(checksum.value, radix: 16)
    }
}
#endif
