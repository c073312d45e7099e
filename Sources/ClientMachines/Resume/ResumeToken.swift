import HTTPBasics

/// What a later task needs to continue a download: the content of the opaque resume data.
package struct ResumeToken: Hashable, Sendable {
    package var url: URLReference
    package var fields: Fields
    /// Bytes of `path` that belong to the download.
    package var offset: Int64
    /// A strong entity tag, or a Last-Modified date: what If-Range will say (BEHAVIOUR 1.F4).
    package var validator: String
    /// The partial file.
    package var path: String
    /// Size of the whole, nil when unknown.
    package var total: DeclaredLength?
    /// Where the first request of all went; nil for the origin of `url`.
    package var home: Origin?

    package init(
        url: URLReference, fields: Fields, offset: Int64, validator: String, path: String, total: DeclaredLength?,
        home: Origin? = nil
    ) {
        self.url = url
        self.fields = fields
        self.offset = offset
        self.validator = validator
        self.path = path
        self.total = total
        self.home = home == url.nominalOrigin ? nil : home
    }
}
