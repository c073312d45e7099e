import NIOCore

/// Compares a request's body with the part of a content that its Content-Range names.
struct SliceCheck {
    private var check: ContentCheck?
    private var count = 0
    private var wanted = 0
    private var differences: [String] = []

    /// `content` is plain, or nil when it could not be made.
    init(_ content: Content?, contentRange: [String]) {
        do {
            let slice = try SliceRange.parse(contentRange)
            wanted = slice.range.count
            if let content, slice.size != content.count {
                differences.append("Content-Range: wanted a part of \(content.count), got one of \(slice.size)")
            }
            check = ContentCheck(content, .part(slice.range))
        } catch {
            differences.append(error.text)
        }
    }

    mutating func take(_ bytes: ByteBuffer) { check?.take(bytes) }

    func finish() -> [String] { differences.isEmpty ? check?.differences ?? [] : differences }
}
