import HTTPBasics

/// What a 304 makes of the response that it confirms (RFC 9111 3.2, 4.3.4).
package enum Confirmation {
    /// Of the body as it is kept, or of the connection: a 304 says nothing about those.
    private static let kept = [
        "Content-Length", "Content-Encoding", "Content-Range", "Transfer-Encoding", "Connection", "Keep-Alive",
        "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info", "TE", "Trailer", "Upgrade",
    ]

    /// Nil if the 304 speaks of another representation than the one that is kept, or of none that could be found again:
    /// then it has to be asked for anew.
    ///
    /// - Parameter sent: The fields of the request that it answers, as they went out.
    package static func update(
        _ stored: StoredResponse, by fields: Fields, to sent: Fields, asked: UnixTime, received: UnixTime
    ) -> StoredResponse? {
        guard concerns(stored, fields) else { return nil }
        var updated = stored
        var names = Set(Confirmation.kept.map { $0.lowercased() })
        for member in fields.joined("Connection")?.listMembers ?? [] {
            names.insert(member.trimmingWhitespace.lowercased())
        }
        // They are about the time of an answer: this one's, though it may be silent (RFC 9110 6.6.1).
        updated.fields.remove("Age")
        updated.fields.remove("Date")
        var replaced: Set<String> = []
        for field in fields.list {
            let name = field.name.lowercased()
            guard !names.contains(name) else { continue }
            if replaced.insert(name).inserted { updated.fields.remove(name) }
            updated.fields.append(field.name, field.value)
        }
        guard let variant = Variant(of: updated.fields, to: sent) else { return nil }
        updated.variant = variant
        updated.asked = asked
        updated.received = received
        return updated
    }

    private static func concerns(_ stored: StoredResponse, _ fields: Fields) -> Bool {
        if let tag = fields.first("ETag").flatMap({ EntityTag(parsing: $0) }) {
            guard let own = stored.entityTag else { return false }
            return tag.isWeak ? tag.weaklyMatches(own) : tag.stronglyMatches(own)
        }
        let own = stored.fields.first("Last-Modified")
        guard let date = fields.first("Last-Modified"), let own else { return true }
        return date.trimmingWhitespace == own.trimmingWhitespace
    }
}
