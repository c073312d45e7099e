import Glibc
import TLSBasics

/// The files of a trust store at one moment: which they are, and what they hold.
struct TrustFiles {
    /// What changes when a file is replaced or written to.
    struct Identity: Hashable {
        struct Entry: Hashable {
            var path: String
            var device: UInt64
            var inode: UInt64
            var size: Int64
            var seconds: Int64
            var nanoseconds: Int64
        }

        var entries: [Entry]
    }

    let places: TrustPlaces
    let identity: Identity

    /// A directory with more files is no trust store.
    private static let mostFiles = 4_096

    init(_ places: TrustPlaces) {
        self.places = places
        identity = Identity(entries: (places.files + places.directories).compactMap(Self.entry))
    }

    private static func entry(_ path: String) -> Identity.Entry? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Identity.Entry(
            path: path, device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino), size: Int64(facts.st_size),
            seconds: Int64(facts.st_mtim.tv_sec), nanoseconds: Int64(facts.st_mtim.tv_nsec))
    }

    /// Without those that cannot be read: one bad certificate must not cost all others. Those of the user's choice
    /// are all taken; of the distributions' places only the first, as they are copies of each other.
    func certificates() -> [X509Certificate] {
        // Compared before OpenSSL reads them, which takes long: a directory holds most of them twice.
        var found: Set<CertificateBytes> = []
        for file in places.files where found.isEmpty { found.formUnion(Self.certificates(inFile: file)) }
        if found.isEmpty || places.areChosen {
            for directory in places.directories { found.formUnion(Self.certificates(inDirectory: directory)) }
        }
        return found.compactMap { X509Certificate($0) }
    }

    /// A sentence that helps a developer whose machine trusts nobody.
    var whyNone: String {
        let names = (places.files + places.directories).joined(separator: ", ")
        return places.areChosen
            ? "No certificate can be read from \(names), which SSL_CERT_FILE and SSL_CERT_DIR name. Correct them, or"
                + " remove them from the environment."
            : "This machine has no trusted certificates (looked for: \(names)). Install the package ca-certificates,"
                + " or set SSL_CERT_FILE to a file with certificates in PEM."
    }

    private static func certificates(inFile path: String) -> [CertificateBytes] {
        guard let content = content(of: path) else { return [] }
        let blocks = PEMBlock.all(in: content).filter(\.isCertificate)
        guard blocks.isEmpty else { return blocks.compactMap(\.bytes) }
        let single = CertificateBytes(der: content)
        return X509Certificate(single) == nil ? [] : [single]
    }

    private static func certificates(inDirectory path: String) -> [CertificateBytes] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: Set<String> = []
        while names.count < mostFiles, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.insert(name) }
        }
        return names.sorted().flatMap { certificates(inFile: path + "/" + $0) }
    }

    /// Nil for what is no regular file, and for one that is too large.
    private static func content(of path: String) -> [UInt8]? {
        // A FIFO without a writer would keep us waiting for one.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size <= IdentityProblem.largestInput
        else { return nil }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while content.count <= IdentityProblem.largestInput {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? content : nil }
            content += piece.prefix(count)
        }
        return nil
    }
}
