import HTTPBasics
import ServerScript

/// `edits:` of a task.
extension CaseDecoder {
    func edits(_ map: MappingReader) -> [SourceNode] { session.spliced(map.list("edits") ?? []) }

    func requestEdit(_ map: MappingReader) -> RequestEdit? {
        let keys = ["add", "set", "remove", "all-fields", "method", "url", "body", "timeout", "as"]
        let add = map.value("add"), set = map.value("set"), all = map.value("all-fields"), body = map.value("body")
        let removed = map.list("remove"), method = map.text("method"), url = map.text("url")
        let timeout = map.duration("timeout"), form = map.word("as", as: RequestEdit.Form.self)
        switch map.only(of: keys) {
        case "add": return add.map { .add(headers($0)) }
        case "set": return set.map { .set(headers($0)) }
        case "remove": return removed.map { .remove($0.compactMap { session.text($0, what: "the name of a field") }) }
        case "all-fields": return all.map { .allFields($0.plain == "none" ? nil : headers($0)) }
        case "method": return method.map { .method($0) }
        case "url": return url.map { .url($0) }
        case "body": return body.map { .body(self.body($0)) }
        case "timeout": return timeout.map { .timeout($0) }
        case "as": return form.map { .form($0) }
        default:
            map.missing("an edit needs one of \(keys.joined(separator: ", "))")
            return nil
        }
    }
}
