import CNamespaces
import Foundation
import Judge
import TestCertificates

/// Two of the system's files that are ours for this process: the one whose authorities FoundationNetworking trusts,
/// which none of its settings names, and the one with the names of hosts, because certificates are for names.
///
/// They are mounted in a namespace of the process's own. Nobody else sees them, and since they have no name elsewhere
/// any more, nothing is left however the process ends.
struct MountedFiles: Sendable {
    /// Our file of names. It is written through its descriptor, never by its path: without the mount that would be the
    /// system's.
    private let names: Int32

    /// Where FoundationNetworking looks, in this order, with the first that it can read.
    private static let trusted = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/usr/share/ssl/certs/ca-bundle.crt", "/usr/local/share/certs/ca-root-nss.crt", "/etc/ssl/cert.pem",
    ]

    /// To be called before the process has a second thread, since a namespace belongs to a thread.
    init() throws {
        guard let trusted = MountedFiles.trusted.first(where: { access($0, R_OK) == 0 }) else {
            throw CaseObstacle("needs a file of trusted authorities to put another one in its place: none is installed")
        }
        try MountedFiles.enterNamespace()
        let authorities = TestCertificates.authority.map { MountedFiles.pem($0.der) }.joined()
        close(try MountedFiles.mount(authorities, at: trusted))
        names = try MountedFiles.mount("", at: "/etc/hosts")
    }

    /// From now on these names have these addresses, and others than `localhost` have none here.
    func name(_ addresses: [String: String]) throws {
        let lines = addresses.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }
        guard ftruncate(names, 0) == 0 else { throw MountedFiles.obstacle("emptying the file of names") }
        try MountedFiles.write("127.0.0.1 localhost\n" + lines.joined(), to: names)
    }

    // MARK: How it is made

    /// Of `unshare`: a set of mounts, and of users, of our own.
    private static let newMounts: Int32 = 0x2_0000, newUsers: Int32 = 0x1000_0000

    private static func enterNamespace() throws {
        let user = getuid(), group = getgid()
        if unshare(newMounts) != 0 {
            // Who may not mount anything may do so among users of his own, where the system allows that.
            guard unshare(newMounts | newUsers) == 0 else { throw obstacle("making a mount namespace") }
            try set("/proc/self/setgroups", to: "deny")
            try set("/proc/self/uid_map", to: "\(user) \(user) 1")
            try set("/proc/self/gid_map", to: "\(group) \(group) 1")
        }
        guard Foundation.mount("none", "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0 else {
            throw obstacle("keeping mounts to ourselves")
        }
    }

    /// Returns the descriptor of what is seen there now.
    private static func mount(_ text: String, at place: String) throws -> Int32 {
        var path = Array("\(NSTemporaryDirectory())/understudy-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw obstacle("making a file") }
        defer { unlink(path) }
        try write(text, to: file)
        guard Foundation.mount(path, place, nil, UInt(MS_BIND), nil) == 0 else { throw obstacle("mounting \(place)") }
        return file
    }

    private static func set(_ path: String, to text: String) throws {
        let file = open(path, O_WRONLY)
        guard file >= 0 else { throw obstacle("opening \(path)") }
        defer { close(file) }
        // These take a text at once, and know no places.
        let bytes = Array(text.utf8)
        guard Foundation.write(file, bytes, bytes.count) == bytes.count else { throw obstacle("writing \(path)") }
    }

    private static func write(_ text: String, to file: Int32) throws {
        let bytes = Array(text.utf8)
        guard pwrite(file, bytes, bytes.count, 0) == bytes.count else { throw obstacle("writing a file") }
    }

    private static func pem(_ certificate: [UInt8]) -> String {
        let text = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    private static func obstacle(_ what: String) -> CaseObstacle {
        let reason = String(cString: strerror(errno))
        return CaseObstacle("needs a mount namespace, which this machine refuses (\(what): \(reason))")
    }
}
