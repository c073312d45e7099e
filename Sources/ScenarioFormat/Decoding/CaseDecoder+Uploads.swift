import ServerScript

/// Uploads that may be continued, on the server's side.
extension CaseDecoder {
    /// A path that is told, or the rules of a server that keeps what it gets. `request` is what else is demanded.
    func resumption(_ node: SourceNode, _ request: RequestMatch) -> Resumption? {
        guard node.entries != nil else {
            checkFixed(node)
            return session.text(node).map { .announced(at: $0) }
        }
        guard let map = session.map(node, .uploadStore) else { return nil }
        if request.body != nil || request.multipart != nil || request.sliceOf != nil {
            let message = "'where' demands a body of one request, but an upload may come in several"
            log.error(message, at: node, remedy: "say it with 'of'")
        }
        let below = map.text("below") ?? "/"
        map.value("below").map(checkFixed)
        if !below.hasPrefix("/") || !below.hasSuffix("/") {
            log.error("'below' begins and ends with '/'", at: map.value("below") ?? node, remedy: "such as /uploads/")
        }
        let limits = UploadLimits(
            maxSize: map.bytes("max-size"), minSize: map.bytes("min-size"), maxAppendSize: map.bytes("max-append-size"),
            minAppendSize: map.bytes("min-append-size"))
        return .kept(UploadRule(below: below, content: map.value("of").map { body($0) ?? .empty }, limits: limits))
    }

    /// Later requests must be for the same place, so no request can have made it.
    private func checkFixed(_ node: SourceNode) {
        guard let word = node.scalar.flatMap({ TextTemplate($0) })?.words.first else { return }
        log.error("$\(word.text) is not known where an upload is continued", at: node, remedy: "write the path itself")
    }
}
