import HTTPBasics

/// Reads an Authorization value of the Basic scheme (RFC 7617 2) and compares it with a script's credentials.
///
/// What it says never holds a value, only the scheme.
enum BasicVerification {
    static func difference(_ values: [String], _ wanted: BasicCredentials) -> String? {
        guard let value = values.first else { return "Authorization: wanted Basic credentials, got none" }
        guard values.count == 1 else { return "Authorization: wanted one field, got \(values.count)" }
        let scheme = Secrets.scheme(of: value)
        guard scheme.equalsIgnoringCase("Basic") else {
            return "Authorization: wanted Basic credentials, got scheme \(quoted(scheme))"
        }
        let token = value.dropFirst(scheme.count)
        guard token.first == " ", let bytes = Base64.decode(token.dropFirst()) else {
            return "Authorization: wanted Basic credentials, got Basic without a valid base64 token"
        }
        guard bytes == Array("\(wanted.user):\(wanted.password)".utf8) else {
            return "Authorization: wanted the credentials of the script, got other Basic credentials"
        }
        return nil
    }
}
