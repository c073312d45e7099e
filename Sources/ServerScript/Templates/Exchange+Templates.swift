extension Exchange {
    /// All texts that are made of the request.
    package var templates: [TextTemplate] {
        let names = request.state.map(\.name.text) + changes.map(\.name.text)
        let values = changes.compactMap { change -> String? in
            if case .set(let value) = change.kind { return value.text }
            return nil
        }
        return (names + values).compactMap { TextTemplate($0) } + (reply?.templates ?? [])
    }
}

extension Reply {
    /// The same of an answer.
    package var templates: [TextTemplate] {
        let raw = timeline.compactMap { step -> Content? in
            if case .raw(let content) = step { return content }
            return nil
        }
        let bodies = ([body] + raw).compactMap { content -> String? in
            if case .text(let text) = content { return text }
            return nil
        }
        return (fields.list.map(\.value) + bodies + [statusText].compactMap(\.self)).compactMap { TextTemplate($0) }
    }
}
