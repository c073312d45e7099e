import ServerScript

/// What a URL may ask for at most. Whoever sends one decides nothing else about the server's memory or time.
enum CookbookLimits {
    /// Bytes that are generated as they are sent.
    static let size = 1 << 40
    /// Bytes that are made at once, and those that may be compressed.
    static let heldSize = 1 << 20
    /// Letters of `/range`, as httpbin has them.
    static let rangeSize = 100 << 10
    static let redirects = 1000
    static let links = 200
    /// Lines, events, chunks.
    static let pieces = 1000
    /// Bytes of `/stream`, which repeats what it was sent.
    static let streamSize = 4 << 20
    static let seconds = 600
    static let drippedSize = 10 << 20
    /// Words before the recipe.
    static let words = 16
    /// Items of a query or of a form that are looked at.
    static let items = FormItems.limit
    static let textLength = 4096
}
