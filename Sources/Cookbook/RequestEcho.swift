import HTTPBasics
import NIOCore
import ServerScript

/// What a request was, in httpbin's words.
struct RequestEcho {
    private let call: RecipeCall

    init(_ call: RecipeCall) { self.call = call }

    /// The members of these names.
    func json(_ names: String...) -> AnswerJSON { .sorted(names.map { ($0, member($0)) } + truncation(names)) }

    private func member(_ name: String) -> AnswerJSON {
        switch name {
        case "args": .items(call.target.query)
        case "headers": headers
        case "origin": .text(origin)
        case "url": .text(call.base + call.target.text)
        case "method": .text(call.head.method)
        case "data": isForm || isMultipart ? .text("") : .text(text(call.body.prefix, type: contentType))
        case "form": .items(isForm ? formItems : parts.filter { $0.filename == nil }.map(item))
        case "files": .items(parts.filter { $0.filename != nil }.map(item))
        case "json": json
        default: .null
        }
    }

    /// The first address that a proxy has named, else where the connection comes from.
    var origin: String { call.fields.first("X-Forwarded-For") ?? call.request.client ?? "" }

    /// By names in the spelling of WSGI (`User-Agent`), which httpbin has.
    var headers: AnswerJSON {
        var values: [String: String] = [:]
        for field in call.fields.list {
            let name = RequestEcho.title(field.name)
            values[name] = values[name].map { "\($0),\(field.value)" } ?? field.value
        }
        return .sorted(values.map { ($0.key, .text($0.value)) })
    }

    static func title(_ name: String) -> String {
        name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { word in
            let text = String(Substring(word))
            return text.prefix(1).uppercased() + text.dropFirst().lowercased()
        }.joined(separator: "-")
    }

    // MARK: - The body

    /// Bodies are kept up to a bound: beyond it there is no telling what they say.
    private var isWhole: Bool { call.body.count == call.body.prefix.count }

    private var contentType: String? { call.fields.first("Content-Type") }
    private var mediaType: MediaType? { contentType.flatMap { MediaType(parsing: $0) } }
    private var isForm: Bool { isWhole && mediaType?.essence == "application/x-www-form-urlencoded" }
    private var isMultipart: Bool { !parts.isEmpty }

    private var formItems: [CookbookItem] {
        CookbookTarget.items(String(decoding: call.body.prefix, as: UTF8.self))
    }

    private var json: AnswerJSON {
        guard isWhole, !isForm, !isMultipart, JSONSyntax.holds(call.body.prefix) else { return .null }
        return .raw(call.body.prefix)
    }

    private func truncation(_ names: [String]) -> [(name: String, value: AnswerJSON)] {
        guard !isWhole, names.contains("data") else { return [] }
        let sum = String(call.body.checksum, radix: 16)
        let kept = AnswerJSON.object([
            ("kept", .number(call.body.prefix.count)), ("size", .number(call.body.count)), ("fnv1a", .text(sum)),
        ])
        return [("truncated", kept)]
    }

    /// UTF-8 is text, anything else a `data:` URL.
    private func text(_ bytes: [UInt8], type: String?) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? "data:\(type ?? "application/octet-stream");base64,\(Base64.encode(bytes))"
    }

    // MARK: - Multipart

    private struct Part {
        var name: String
        var filename: String?
        var type: String?
        var bytes: [UInt8] = []
    }

    private func item(_ part: Part) -> CookbookItem {
        CookbookItem(name: part.name, value: text(part.bytes, type: part.type))
    }

    /// None if the body is no form data, or is broken.
    private var parts: [Part] {
        guard isWhole, mediaType?.essence == "multipart/form-data" else { return [] }
        do throws(Malformed) {
            return try RequestEcho.parts(
                call.body.prefix, boundary: try MultipartBoundary.parse(contentType: contentType))
        } catch {
            return []
        }
    }

    private static func parts(_ bytes: [UInt8], boundary: [UInt8]) throws(Malformed) -> [Part] {
        var reader = MultipartReader(boundary: boundary)
        reader.receive(ByteBuffer(bytes: bytes))
        var parts: [Part] = []
        while let event = try reader.next() {
            switch event {
            case .part(let head): parts.append(Part(name: head.name, filename: head.filename, type: head.type))
            case .data(let data): parts[parts.count - 1].bytes += Array(data.readableBytesView)
            case .partEnd: break
            }
        }
        try reader.finish()
        return parts
    }
}
