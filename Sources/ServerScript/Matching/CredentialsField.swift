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

    /// The bytes that stand there in base64, of a scheme that signs connections in.
    ///
    /// - Parameter what: What a message calls them.
    static func token(of values: [String], scheme: String, _ what: String) throws(Malformed) -> [UInt8] {
        guard let token = Base64.decode(try content(of: values, scheme: scheme).dropFirst()), token.count <= 65_536
        else { throw Malformed("wanted \(what), got something else") }
        return token
    }
}
