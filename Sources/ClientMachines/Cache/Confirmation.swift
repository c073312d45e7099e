import HTTPBasics

/// What a 304 makes of the response that it confirms (RFC 9111 3.2, 4.3.4).
package enum Confirmation {
    /// Of the body as it is kept, or of the connection: a 304 says nothing about those.
    private static let kept: Set = [
        "content-length", "content-encoding", "content-range", "transfer-encoding", "connection", "keep-alive",
        "proxy-connection", "proxy-authenticate", "proxy-authentication-info", "te", "trailer", "upgrade",
    ]

    /// Nil if the 304 speaks of another representation than the one that is kept, or of none that could be found again:
    /// then it has to be asked for anew.
    ///
    /// - Parameter sent: The fields of the request that it answers, as they went out.
    package static func update(
        _ stored: StoredResponse, by fields: Fields, to sent: Fields, asked: UnixTime, received: UnixTime
    ) -> StoredResponse? {
        guard concerns(stored, fields) else { return nil }
        var kept = Confirmation.kept
        for member in fields.joined("Connection")?.listMembers ?? [] {
            kept.insert(ASCII.lowercased(member.trimmingWhitespace))
        }
        var merged = stored.fields
        // They are about the time of an answer: this one's, though it may be silent (RFC 9110 6.6.1).
        merged.remove("Age")
        merged.remove("Date")
        var replaced: Set<String> = []
        for field in fields.list {
            // As `Fields` compares: other letters than those of US-ASCII have no other form.
            let name = ASCII.lowercased(field.name)
            guard !kept.contains(name) else { continue }
            if replaced.insert(name).inserted { merged.remove(name) }
            merged.append(field.name, field.value)
        }
        guard let variant = Variant(of: merged, to: sent) else { return nil }
        var updated = StoredResponse(
            status: stored.status, fields: merged, asked: asked, received: received, variant: variant)
        updated.isProtected = stored.isProtected
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
