import HTTPBasics

/// Asks whether a kept response is still right (RFC 9111 4.3).
package enum ConditionalFields {
    /// With one of them the caller has a cache of its own: ours neither answers nor keeps.
    static let names = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]

    /// Nil if there is nothing to ask by.
    package static func of(_ response: StoredResponse) -> Fields? {
        var fields = Fields()
        if response.entityTag != nil, let tag = response.fields.first("ETag") {
            fields.append("If-None-Match", String(tag.trimmingWhitespace))
        }
        // As it was written: a server may compare letters. What is no date would be ignored there.
        if let date = response.fields.first("Last-Modified"), HTTPDate.parse(date, now: response.received) != nil {
            fields.append("If-Modified-Since", String(date.trimmingWhitespace))
        }
        return fields.isEmpty ? nil : fields
    }
}
