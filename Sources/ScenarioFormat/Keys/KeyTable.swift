/// Every key of the format. The decoder refuses what is not here, the reference page is printed from here, and a
/// test proves that the decoder asks for exactly these keys.
package enum KeyTable {
    package struct Key: Hashable, Sendable {
        package let name: String
        package let kind: ValueKind
        /// One line for the reference page.
        package let meaning: String
        package let isRequired: Bool

        init(_ name: String, _ kind: ValueKind, _ meaning: String, required: Bool = false) {
            self.name = name
            self.kind = kind
            self.meaning = meaning
            isRequired = required
        }
    }

    package static func keys(of context: KeyContext) -> [Key] {
        table[context] ?? []
    }

    static func key(_ name: String, of context: KeyContext) -> Key? {
        keys(of: context).first { $0.name == name }
    }

    /// Keys that later versions of the format will know: refused with a reason, never ignored.
    static func plannedKeys(of context: KeyContext) -> [String: String] {
        switch context {
        case .scenario:
            [
                "use": "there are no fragments to use",
                "fragments": "there are no fragments",
            ]
        case .differs: ["apple": "its behaviour has not been recorded"]
        case .task:
            [
                "messages": "websocket tasks are not there"
            ]
        case .dataEvent, .sentEvent, .wroteEvent:
            [
                "exact": "runs of equal events are always merged",
                "restarted": "a total that falls begins another event of its own",
            ]
        default: [:]
        }
    }

    /// Words that later versions of the format will know, wherever a word of a list is expected.
    static let plannedWords: [String: String] = [
        "stream": "stream tasks are not there",
        "websocket": "websocket tasks are not there",
        "become-stream": "stream tasks are not there",
    ]

    private static let table: [KeyContext: [Key]] =
        fileKeys
        .merging(serverKeys) { first, _ in first }
        .merging(replyKeys) { first, _ in first }
        .merging(clientKeys) { first, _ in first }
        .merging(expectationKeys) { first, _ in first }
        .merging(eventKeys) { first, _ in first }
        .merging(cookieKeys) { first, _ in first }
}
