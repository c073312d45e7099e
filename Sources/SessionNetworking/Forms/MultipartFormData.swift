#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation
import NIOCore

/// The body of a form, `multipart/form-data` (RFC 7578), put together from texts, data and files.
///
/// Its length is known before a byte is sent, and no file is ever held in memory: the kernel takes files from the disk
/// to the connection. A file must not change after it was added; one that is missing, or was written to, fails the
/// task that sends it with `URLError.requestBodyStreamExhausted`, before the server has the whole request.
///
///     var form = MultipartFormData()
///     form.append("Ann", name: "user")
///     try form.append(contentsOf: photo, name: "photo", contentType: "image/jpeg")
///     var request = URLRequest(url: url)
///     request.httpMethod = "POST"
///     request.setBody(form)
///
/// A value: copies are independent. May be used from any thread. Neither Apple's nor FoundationNetworking's API has it.
public struct MultipartFormData: Sendable {
    /// The text between the parts: 122 bits of it are random, so that no part contains it by accident.
    public let boundary: String

    private var parts = ComposedBody()

    /// A form without parts.
    public init() { self.init(boundary: "form-" + UUID().uuidString) }

    /// With a boundary that tests know.
    package init(boundary: String) { self.boundary = boundary }

    /// The value for Content-Type.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// How many bytes the body has: the value for Content-Length.
    public var contentLength: Int64 { parts.length + Int64(end.utf8.count) }

    /// Adds a text, like an input field of a form. It is sent in UTF-8 as it is, line breaks included.
    ///
    /// `name` is the name of the field; names may repeat. Quotes and line breaks in it are sent as `%22`, `%0D` and
    /// `%0A`, as browsers do (the multipart/form-data encoding algorithm of the HTML Standard).
    public mutating func append(_ text: String, name: String) { append(Data(text.utf8), name: name) }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - data: Copied, once for all tasks that send the form.
    ///   - name: As in `append(_:name:)`.
    ///   - filename: With a name, the part counts as a file; escaped like `name`, sent in UTF-8 and otherwise as it is.
    ///   - contentType: The part's media type. Nil leaves it out, or says `application/octet-stream` of a file.
    public mutating func append(
        _ data: Data, name: String, filename: String? = nil, contentType: String? = nil
    ) {
        appendHead(name: name, filename: filename, contentType: contentType)
        // A buffer holds less than 4 GiB.
        for start in stride(from: 0, to: data.count, by: 1 << 30) {
            parts.append(.bytes(ByteBuffer(bytes: data.dropFirst(start).prefix(1 << 30))))
        }
    }

    /// Adds a file, which is not read now but while the body is sent.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file.
    ///   - name: As in `append(_:name:)`.
    ///   - filename: What the server is told; nil stands for the last component of the URL.
    ///   - contentType: The part's media type; nil stands for `application/octet-stream`.
    /// - Throws: `URLError`: `.badURL` for what is no file URL, `.fileDoesNotExist`, `.noPermissionsToReadFile`,
    ///   `.fileIsDirectory`, `.cannotOpenFile` for what is no regular file, and `.dataLengthExceedsMaximum` for a form
    ///   of more than 2^62 bytes.
    public mutating func append(
        contentsOf fileURL: URL, name: String, filename: String? = nil, contentType: String? = nil
    ) throws {
        let version = try SourceFile.version(of: fileURL)
        guard version.size <= Self.longest - parts.length else {
            throw URLError(.dataLengthExceedsMaximum, "\(fileURL.path) makes the form too long: over 2^62 bytes.")
        }
        appendHead(name: name, filename: filename ?? fileURL.lastPathComponent, contentType: contentType)
        parts.append(.file(BodyFile(path: fileURL.path, version: version), 0..<version.size))
    }

    /// A new stream of the body, not opened yet: for a request, and an answer to `needNewBodyStream`. A session does
    /// not read it but sends what it stands for, as often as it has to be sent.
    ///
    /// - Parameter offset: How many bytes to leave out at the beginning: the answer to `needNewBodyStreamFrom`.
    public func makeInputStream(from offset: Int64 = 0) -> InputStream {
        var body = parts
        body.append(.bytes(ByteBuffer(string: end)))
        return ComposedStream(offset > 0 ? body.dropFirst(offset) : body)
    }

    /// Keeps sums far from the largest number.
    private static let longest: Int64 = 1 << 62

    private var end: String { "\(delimiter)--\r\n" }

    /// RFC 2046 5.1.1: the line break before a boundary belongs to it, and the first has none.
    private var delimiter: String { "\(parts.length == 0 ? "" : "\r\n")--\(boundary)" }

    private mutating func appendHead(name: String, filename: String?, contentType: String?) {
        var head = "\(delimiter)\r\n"
        head += "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { head += "; filename=\"\(Self.escaped(filename))\"" }
        head += "\r\n"
        if let type = contentType ?? filename.map({ _ in "application/octet-stream" }) {
            head += "Content-Type: \(Self.onOneLine(type))\r\n"
        }
        parts.append(.bytes(ByteBuffer(string: head + "\r\n")))
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// RFC 9110 5.5: what would end a field's line becomes a space.
    private static func onOneLine(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            result.unicodeScalars.append(["\r", "\n", "\0"].contains(scalar) ? " " : scalar)
        }
        return result
    }
}

extension URLRequest {
    /// Makes the form the body: sets `httpBodyStream`, Content-Type and Content-Length.
    ///
    /// The method is not changed; a form needs one like `POST`. A body that has to be sent again, after a redirect, a
    /// challenge or a lost connection, is taken from the form anew; no delegate is asked for it. The request may be
    /// used for several tasks.
    public mutating func setBody(_ form: MultipartFormData) {
        httpBodyStream = form.makeInputStream()
        setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        setValue(String(form.contentLength), forHTTPHeaderField: "Content-Length")
    }
}
#endif
