import ServerScript

/// A part that a form of `multipart/form-data` must have (RFC 7578).
public struct ExpectedPart: Hashable, Sendable {
    let part: MultipartRule.Part
    let complaint: String?

    /// - Parameters:
    ///   - name: The name of its Content-Disposition.
    ///   - filename: The file name there; nil for any and none.
    ///   - type: Its Content-Type; nil for any and none.
    ///   - body: What it holds; nil for anything.
    ///   - size: How many bytes it holds; nil for any number.
    ///   - sha256: The SHA-256 of what it holds, in hexadecimal digits; nil for any. `start` throws for what is none.
    public init(
        _ name: String, filename: String? = nil, type: String? = nil, body: ServerBody? = nil, size: Int? = nil,
        sha256: String? = nil
    ) {
        complaint = sha256.flatMap(RequestRule.complaint(aboutSHA256:))
        part = MultipartRule.Part(
            name: name, filename: filename, type: type, content: body?.content, size: size,
            sha256: sha256?.lowercased())
    }
}

/// Conditions on bodies that have parts, or are parts.
extension RequestRule {
    /// The body is a form of `multipart/form-data` with these parts, in order and no others.
    public static func multipart(_ parts: ExpectedPart...) -> RequestRule {
        RequestRule(complaint: parts.lazy.compactMap(\.complaint).first) {
            $0.multipart = MultipartRule(parts: parts.map(\.part))
        }
    }

    /// The body is the part of this one that Content-Range names (RFC 9110 14.5), which counts as stored under the
    /// request's target from then on.
    public static func slice(of body: ServerBody) -> RequestRule { RequestRule { $0.sliceOf = body.content } }

    /// Every byte of the request's target has come in slices before.
    public static let whole = RequestRule { $0.isWhole = true }

    static func complaint(aboutSHA256 digest: String) -> String? {
        let isDigest = digest.utf8.count == 64 && digest.allSatisfy(\.isHexDigit)
        return isDigest ? nil : "'\(digest)' is no SHA-256: it has 64 hexadecimal digits"
    }
}
