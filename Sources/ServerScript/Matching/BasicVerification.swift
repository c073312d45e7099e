import HTTPBasics

/// Reads an Authorization value, or a proxy's, of the Basic scheme (RFC 7617 2) and compares it with a script's
/// credentials.
///
/// What it says never holds a value, only the scheme.
enum BasicVerification {
    static func difference(
        _ values: [String], _ wanted: BasicCredentials, field: String = "Authorization"
    ) -> String? {
        let token: Substring
        do throws(Malformed) {
            token = try CredentialsField.content(of: values, scheme: "Basic", shown: "Basic credentials")
        } catch {
            return "\(field): \(error.text)"
        }
        guard token.first == " ", let bytes = Base64.decode(token.dropFirst()) else {
            return "\(field): wanted Basic credentials, got Basic without a valid base64 token"
        }
        guard bytes == Array("\(wanted.user):\(wanted.password)".utf8) else {
            return "\(field): wanted the credentials of the script, got other Basic credentials"
        }
        return nil
    }
}
