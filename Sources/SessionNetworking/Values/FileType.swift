#if !canImport(Darwin)
/// The usual extension of a media type, and the media type that an extension stands for.
enum FileType {
    static func mediaType(ofExtension name: String) -> String {
        let name = name.lowercased()
        return known.first { $0.extensions.contains(name) }?.type ?? "application/octet-stream"
    }

    /// Nil for a type that has none.
    static func usualExtension(ofMediaType type: String) -> String? {
        let type = type.lowercased()
        return known.first { $0.type == type || $0.formerly == type }?.extensions.first
    }

    private struct Known {
        var type: String
        /// Another name of the same type that is still met.
        var formerly: String?
        var extensions: [String]

        init(_ type: String, _ extensions: String..., formerly: String? = nil) {
            (self.type, self.extensions, self.formerly) = (type, extensions, formerly)
        }
    }

    private static let known = [
        Known("text/html", "html", "htm"), Known("text/plain", "txt", "text", "log"), Known("text/css", "css"),
        Known("text/csv", "csv"), Known("text/markdown", "md"),
        Known("text/javascript", "js", "mjs", formerly: "application/javascript"),
        Known("application/json", "json"), Known("application/xml", "xml", formerly: "text/xml"),
        Known("application/pdf", "pdf"), Known("application/zip", "zip"), Known("application/gzip", "gz"),
        Known("application/x-tar", "tar"), Known("application/wasm", "wasm"), Known("image/jpeg", "jpeg", "jpg"),
        Known("image/png", "png"), Known("image/gif", "gif"), Known("image/svg+xml", "svg"),
        Known("image/webp", "webp"), Known("audio/mpeg", "mp3"), Known("audio/wav", "wav"),
        Known("video/mp4", "mp4"), Known("video/quicktime", "mov"),
    ]
}
#endif
