#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Upload tokens as the opaque data that callers keep, in the same envelope as those of downloads.
package enum UploadDataCoding {
    private struct Content: Codable {
        var method: String
        var url: String
        var fields: [ArchivedField]
        var interopVersion: Int
        var location: String
        /// Nil when it is not known.
        var length: DeclaredLength?
        var sent: DeclaredLength
        var bodyFile: String?
        /// When `bodyFile` was last written, in nanoseconds since 1970.
        var modified: Int64?
        /// Missing where it is the origin of `url`.
        var home: String?

        var file: BodyFile? {
            let size = length?.bounded(by: .max)
            let version = size.flatMap { size in modified.map { FileVersion(size: size, modified: $0) } }
            return bodyFile.map { BodyFile(path: $0, version: version) }
        }

        /// A file without its version could be any other by now.
        var hasBody: Bool {
            guard let bodyFile else { return true }
            return length != nil && modified != nil && bodyFile.hasPrefix("/") && !bodyFile.utf8.contains(0)
        }
    }

    /// Nil only for a token that is too large to be honest.
    package static func encode(_ token: UploadToken) -> Data? {
        guard let sent = DeclaredLength(token.sent) else { return nil }
        return ResumeDataCoding.seal(
            Content(
                method: token.method, url: token.url.string,
                fields: token.fields.list.map { ArchivedField(name: $0.name, value: $0.value) },
                interopVersion: token.version.rawValue, location: token.location.string, length: token.length,
                sent: sent, bodyFile: token.file?.path, modified: token.file?.version?.modified,
                home: token.home?.description))
    }

    /// Nil for data from another library, of a download, of another version, or damaged.
    package static func decode(_ data: Data) -> UploadToken? {
        guard let content = ResumeDataCoding.open(data, as: Content.self),
            let version = ResumableUploadVersion(rawValue: content.interopVersion),
            let url = URLReference(content.url), url.origin != nil,
            let location = URLReference(content.location), location.origin != nil,
            RequestFields.isToken(content.method), content.hasBody,
            let sent = content.sent.bounded(by: ResumeDataCoding.largestFile),
            content.fields.allSatisfy({ RequestFields.canBeSent($0.name, $0.value) })
        else { return nil }
        return UploadToken(
            method: content.method, url: url, fields: Fields(content.fields.map { Fields.Field($0.name, $0.value) }),
            version: version, location: location, length: content.length, sent: sent,
            file: content.file, home: content.home.flatMap(URLReference.init)?.nominalOrigin)
    }
}
#endif
