import HTTPBasics

/// The parts of an answer that wait for a request, found when the script is read.
struct ReplyTemplate {
    private enum Value {
        case fixed(String)
        case made(TextTemplate)
    }

    private let status: TextTemplate?
    private let fields: [(name: String, value: Value)]?
    private let body: TextTemplate?
    private let timeline: [TextTemplate?]
    /// Whether what it says depends on the script's state.
    let usesState: Bool

    /// Nil for an answer that is the same for every request.
    init?(_ reply: Reply) {
        status = reply.statusText.flatMap { TextTemplate($0) }
        let values = reply.fields.list.map { field in
            (field.name, TextTemplate(field.value).map(Value.made) ?? .fixed(field.value))
        }
        let hasFields = values.contains { if case .made = $0.1 { true } else { false } }
        fields = hasFields ? values : nil
        let isEventStream = reply.isEventStream
        body = ReplyTemplate.template(of: reply.body, isEventStream)
        timeline = reply.timeline.map { step in
            if case .raw(let content) = step { return ReplyTemplate.template(of: content, isEventStream) }
            return nil
        }
        let fieldTemplates = values.compactMap { value -> TextTemplate? in
            if case .made(let template) = value.1 { return template }
            return nil
        }
        let templates = [status, body].compactMap(\.self) + fieldTemplates + timeline.compactMap(\.self)
        guard templates.contains(where: { !$0.words.isEmpty }) else { return nil }
        usesState = templates.contains { template in
            template.words.contains { word in
                switch word {
                case .state, .count: true
                default: false
                }
            }
        }
    }

    private static func template(of content: Content, _ isEventStream: Bool) -> TextTemplate? {
        if case .text(let text) = content { return TextTemplate(text, isEventStream: isEventStream) }
        return nil
    }

    /// The answer to the request that the source knows. A status that is none becomes 500.
    func reply(_ scripted: Reply, _ source: inout TemplateSource) -> Reply {
        var reply = scripted
        if let status {
            let number = Int(source.text(status)).flatMap { (200...999).contains($0) ? $0 : nil }
            reply.status = number ?? 500
        }
        if let fields {
            reply.fields = Fields()
            for (name, value) in fields {
                switch value {
                case .fixed(let text): reply.fields.append(name, text)
                case .made(let template): reply.fields.append(name, source.fieldValue(template))
                }
            }
        }
        if let body { reply.body = .text(source.text(body)) }
        for (index, template) in timeline.enumerated() {
            if let template { reply.timeline[index] = .raw(.text(source.text(template))) }
        }
        return reply
    }
}

extension Reply {
    fileprivate var isEventStream: Bool {
        guard let type = fields.first("Content-Type")?.prefix(while: { $0 != ";" }) else { return false }
        return type.trimmingWhitespace.equalsIgnoringCase("text/event-stream")
    }

    /// `$$path.id` in a text without any other word is `$path.id` from the beginning.
    var withoutEscapes: Reply {
        var reply = self
        if let text = reply.body.escapedText { reply.body = .text(text) }
        for (index, step) in reply.timeline.enumerated() {
            if case .raw(let content) = step, let text = content.escapedText {
                reply.timeline[index] = .raw(.text(text))
            }
        }
        if reply.fields.list.contains(where: { TextTemplate($0.value)?.plain != nil }) {
            reply.fields = Fields(
                reply.fields.list.map { Fields.Field($0.name, TextTemplate($0.value)?.plain ?? $0.value) })
        }
        return reply
    }
}

extension Content {
    fileprivate var escapedText: String? {
        if case .text(let text) = self { return TextTemplate(text)?.plain }
        return nil
    }
}
