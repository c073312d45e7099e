import Glibc

/// Where a machine keeps the certificates that it trusts.
package struct TrustPlaces: Hashable, Sendable {
    /// Files with many certificates in PEM; the first that can be read counts.
    package var files: [String]
    /// Directories with a file for each certificate; they count when no file can be read.
    package var directories: [String]
    /// Whether the user has named these places: then a message names them, rather than what to install.
    package var areChosen: Bool

    package init(files: [String], directories: [String], areChosen: Bool = false) {
        self.files = files
        self.directories = directories
        self.areChosen = areChosen
    }

    /// Where the distributions put them.
    package static let distributions = TrustPlaces(
        files: [
            // Debian, Ubuntu, Arch, Alpine
            "/etc/ssl/certs/ca-certificates.crt",
            // Fedora, RHEL and their kin
            "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
            // SUSE
            "/etc/ssl/ca-bundle.pem",
            // Alpine, and others by habit
            "/etc/ssl/cert.pem",
        ],
        directories: ["/etc/ssl/certs"])

    /// Those that OpenSSL's environment variables name; without them those of the distributions.
    package static func chosen(by variable: (String) -> String?) -> TrustPlaces {
        let file = variable("SSL_CERT_FILE").flatMap { $0.isEmpty ? nil : $0 }
        let directories = variable("SSL_CERT_DIR")?.split(separator: ":").map(String.init) ?? []
        guard file != nil || !directories.isEmpty else { return distributions }
        return TrustPlaces(files: file.map { [$0] } ?? [], directories: directories, areChosen: true)
    }

    /// This process's.
    package static var ofProcess: TrustPlaces {
        chosen { name in getenv(name).map { String(cString: $0) } }
    }
}
