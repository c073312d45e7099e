#if !canImport(Darwin)
import Foundation

/// One permanent credential with its space, as the file has it.
package struct CredentialRecord: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package var host: String
    package var port: Int
    package var scheme: String?
    package var proxyType: String?
    package var realm: String?
    package var method: String
    package var user: String
    package var password: String?
    /// Its number in `URLCredential.Persistence`.
    package var persistence: UInt
    package var isDefault: Bool

    func isOfSpace(of other: CredentialRecord) -> Bool {
        host == other.host && port == other.port && scheme == other.scheme && proxyType == other.proxyType
            && realm == other.realm && method == other.method
    }

    package var description: String { "\(user):(secret) at \(host):\(port)" }
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// What one process has changed.
enum CredentialEdit: Sendable {
    /// Takes the place of another one of the same user, and of the default if it is to be that.
    case keep(CredentialRecord)
    /// Whatever its user's is there, or only with that password.
    case remove(CredentialRecord, anyPassword: Bool)
    case removeAll
}

/// The permanent credentials of a user's program, the oldest first, and their form in a file: JSON.
package struct CredentialRecords: Hashable, Sendable {
    package private(set) var list: [CredentialRecord] = []

    /// As many bytes as the file may have.
    package static let mostBytes = 1_048_576
    /// So many credentials are kept; the oldest go first.
    package static let most = 1_000
    /// A credential that takes more bytes than this is kept in memory only.
    package static let mostOfOne = 65_536

    private struct Document: Codable {
        var version: Int
        var credentials: [CredentialRecord]
    }

    package init() {}

    /// Nil for what is no such file: damaged, of another program, of a later version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes,
            let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == 1
        else { return nil }
        for record in document.credentials.suffix(Self.most) where record.isUsable { apply(.keep(record)) }
    }

    /// The oldest are left out where it would be too large.
    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var kept = list[...]
        while true {
            let document = Document(version: 1, credentials: Array(kept))
            guard let data = try? encoder.encode(document) else { return [] }
            if data.count <= Self.mostBytes || kept.isEmpty { return Array(data) }
            kept = kept.dropFirst(max(1, kept.count / 8))
        }
    }

    /// Takes those of an older list that this one knows nothing of.
    mutating func add(older other: CredentialRecords) {
        var all = CredentialRecords()
        let unknown = other.list.filter { record in
            !list.contains { $0.isOfSpace(of: record) && $0.user == record.user }
        }
        for record in unknown + list { all.apply(.keep(record)) }
        self = all
    }

    mutating func apply(_ edit: CredentialEdit) {
        switch edit {
        case .keep(let record):
            guard record.isUsable else { return }
            var record = record
            let former = list.firstIndex { $0.isOfSpace(of: record) && $0.user == record.user }
            if let former { record.isDefault = list.remove(at: former).isDefault || record.isDefault }
            if record.isDefault {
                for index in list.indices where list[index].isOfSpace(of: record) { list[index].isDefault = false }
            }
            list.append(record)
            if list.count > Self.most { list.removeFirst(list.count - Self.most) }
        case .remove(let record, let anyPassword):
            list.removeAll {
                $0.isOfSpace(of: record) && $0.user == record.user && (anyPassword || $0.password == record.password)
            }
        case .removeAll:
            list = []
        }
    }
}

extension CredentialRecord {
    /// What may come back: a user, a persistence that lasts, a size that can be afforded.
    fileprivate var isUsable: Bool {
        let length = [host, scheme ?? "", proxyType ?? "", realm ?? "", method, user, password ?? ""]
            .reduce(0) { $0 + $1.utf8.count }
        return isPermanent && length <= CredentialRecords.mostOfOne
    }

    private var isPermanent: Bool {
        persistence == URLCredential.Persistence.permanent.rawValue
            || persistence == URLCredential.Persistence.synchronizable.rawValue
    }

    init(_ entry: KeptCredentials.Entry, in space: CredentialSpace, isDefault: Bool) {
        self.init(
            host: space.host, port: space.port, scheme: space.scheme, proxyType: space.proxyType, realm: space.realm,
            method: space.method, user: entry.user, password: entry.password,
            persistence: entry.persistence.rawValue, isDefault: isDefault)
    }

    /// The space, as an object that can be shown.
    var space: URLProtectionSpace {
        if let proxyType {
            return URLProtectionSpace(
                proxyHost: host, port: port, type: proxyType, realm: realm, authenticationMethod: method)
        }
        return URLProtectionSpace(
            host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: method)
    }

    var credential: URLCredential {
        URLCredential(
            user: user, password: password ?? "",
            persistence: URLCredential.Persistence(rawValue: persistence) ?? .permanent)
    }
}
#endif
