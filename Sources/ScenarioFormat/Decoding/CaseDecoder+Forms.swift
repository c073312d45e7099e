import ServerScript

extension CaseDecoder {
    func form(_ node: SourceNode) -> [FormPart] { session.list(node, of: "parts").compactMap(formPart) }

    private func formPart(_ node: SourceNode) -> FormPart? {
        guard let map = session.map(node, .formPart) else { return nil }
        let source = map.only(of: ["body", "file"])
        if source == nil { map.missing("a part needs 'body' or 'file'") }
        let content = (map.value("body") ?? map.value("file")).flatMap(body) ?? .empty
        return FormPart(
            name: map.text("name") ?? "", filename: map.text("filename"), type: map.text("type"), content: content,
            isFile: source == "file")
    }

    func slicedBody(_ map: MappingReader) -> SlicedBody {
        let length = map.bytes("length")
        if length == 0 { log.error("a slice has at least one byte", at: map.keyNode("length")) }
        var sliced = SlicedBody(content: map.value("body").flatMap(body) ?? .empty, length: length)
        sliced.parallel = map.count("parallel", in: 1...100) ?? sliced.parallel
        sliced.attempts = map.count("attempts", in: 1...100) ?? sliced.attempts
        sliced.state = map.label("state")
        return sliced
    }

    func checkForm(_ task: TaskStep, _ map: MappingReader) {
        let bodies = ["body", "body-stream", "form", "sliced"].filter(map.has)
        guard bodies.count > 1, task.form != nil || task.sliced != nil else { return }
        log.error("'\(bodies[0])' and '\(bodies[1])' exclude each other", at: map.keyNode(bodies[1]))
    }
}
