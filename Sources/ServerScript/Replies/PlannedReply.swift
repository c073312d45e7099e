import HTTPBasics

/// A reply of the script, and what was made of it last: the same again for most requests of the same second.
final class PlannedReply {
    let scripted: Reply
    private var body: BodySource?
    private var newest: PreparedReply?

    /// Whether pages of other origins may read it.
    private let isShared: Bool

    /// What of it waits for the request; nil for an answer that is always the same.
    let template: ReplyTemplate?

    /// `isMade` for one that is made of a request already: no word in it waits for another.
    init(_ scripted: Reply, isShared: Bool = false, isMade: Bool = false) {
        let template = isMade ? nil : ReplyTemplate(scripted)
        self.scripted = template == nil && !isMade ? scripted.withoutEscapes : scripted
        self.isShared = isShared
        self.template = template
    }

    /// The same answer with what one request has made of it.
    func saying(_ made: Reply) -> PlannedReply { PlannedReply(made, isShared: isShared, isMade: true) }

    /// The answer to one request; nil when its body cannot be compressed. `mustClose` when no other request can follow
    /// on this connection; `isOfGET` when it was written for a GET, of which a HEAD gets the head alone.
    func prepare(
        for request: ReceivedHead, date: UnixTime, mustClose: Bool, store: ContentStore, isOfGET: Bool = false
    ) -> PreparedReply? {
        if body == nil { body = store.plain(scripted.body).map(BodySource.init) }
        guard let body else { return nil }
        var occasion = PreparedReply.Occasion(request, date: date, mustClose: mustClose, scripted, size: body.count)
        occasion.isOfGET = isOfGET
        if isShared { occasion.origin = CrossOrigin(request) }
        if let newest, newest.occasion == occasion { return newest }
        let prepared = PreparedReply(scripted, body: body, on: occasion)
        newest = prepared
        return prepared
    }
}
