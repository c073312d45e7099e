#if !canImport(Darwin)
import Foundation

/// The credentials of a storage, by space and user. A value: nothing of it calls what a subclass could override.
struct KeptCredentials: Sendable {
    /// A credential, and what it said when it came.
    struct Entry: Sendable {
        let object: URLCredential
        let user: String
        let password: String?
        let persistence: URLCredential.Persistence

        /// Nil for one that cannot be kept: without a user, or with the persistence `none`.
        init?(_ credential: URLCredential) {
            self.init(removable: credential)
            guard persistence != .none else { return nil }
        }

        /// Nil for one without a user.
        init?(removable credential: URLCredential) {
            guard let user = credential.user else { return nil }
            (object, self.user) = (credential, user)
            (password, persistence) = (credential.password, credential.persistence)
        }

        /// One that the file has.
        init(_ record: CredentialRecord) {
            (object, user, password) = (record.credential, record.user, record.password)
            persistence = URLCredential.Persistence(rawValue: record.persistence) ?? .permanent
        }

        /// Kept beyond the end of the process.
        var isPermanent: Bool { persistence == .permanent || persistence == .synchronizable }

        func says(_ other: Entry) -> Bool {
            user == other.user && password == other.password && persistence == other.persistence
        }
    }

    struct Space: Sendable {
        let space: URLProtectionSpace
        var entries: [String: Entry] = [:]
        var defaultUser: String?
    }

    /// What a change has done.
    struct Outcome: Sendable {
        var isOne = false
        /// What is kept no more.
        var former: Entry?
    }

    private(set) var spaces: [CredentialSpace: Space] = [:]
    /// Counts how often everything was forgotten.
    private(set) var generation = 0
    /// Counts the changes.
    private(set) var revision = 0

    func defaultCredential(of key: CredentialSpace) -> URLCredential? {
        spaces[key].flatMap { kept in kept.defaultUser.flatMap { kept.entries[$0]?.object } }
    }

    var hasPermanent: Bool { spaces.values.contains { $0.entries.values.contains(where: \.isPermanent) } }

    /// What is there of this user, and whether it is the default.
    func known(_ user: String, of key: CredentialSpace) -> (entry: Entry, isDefault: Bool)? {
        spaces[key].flatMap { kept in kept.entries[user].map { ($0, kept.defaultUser == user) } }
    }

    /// What other processes have written takes the place of what was read before.
    ///
    /// - Returns: False, and nothing changes, where something else has changed since that revision.
    mutating func replacePermanent(by records: CredentialRecords, at revision: Int) -> Bool {
        guard revision == self.revision else { return false }
        let former = spaces
        for (key, kept) in former {
            let remaining = kept.entries.filter { !$0.value.isPermanent }
            spaces[key]?.entries = remaining
            if let user = kept.defaultUser, remaining[user] == nil { spaces[key]?.defaultUser = nil }
        }
        for record in records.list {
            let key = CredentialSpace(record)
            var kept = spaces[key] ?? Space(space: record.space)
            if kept.entries[record.user] != nil { continue }
            let read = Entry(record), known = former[key]?.entries[record.user]
            kept.entries[record.user] = known.flatMap { $0.says(read) ? $0 : nil } ?? read
            if record.isDefault, kept.defaultUser == nil { kept.defaultUser = record.user }
            spaces[key] = kept
        }
        spaces = spaces.filter { !$0.value.entries.isEmpty }
        return true
    }

    mutating func keep(
        _ entry: Entry, in space: URLProtectionSpace, _ key: CredentialSpace, asDefault: Bool
    ) -> Outcome {
        var kept = spaces[key] ?? Space(space: space)
        revision += 1
        let former = kept.entries[entry.user]
        let isNew = former.map { !$0.says(entry) } ?? true
        var change = Outcome(isOne: isNew || asDefault && kept.defaultUser != entry.user)
        if let former, former.password != entry.password { change.former = former }
        kept.entries[entry.user] = entry
        if asDefault { kept.defaultUser = entry.user }
        spaces[key] = kept
        return change
    }

    mutating func remove(_ entry: Entry, of key: CredentialSpace, evenSynchronizable: Bool) -> Outcome {
        guard let known = spaces[key]?.entries[entry.user], known.password == entry.password,
            known.persistence != .synchronizable || evenSynchronizable
        else { return Outcome() }
        revision += 1
        spaces[key]?.entries[entry.user] = nil
        if spaces[key]?.defaultUser == entry.user { spaces[key]?.defaultUser = nil }
        if spaces[key]?.entries.isEmpty ?? false { spaces[key] = nil }
        return Outcome(isOne: true, former: known)
    }

    mutating func removeAll() -> Outcome {
        defer { spaces = [:] }
        generation += 1
        revision += 1
        return Outcome(isOne: !spaces.isEmpty)
    }
}
#endif
