import HTTPBasics

/// An interop version of draft-ietf-httpbis-resumable-upload: 3 is its revision 01, 5 is 03, 6 is 04 and 05. The
/// judge's own: it shares no line with the client.
enum UploadVersion: Int, Hashable, CaseIterable {
    case three = 3
    case five = 5
    case six = 6

    static let fieldName = "Upload-Draft-Interop-Version"

    /// Nil where the fields name none of these, or more than one.
    init?(_ fields: Fields) {
        let values = fields.values(UploadVersion.fieldName)
        guard values.count == 1, let version = RequestRules.decimal(values[0]).flatMap(UploadVersion.init) else {
            return nil
        }
        self = version
    }

    /// The field that says whether all of an upload is there.
    var flagName: String { self == .three ? "Upload-Incomplete" : "Upload-Complete" }

    func flag(isComplete: Bool) -> Fields.Field {
        Fields.Field(flagName, isComplete == (self == .three) ? "?0" : "?1")
    }

    /// What the request says of itself: that it brings the last byte, or that it does not. Nil when it says nothing.
    func isLast(_ fields: Fields) throws(Malformed) -> Bool? {
        let values = fields.values(flagName)
        guard let value = values.first else { return nil }
        guard values.count == 1, value == "?0" || value == "?1" else {
            throw Malformed("\(flagName) is neither '?0' nor '?1'")
        }
        return (value == "?1") == (self != .three)
    }
}
