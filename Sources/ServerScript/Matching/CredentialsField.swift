import HTTPBasics

/// Reads a field with credentials as far as all schemes are alike: it is there once, and of the scheme that is wanted.
enum CredentialsField {
    /// What stands behind the name of the scheme.
    ///
    /// - Parameter shown: What a message calls what is wanted; the scheme if nil.
    static func content(
        of values: [String], scheme wanted: String, shown: String? = nil
    ) throws(Malformed) -> Substring {
        let shown = shown ?? wanted
        guard let value = values.first else { throw Malformed("wanted \(shown), got none") }
        guard values.count == 1 else { throw Malformed("wanted one field, got \(values.count)") }
        let scheme = Secrets.scheme(of: value)
        guard scheme.equalsIgnoringCase(wanted) else {
            throw Malformed("wanted \(shown), got scheme \(quoted(scheme))")
        }
        return value.dropFirst(scheme.count)
    }
}
