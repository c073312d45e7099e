import HTTPBasics

/// A reply of the script, and what was made of it last: the same again for most requests of the same second.
final class PlannedReply {
    let scripted: Reply
    private var body: BodySource?
    private var newest: PreparedReply?

    init(_ scripted: Reply) { self.scripted = scripted }

    /// The answer to one request; nil when its body cannot be compressed. `mustClose` when no other request can follow
    /// on this connection.
    func prepare(
        for request: ReceivedHead, date: UnixTime, mustClose: Bool, store: ContentStore
    ) -> PreparedReply? {
        if body == nil { body = store.plain(scripted.body).map(BodySource.init) }
        guard let body else { return nil }
        let occasion = PreparedReply.Occasion(request, date: date, mustClose: mustClose, scripted, size: body.count)
        if let newest, newest.occasion == occasion { return newest }
        let prepared = PreparedReply(scripted, body: body, on: occasion)
        newest = prepared
        return prepared
    }
}
