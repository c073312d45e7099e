#if !canImport(Darwin)
import Foundation

/// The body of a form, `multipart/form-data` (RFC 7578), put together from texts, data and files.
///
/// Its length is known before a byte is sent, and no file is ever held in memory: files are read while they go out, in
/// pieces of 64 KiB. A file must stay as it was when it was added; one that is missing, or was written to, fails the
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
    /// What stands between the parts: 122 bits of it are random, so that no part can contain it but by intent.
    public let boundary: String

    private var stretches: [BodyStretch] = []
    /// All of them together.
    private var partsLength: Int64 = 0

    /// A form without parts.
    public init() { self.init(boundary: "form-" + UUID().uuidString) }

    /// With a boundary that tests know.
    package init(boundary: String) { self.boundary = boundary }

    /// The value for Content-Type.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// How many bytes the body has: the value for Content-Length.
    public var contentLength: Int64 { partsLength + Int64(end.count) }

    /// Adds a text, as an input field of a form has it. It is sent in UTF-8 as it is, line breaks included.
    ///
    /// - Parameter name: Name of the field; names may repeat. Quotes and line breaks in it are sent as `%22`, `%0D` and
    ///   `%0A`, as browsers do (the multipart/form-data encoding algorithm of the HTML Standard).
    public mutating func append(_ text: String, name: String) { append(Data(text.utf8), name: name) }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - data: Shared with the caller's, not copied.
    ///   - name: As in `append(_:name:)`.
    ///   - filename: With a name, the part counts as a file; escaped like `name`, sent in UTF-8 and otherwise as it is.
    ///   - contentType: The part's media type. Nil leaves it out, or says `application/octet-stream` of a file.
    public mutating func append(
        _ data: Data, name: String, filename: String? = nil, contentType: String? = nil
    ) {
        let head = head(name: name, filename: filename, contentType: contentType)
        stretches += [.bytes(head), .bytes(data)]
        partsLength += Int64(head.count + data.count)
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
        let version = try SourceFile(fileURL).version()
        guard version.size <= Self.longest - partsLength else {
            throw URLError(.dataLengthExceedsMaximum, "\(fileURL.path) makes the form too long: over 2^62 bytes.")
        }
        let head = head(name: name, filename: filename ?? fileURL.lastPathComponent, contentType: contentType)
        stretches += [.bytes(head), .file(fileURL, version)]
        partsLength += Int64(head.count) + version.size
    }

    /// A new stream of the body, not opened yet: the answer to `needNewBodyStream`.
    ///
    /// - Parameter offset: How many bytes to leave out at the beginning: the answer to `needNewBodyStreamFrom`.
    public func makeInputStream(from offset: Int64 = 0) -> InputStream {
        ComposedStream(stretches + [.bytes(end)], from: offset)
    }

    /// Keeps sums far from the largest number.
    private static let longest: Int64 = 1 << 62

    /// RFC 2046 5.1.1: the line break before a boundary belongs to it, and the first has none.
    private var end: Data { Data("\(stretches.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8) }

    private func head(name: String, filename: String?, contentType: String?) -> Data {
        var head = "\(stretches.isEmpty ? "" : "\r\n")--\(boundary)\r\n"
        head += "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { head += "; filename=\"\(Self.escaped(filename))\"" }
        head += "\r\n"
        if let type = contentType ?? filename.map({ _ in "application/octet-stream" }) {
            head += "Content-Type: \(Self.onOneLine(type))\r\n"
        }
        return Data((head + "\r\n").utf8)
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
    /// The method is left as it is; a form needs one like `POST`. A body that has to be sent again, after a redirect, a
    /// challenge or a lost connection, is read from the form anew, unless a delegate provides another. The
    /// request may be used for several tasks.
    public mutating func setBody(_ form: MultipartFormData) {
        httpBodyStream = form.makeInputStream()
        setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        setValue(String(form.contentLength), forHTTPHeaderField: "Content-Length")
    }
}
#endif
