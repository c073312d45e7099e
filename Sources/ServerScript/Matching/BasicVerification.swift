import HTTPBasics

/// Reads an Authorization value, or a proxy's, of the Basic scheme (RFC 7617 2) and compares it with a script's
/// credentials.
///
/// What it says never holds a value, only the scheme.
enum BasicVerification {
    static func difference(
        _ values: [String], _ wanted: BasicCredentials, field: String = "Authorization"
    ) -> String? {
        guard let value = values.first else { return "\(field): wanted Basic credentials, got none" }
        guard values.count == 1 else { return "\(field): wanted one field, got \(values.count)" }
        let scheme = Secrets.scheme(of: value)
        guard scheme.equalsIgnoringCase("Basic") else {
            return "\(field): wanted Basic credentials, got scheme \(quoted(scheme))"
        }
        let token = value.dropFirst(scheme.count)
        guard token.first == " ", let bytes = Base64.decode(token.dropFirst()) else {
            return "\(field): wanted Basic credentials, got Basic without a valid base64 token"
        }
        guard bytes == Array("\(wanted.user):\(wanted.password)".utf8) else {
            return "\(field): wanted the credentials of the script, got other Basic credentials"
        }
        return nil
    }
}
