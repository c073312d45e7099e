import HTTPBasics

/// Files for `file:` URLs, and which URLs there may be.
extension CaseDecoder {
    /// `files:`, by name.
    func decodeFiles(_ node: SourceNode) -> [LocalFile] {
        guard let entries = node.entries else {
            let nothing: [LocalFile]? = session.wrong(node, expected: "a map of files")
            return nothing ?? []
        }
        if entries.isEmpty { log.error("at least one file", at: node) }
        return entries.map { entry in
            if !LocalFile.isName(entry.key) {
                let remedy = "at most 100 bytes without '/', and no '.' in front"
                log.error("'\(entry.key)' cannot be the name of a file", at: entry.keyNode, remedy: remedy)
            }
            return LocalFile(name: entry.key, content: body(entry.value) ?? .empty)
        }
    }

    /// A `file:` URL is that of a file of the case, of one that is not there, or of their folder.
    func checkFile(_ target: String, at node: SourceNode) {
        guard target.lowercased().hasPrefix("file:") else { return }
        let name = target.dropFirst("file:".count)
        guard target.hasPrefix("file:"), name == "." || LocalFile.isName(PercentEncoding.decoded(String(name))) else {
            let remedy = "file: and a name of 'files', or 'file:.' for their folder"
            return log.error("'\(target)' is no file of the scenario", at: node, remedy: remedy)
        }
        if files == nil { log.error("'\(target)' needs 'files'", at: node, remedy: "files: {\(name): its content}") }
    }
}
